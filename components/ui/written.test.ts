import { expect, test } from "vitest";
import { directionOf, inOwnOrder, inSentence, withoutDisguise } from "./written";

const FORCED = ["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"];

test("[B12] a title cannot turn what stands around it", () => {
  expect(inOwnOrder("Pay \u202eevil\u202c now")).toBe("Pay evil now");
  expect(inOwnOrder(FORCED.join("")).length).toBe(0);
});

test("[B12] a name within a sentence is isolated where it could turn it, and the sentence keeps its direction", () => {
  expect(inSentence("עמר")).toBe("\u200e\u2068עמר\u2069");
  expect(inSentence("a\u2069 مرحبا \u202e")).toBe("\u200e\u2068a مرحبا \u2069");
  expect(inSentence("a\u200fb")).toBe("\u200e\u2068a\u200fb\u2069");
  for (const plain of ["", "Nora Feld", "main", "王 小明", "👩‍💻"]) expect(inSentence(plain)).toBe(plain);
});

test("[B12] a prompt shows where it forces a direction, so that it reads as it runs", () => {
  expect(withoutDisguise("if ok \u202e} // {")).toBe("if ok [U+202E]} // {");
  for (const letter of FORCED) expect(withoutDisguise(letter)).toMatch(/^\[U\+20[0-9A-F]{2}\]$/);
});

test("[B12] right-to-left text, joined emoji and combined letters stay as they are", () => {
  for (const text of ["שלום עולם", "مرحبا", "👩‍💻 e\u0301", "a\u200fb"]) {
    expect(inOwnOrder(text)).toBe(text);
    expect(withoutDisguise(text)).toBe(text);
  }
});

test("[B12] a long text's first letter tells its direction, without the browser reading all of it", () => {
  const long = "x".repeat(30_000);
  expect(["short", "שלום"].map(directionOf)).toEqual(["auto", "auto"]);
  expect([long, `12 … שלום ${long}`, `مرحبا${long}`, "1".repeat(30_000)].map(directionOf)).toEqual([
    "ltr",
    "rtl",
    "rtl",
    "ltr",
  ]);
});
