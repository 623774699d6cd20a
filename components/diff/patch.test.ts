import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutDisguise } from "../ui/written";
import { readPatch } from "./patch";

const PATCH = `diff --git a/src/a.ts b/src/a.ts
old mode 100644
new mode 100755
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -8,4 +8,5 @@ export const filters = [
   flag("wifi", "Wi-Fi"),
-  flag("parking", "Parking"),
+  flag("parking-free", "Parking"),
+  flag("pets", "Pets"),
   range("price"),
 ]
@@ -20 +21 @@
---- a line of dashes
+++++ a line of plus signs
\\ No newline at end of file
`;

test("[W4][B7] a patch has numbers on both sides and heads in words", () => {
  const lines = readPatch(PATCH);
  expect(
    lines.map((line) => ("old" in line ? [line.kind, line.old, line.new, line.text] : [line.kind, line.text])),
  ).toEqual([
    ["head", "export const filters = [ · lines 8–12"],
    ["same", 8, 8, '  flag("wifi", "Wi-Fi"),'],
    ["removed", 9, null, '  flag("parking", "Parking"),'],
    ["added", null, 9, '  flag("parking-free", "Parking"),'],
    ["added", null, 10, '  flag("pets", "Pets"),'],
    ["same", 10, 11, '  range("price"),'],
    ["same", 11, 12, "]"],
    ["head", "line 21"],
    ["removed", 20, null, "--- a line of dashes"],
    ["added", null, 21, "++++ a line of plus signs"],
    ["remark", "No newline at end of file"],
  ]);
});

test("[W4] within a line that was replaced the differing words are marked, and no character is cut in two", () => {
  const changes = (one: string, other: string) =>
    readPatch(`@@ -1 +1 @@\n-${one}\n+${other}\n`).map((line) =>
      "changed" in line && line.changed !== null ? line.text.slice(...line.changed) : null,
    );
  expect(changes("const wait = 5", "const wait = 50")).toEqual([null, "", "0"]);
  expect(changes("retry(a)", "retry(b)")).toEqual([null, "a", "b"]);
  expect(changes("nothing", "alike")).toEqual([null, null, null]);
  expect(changes("say 👍 now", "say 👎 now")).toEqual([null, null, null]);
});

test("[W4] whatever stands in a patch, reading it never throws and loses no content line", () => {
  const content = fc.array(
    fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.replaceAll("\n", "")),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(content, (texts) => {
      const patch = `--- a/x\n+++ b/x\n@@ -0,0 +1,${texts.length} @@\n${texts.map((text) => `+${text}\n`).join("")}`;
      const lines = readPatch(patch);
      const added = lines.filter(({ kind }) => kind === "added").map(({ text }) => text);
      expect(added).toEqual(texts.map(withoutDisguise));
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (junk) => void readPatch(junk)));
});

test("[W4] where nothing is left, the head names the lines that were there", () => {
  const lines = readPatch("@@ -1,2 +0,0 @@\n-one\n-two\n");
  expect(lines[0]).toEqual({ kind: "head", text: "old lines 1–2" });
});

test("[W4][B12] letters that would turn a line's order are written out", () => {
  const lines = readPatch("@@ -1 +1 @@\n-a\n+if (ok) { \u202e} //\n");
  expect(lines[2]).toMatchObject({ text: "if (ok) { [U+202E]} //" });
});
