import { expect, test } from "vitest";
import { createStringEnds } from "./string-ends";

/** However the stream is cut. */
function mended(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const whole = createStringEnds().mend(bytes);
  const ends = createStringEnds();
  expect([...bytes].flatMap((byte) => [...ends.mend(Uint8Array.of(byte))])).toEqual([...whole]);
  return new TextDecoder().decode(whole);
}

test("[SEC-4] a string that never ends is ended where its line ends", () => {
  expect(mended("\u001b]8;;https://example.test/open\nstill there\n")).toBe(
    "\u001b]8;;https://example.test/open\u001b\\\nstill there\n",
  );
  for (const start of ["P", "X", "^", "_"]) expect(mended(`\u001b${start}x\ny`)).toBe(`\u001b${start}x\u001b\\\ny`);
});

test("[SEC-4][B7] what is whole stays as it is", () => {
  for (const text of [
    "plain\ntext ☃\n",
    "\u001b]0;title\u0007 after\n",
    "\u001b]8;;https://a.test\u001b\\link\u001b]8;;\u001b\\\n",
    "\u001b[31mred\n\u001b[0m",
    "\u001b\n",
    "\u001b\u001b[1m\n",
    "",
  ]) {
    expect(mended(text)).toBe(text);
  }
});
