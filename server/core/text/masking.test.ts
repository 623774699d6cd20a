import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMasker, MASK, maskText } from "./masking";
import { type Form, formsOfSecrets } from "./secret-forms";

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

  it("[A3] masks whatever mixture of escapes a program chose for each character", () => {
    const secret = "pässword/with+slash=9";
    for (const written of [
      "p%C3%A4ssword/with%2Bslash%3D9",
      "p%c3%A4ssword%2Fwith+slash=9",
      "p\\u00e4ssword\\/with+slash=9",
      "p\\u00E4ssword/with\\u002bslash=9",
      "p\\\\u00e4ssword\\\\\\/with+slash=9",
    ]) {
      expect(maskText(`<${written}>`, [secret]), written).toBe(`<${MASK}>`);
    }
    expect(maskText("<p%C3%A4ssword/with%2Bslash%3D8>", [secret])).toBe("<p%C3%A4ssword/with%2Bslash%3D8>");
    expect(maskText('{"a":"\\ud83d\\uDE00 and \\"more\\""}', ['😀 and "more"'])).toBe(`{"a":"${MASK}"}`);
  });

  it("[A3] masks base64 that was wrapped into lines, wherever the secret begins in it", () => {
    const secret = "0123456789-abcdefghij/".repeat(5).slice(0, 98);
    for (const before of ["", "u", "us", "user:".repeat(20)]) {
      const encoded = Buffer.from(before + secret).toString("base64");
      for (const [width, end] of [
        [76, "\n"],
        [64, "\r\n"],
        [76, "\\n"],
        [61, "\n"],
      ] as const) {
        const wrapped = (encoded.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(end);
        const masked = maskText(`<${wrapped}>`, [secret]);
        expect(masked).toContain(MASK);
        const known = Math.ceil((before.length * 8) / 6);
        expect(masked.replace(MASK, "").replaceAll(end, "").length, masked).toBeLessThanOrEqual(known + 6);
      }
    }
  });

  it("[A3] masks a secret in any writing, whatever is around it and however the stream is cut", () => {
    const letters = fc.constantFrom(...'aB9/+="\\ é😀\n~%&');
    const secret = fc.string({ unit: letters, minLength: 8, maxLength: 40 }).filter((one) => one.trim().length >= 8);
    const choices = fc.array(fc.nat(), { minLength: 7, maxLength: 60 });
    fc.assert(
      fc.property(
        secret,
        choices,
        fc.nat(2),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (...given) => {
          const [value, choose, kind, cuts] = given;
          const written = [inJson, inUrl, inBase64][kind]?.(value, choose) ?? "";
          const stream = bytes(`<${written}>`);
          const masked = text(maskedInPieces(stream, [value], cuts));
          // Base64 in the middle of something keeps what it shares with its neighbours: a letter or two.
          if (kind < 2) expect(masked, written).toBe(`<${MASK}>`);
          else expect(masked.replace(/[\r\n]/g, ""), written).toMatch(/^<[\w+/-]{0,6}\*{3}[\w+/=-]{0,6}>$/);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("[A3] masks the same however the stream is cut, and exactly what the law says", () => {
    const letters = fc.constantFrom("a", "b", "c", "é", '"', "/");
    const secret = fc.string({ unit: letters, minLength: 8, maxLength: 12 });
    const noise = fc.string({ unit: letters, maxLength: 20 });
    const piece = fc.tuple(noise, fc.nat(), fc.boolean(), fc.array(fc.nat(), { minLength: 5, maxLength: 15 }));
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(piece, { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        (secrets, pieces, cuts) => {
          const stream = Buffer.concat(
            pieces.flatMap(([text, pick, isCut, choose]) => {
              const value = secrets[pick % secrets.length] ?? "";
              const written = Buffer.from([inJson, inUrl, inBase64, String][pick % 4]?.(value, choose) ?? "");
              return [bytes(text), isCut ? written.subarray(0, pick % written.length) : written];
            }),
          );
          const masked = maskedInPieces(stream, secrets, cuts);
          expect(text(masked)).toBe(text(maskedByUnion(stream, formsOfSecrets(secrets))));
        },
      ),
      { numRuns: 100 },
    );
  });

  it("[A3] holds back fewer bytes than the longest writing has", () => {
    const masker = createMasker([SECRET]);
    const beginning = Buffer.from(SECRET).subarray(0, 5);
    // Of a character in base64: a line's end escaped twice, and the letter as a JSON escape escaped twice.
    const longest = Buffer.from(SECRET).toString("base64").length * 15;
    let given = 0;
    let got = 0;
    for (let i = 0; i < 1000; i++) {
      given += beginning.length;
      got += masker.push(beginning).length;
      expect(given - got).toBeLessThanOrEqual(beginning.length);
      expect(given - got).toBeLessThan(longest);
    }
  });
});

function maskedInPieces(stream: Uint8Array, secrets: readonly string[], cuts: readonly number[]): Uint8Array {
  const masker = createMasker(secrets);
  const out: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < stream.length; turn++) {
    const size = cuts[turn % cuts.length] ?? 1;
    out.push(masker.push(stream.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...out, masker.end()]);
}

const pickOf = (choose: readonly number[], at: number, of: readonly string[]): string =>
  of[(choose[at % choose.length] ?? 0) % of.length] ?? "";

/** JSON strings as encoders write them: each character in one of the ways that JSON allows. */
function inJson(secret: string, choose: readonly number[]): string {
  return [...secret]
    .map((char, at) => {
      const strict = JSON.stringify(char).slice(1, -1);
      const units = char.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
      const [small, large] = [units, units.map((unit) => unit.toUpperCase())].map((all) =>
        all.map((unit) => `\\u${unit}`).join(""),
      );
      return pickOf(choose, at, [strict, small ?? "", large ?? "", char === "/" ? "\\/" : strict]);
    })
    .join("");
}

function inUrl(secret: string, choose: readonly number[]): string {
  return [...secret]
    .map((char, at) => {
      const codes = [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
      const plain = /[&%"\\]/.test(char) ? codes : char;
      return pickOf(choose, at, [codes, codes.toUpperCase(), char === " " ? "+" : plain]);
    })
    .join("");
}

function inBase64(secret: string, choose: readonly number[]): string {
  const [before = 0, kind = 0, after = 0, width = 0, end = 0] = choose;
  const around = Buffer.from("u".repeat(before % 3) + secret + "v".repeat(after % 3));
  const encoded = around.toString(kind % 2 === 0 ? "base64" : "base64url");
  const lines = encoded.match(new RegExp(`.{1,${4 + (width % 80)}}`, "g")) ?? [];
  return lines.join(end % 2 === 0 ? "\n" : "\r\n");
}

/** The law in its slow and obvious form: find every occurrence, join those that overlap, write one mask for each. */
function maskedByUnion(data: Buffer, forms: readonly Form[]): Buffer {
  const out: Buffer[] = [];
  let until = 0;
  for (let at = 0; at < data.length; at++) {
    const end = Math.max(0, ...forms.flatMap((form) => endsOf(data, at, form)));
    if (end > 0 && at >= until) out.push(Buffer.from(MASK));
    until = Math.max(until, end);
    if (at >= until) out.push(data.subarray(at, at + 1));
  }
  return Buffer.concat(out);
}

/** Where the form may end when it begins here, character by character. */
function endsOf(data: Buffer, at: number, form: Form): number[] {
  let places = [at];
  for (const writings of form) {
    const all = [...writings.values()].flat();
    const next = places.flatMap((place) =>
      all
        .filter(({ bytes, orBytes }) => {
          const there = data.subarray(place, place + bytes.length);
          return there.length === bytes.length && there.every((byte, n) => byte === bytes[n] || byte === orBytes[n]);
        })
        .map(({ bytes }) => place + bytes.length),
    );
    if (next.length === 0) return [];
    places = [...new Set(next)];
  }
  return places;
}

function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function text(value: Uint8Array): string {
  return new TextDecoder().decode(value);
}
