import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMasker, MASK, maskText } from "./masking";
import { formsOfSecrets } from "./secret-forms";

const SECRET = 'pa"ss/w+rd é&ü~42';

describe("masking", () => {
  it("[A3] masks a secret as it is and JSON-, URL- and base64-encoded", () => {
    const json = JSON.stringify({ token: SECRET });
    const form = new URLSearchParams({ token: SECRET }).toString();
    const url = `https://example.test/?token=${encodeURIComponent(SECRET)}`;
    const base64 = Buffer.from(SECRET).toString("base64");
    const base64url = Buffer.from(SECRET).toString("base64url");
    expect(maskText(`plain ${SECRET}.`, [SECRET])).toBe(`plain ${MASK}.`);
    expect(maskText(json, [SECRET])).toBe(`{"token":"${MASK}"}`);
    expect(maskText(JSON.stringify({ line: json }), [SECRET])).toBe(
      JSON.stringify({ line: "{?}" }).replace("{?}", `{\\"token\\":\\"${MASK}\\"}`),
    );
    expect(maskText(form, [SECRET])).toBe(`token=${MASK}`);
    expect(maskText(url, [SECRET])).toBe(`https://example.test/?token=${MASK}`);
    expect(maskText(url.toLowerCase(), [SECRET.toLowerCase()])).toBe(`https://example.test/?token=${MASK}`);
    expect(maskText(`<${base64}> <${base64url}>`, [SECRET])).toBe(`<${MASK}> <${MASK}>`);
  });

  it("[A3] leaves no known character of a secret that is base64-encoded in the middle of something longer", () => {
    for (const before of ["", "u", "us", "use", "user:"]) {
      const encoded = Buffer.from(`${before}${SECRET}:tail`).toString("base64");
      const masked = maskText(`Authorization: Basic ${encoded}\n`, [SECRET]);
      expect(masked).toContain(MASK);
      const shown = masked.replace("Authorization: Basic ", "").trim().split(MASK);
      expect(shown.join("").length).toBeLessThanOrEqual(Math.ceil(((before.length + 5) * 8) / 6) + 4);
    }
  });

  it("[A3] masks each line of a secret that has many, also when one is printed alone", () => {
    const key = "first-line-secret-AAAA\nsecond-line-BBBB\r\nend\n";
    expect(maskText("got first-line-secret-AAAA here", [key])).toBe(`got ${MASK} here`);
    expect(maskText("second-line-BBBB", [key])).toBe(MASK);
    expect(maskText(`<${key}>`, [key])).toBe(`<${MASK}>`);
    expect(maskText("the end", [key])).toBe("the end");
  });

  it("[A3] leaves text with secrets that are too short alone", () => {
    expect(maskText("the word seven77 and short", ["short"])).toBe("the word seven77 and short");
    expect(maskText("eight888", ["eight888"])).toBe(MASK);
  });

  it("[A3] passes on at once what cannot be the beginning of a secret and holds back what can", () => {
    const masker = createMasker(["swordfish-1"]);
    expect(text(masker.push(bytes("hello sw")))).toBe("hello ");
    expect(text(masker.push(bytes("ordfish-")))).toBe("");
    expect(text(masker.push(bytes("2\n")))).toBe("swordfish-2\n");
    expect(text(masker.push(bytes("swordfish")))).toBe("");
    expect(text(masker.end())).toBe("swordfish");
  });

  it("[A3] covers secrets that overlap or contain one another", () => {
    const secrets = ["abcdefgh", "efghijklmn", "abcdefghi-long"];
    expect(maskText("<abcdefghijklmn>", secrets)).toBe(`<${MASK}>`);
    expect(maskText("<abcdefghi-long>", secrets)).toBe(`<${MASK}>`);
    expect(maskText("<abcdefghi-lon>", secrets)).toBe(`<${MASK}i-lon>`);
    expect(maskText("<abcdefghabcdefgh>", secrets)).toBe(`<${MASK}${MASK}>`);
  });

  it("[A3] masks the same however the stream is cut, and never lets a form of a secret through", () => {
    const letters = fc.constantFrom("a", "b", "c", "é", '"', "/");
    const secret = fc.string({ unit: letters, minLength: 8, maxLength: 12 });
    const noise = fc.string({ unit: letters, maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(fc.tuple(noise, fc.nat(), fc.boolean()), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        (secrets, pieces, cuts) => {
          const forms = formsOfSecrets(secrets);
          const stream = Buffer.concat(
            pieces.flatMap(([text, pick, isCut]) => {
              const form = forms[pick % forms.length] ?? new Uint8Array();
              return [bytes(text), isCut ? form.subarray(0, pick % form.length) : form];
            }),
          );
          const masker = createMasker(secrets);
          const out: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < stream.length; turn++) {
            const size = cuts[turn % cuts.length] ?? 1;
            out.push(masker.push(stream.subarray(at, at + size)));
            at += size;
          }
          out.push(masker.end());
          const masked = Buffer.concat(out);
          expect(masked.equals(maskedByUnion(stream, forms))).toBe(true);
          for (const form of forms) expect(masked.includes(Buffer.from(form))).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("[A3] holds back fewer bytes than the longest form has", () => {
    const masker = createMasker([SECRET]);
    const longest = Math.max(...formsOfSecrets([SECRET]).map((form) => form.length));
    const beginning = Buffer.from(SECRET).subarray(0, 5);
    let given = 0;
    let got = 0;
    for (let i = 0; i < 1000; i++) {
      given += beginning.length;
      got += masker.push(beginning).length;
      expect(given - got).toBeLessThan(longest);
    }
  });
});

/** The law in its slow and obvious form: find every occurrence, join those that overlap, write one mask for each. */
function maskedByUnion(data: Buffer, forms: readonly Uint8Array[]): Buffer {
  const out: Buffer[] = [];
  let until = 0;
  for (let at = 0; at < data.length; at++) {
    let longest = 0;
    for (const form of forms) {
      if (data.subarray(at, at + form.length).equals(form)) longest = Math.max(longest, form.length);
    }
    if (longest > 0 && at >= until) out.push(Buffer.from(MASK));
    until = Math.max(until, longest > 0 ? at + longest : 0);
    if (at >= until) out.push(data.subarray(at, at + 1));
  }
  return Buffer.concat(out);
}

function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function text(value: Uint8Array): string {
  return new TextDecoder().decode(value);
}
