import fc from "fast-check";
import { expect, test } from "vitest";
import { isContent, readPatch } from "./patch";
import { sideBySide } from "./sides";

const shown = (patch: string) =>
  sideBySide(readPatch(patch)).map((row) =>
    row.kind === "full" ? row.line.text : [row.old?.text ?? null, row.new?.text ?? null],
  );

test("[W4] side by side what was removed stands beside what came in its place", () => {
  const patch = "@@ -1,5 +1,4 @@\n a\n-b\n-c\n-d\n+B\n\\ No newline at end of file\n e\n+f\n";
  expect(shown(patch)).toEqual([
    "lines 1–4",
    ["a", "a"],
    ["b", "B"],
    ["c", null],
    ["d", null],
    "No newline at end of file",
    ["e", "e"],
    [null, "f"],
  ]);
  expect(shown("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n")).toEqual([
    "line 1",
    ["a", "b"],
    "No newline at end of file",
  ]);
});

test("[W4] whatever a patch is made of, every line is there once on its side and in order", () => {
  const rows = fc.array(fc.constantFrom(" same", "-removed", "+added", "\\ No newline"), { maxLength: 30 });
  fc.assert(
    fc.property(rows, (texts) => {
      const old = texts.filter((text) => " -".includes(text[0] ?? "?")).length;
      const now = texts.filter((text) => " +".includes(text[0] ?? "?")).length;
      const lines = readPatch(`@@ -1,${old} +1,${now} @@\n${texts.join("\n")}\n`);
      const pairs = sideBySide(lines).filter((row) => row.kind === "pair");
      const kept = (kind: "removed" | "added") =>
        lines.filter((line) => isContent(line) && (line.kind === "same" || line.kind === kind));
      expect(pairs.flatMap((row) => row.old ?? [])).toEqual(kept("removed"));
      expect(pairs.flatMap((row) => row.new ?? [])).toEqual(kept("added"));
    }),
  );
});
