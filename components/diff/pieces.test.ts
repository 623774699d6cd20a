import fc from "fast-check";
import { expect, test } from "vitest";
import { type ContentLine, readPatch } from "./patch";
import { piecesOf } from "./pieces";
import { colourLines } from "./syntax";

const coloursOf = (path: string, patch: string) => colourLines(path, readPatch(patch), () => false);

test("[W4] code has colours by its language, each side read as a whole", async () => {
  const patch = "@@ -1,3 +1,3 @@\n /* a\n-const b = 1\n+const b = 'x'\n */ let c = `d`\n";
  const colours = await coloursOf("src/a.ts", patch);
  const named = [...colours].map(([line, pieces]) =>
    pieces.map(({ from, to, name }) => [line.text.slice(from, to), name]),
  );
  // What stands between the marks of a comment is comment, not code.
  expect(named).toEqual([
    [["/* a", "comment"]],
    [["const b = 1", "comment"]],
    [
      ["*/", "comment"],
      ["let", "keyword"],
      ["`d`", "string"],
    ],
    [["const b = 'x'", "comment"]],
  ]);
  expect((await coloursOf("notes.unknown", patch)).size).toBe(0);
  expect((await coloursOf("toString", patch)).size).toBe(0);
});

test("[W4] a line that would take long stays plain, and its neighbours do not", async () => {
  const colours = await coloursOf("a.js", `@@ -0,0 +1,2 @@\n+let a = "${"x".repeat(5_000)}"\n+let b = 1\n`);
  expect([...colours.values()].map((pieces) => pieces.length)).toEqual([0, 2]);
});

test("[W4] however colours and changed words overlap, the pieces together are the line", () => {
  const places = fc.array(fc.nat(20), { maxLength: 8 });
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), places, fc.tuple(fc.nat(20), fc.nat(20)), (text, ends, range) => {
      const sorted = [...new Set(ends.filter((end) => end <= text.length))].sort((one, other) => one - other);
      const coloured = sorted.slice(1).map((to, place) => ({ from: sorted[place] ?? 0, to, name: "string" as const }));
      const [one, other] = range.map((end) => Math.min(end, text.length));
      const changed = [Math.min(one ?? 0, other ?? 0), Math.max(one ?? 0, other ?? 0)] as const;
      const line: ContentLine = { kind: "added", old: null, new: 1, text, changed };
      const pieces = piecesOf(line, coloured);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      const marked = pieces.filter(({ isChanged }) => isChanged).map((piece) => piece.text);
      expect(marked.join("")).toBe(text.slice(...changed));
    }),
  );
});
