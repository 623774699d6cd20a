/** What a mask holds back while nothing more comes (A3, R6). */
import { expect, test } from "vitest";
import { createMasker } from "./masking";

const SECRET = 'wibble-Secret/Value+99 "x"';

/** Pushes each piece and settles after it; what came out by then. */
function shownAfter(pieces: readonly string[], secret = SECRET): string[] {
  const masker = createMasker([secret]);
  const decoder = new TextDecoder();
  let all = "";
  const steps = pieces.map((piece) => {
    all += decoder.decode(masker.push(new TextEncoder().encode(piece)), { stream: true });
    all += decoder.decode(masker.settle(), { stream: true });
    return all;
  });
  return [...steps, all + decoder.decode(masker.end())];
}

test("[A3][R6] a line is whole on the screen though its end may begin a secret in base64, and nothing is shown twice", () => {
  const base64 = btoa(SECRET);
  for (const letter of [...new Set(base64)]) {
    const line = `count: ${letter}\n`;
    expect(shownAfter([line, "next\n"])).toEqual([line, `${line}next\n`, `${line}next\n`]);
    expect(shownAfter([`${line.trim()}\r\n`, ""])[0]).toBe(`${line.trim()}\r\n`);
  }
});

test("[A3] of a secret that comes in pieces with long pauses only its first characters are shown, and the rest is masked", () => {
  for (const form of [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET), btoa(SECRET)]) {
    for (const pieces of [[...form], [form.slice(0, 1), form.slice(1)], [form.slice(0, 9), form.slice(9)]]) {
      const end = shownAfter(["key=", ...pieces, "; done\n"]).at(-1) ?? "";
      expect(end).toMatch(/^key=.{0,3}\*\*\*; done\n$/);
      expect(form.startsWith(end.slice(4, end.indexOf("***")))).toBe(true);
    }
  }
});

test("[A3] what looked like a secret and was none is shown once and whole, however long the pauses", () => {
  const text = "wib wibble-Secret/Value+98 wibb";
  expect(shownAfter([...text]).at(-1)).toBe(text);
});

test("[A3] a secret right behind another one is masked, pauses or not", () => {
  const twice = `${SECRET}${SECRET}.`;
  expect(shownAfter([twice.slice(0, 20), twice.slice(20)]).at(-1)).toBe("******.");
  for (let cut = 1; cut < twice.length; cut += 1) {
    const end = shownAfter([twice.slice(0, cut), twice.slice(cut)]).at(-1);
    expect(end).toMatch(/^(?:.{0,3}\*{3}|\*{3}.{0,3})\*{3}\.$/);
  }
});
