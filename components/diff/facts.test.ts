import { expect, test } from "vitest";
import type { DiffFile } from "@/server/contract/tasks";
import { endingsFact, factsOf, shownName, titleOf } from "./facts";
import { readPatch } from "./patch";

const file = (change: Partial<DiffFile>): DiffFile => ({
  path: "a",
  oldPath: null,
  status: "modified",
  isBinary: false,
  additions: 0,
  deletions: 0,
  patch: null,
  isCut: false,
  ...change,
});
const head = (...rows: string[]) => ["diff --git a/a b/a", ...rows, ""].join("\n");

test("[W4] renamed, binary, executable, link, submodule, change of kind and LFS pointer are each said in a word", () => {
  const hash = "1111111..2222222";
  const facts = (change: Partial<DiffFile>) => factsOf(file(change));
  expect(facts({ patch: head(`index ${hash} 100644`, "@@ -1 +1 @@", "-old mode 100755", "+new mode 100644") })).toEqual(
    [],
  );
  expect(facts({ status: "renamed", oldPath: "b", patch: head("similarity index 100%") })).toEqual(["renamed"]);
  expect(facts({ status: "added", isBinary: true })).toEqual(["added", "binary"]);
  const mode = head("old mode 100644", "new mode 100755");
  expect(facts({ status: "mode-changed", patch: mode })).toEqual(["file → executable"]);
  expect(facts({ status: "added", patch: head("new file mode 120000") })).toEqual(["added", "symbolic link"]);
  expect(facts({ patch: head(`index ${hash} 160000`, "@@ -1 +1 @@") })).toEqual(["submodule"]);
  const turned = `${head("deleted file mode 100644", "@@ -1 +0,0 @@", "-x")}${head("new file mode 120000", "@@ -0,0 +1 @@")}`;
  expect(facts({ patch: turned })).toEqual(["file → symbolic link"]);
  const pointer = `${head("new file mode 100644")}@@ -0,0 +1 @@\n+version https://git-lfs.github.com/spec/v1\n`;
  expect(facts({ status: "added", patch: pointer })).toEqual(["added", "LFS pointer"]);
});

test.each([
  ["-one\r\n-two\r\n+one\n+two\n", "line endings CRLF → LF"],
  ["-one\n-two\n+one\r\n+two\r\n", "line endings LF → CRLF"],
  ["-one\r\n-two\n\\ No newline at end of file\n+one\n+2\n", "line endings CRLF → LF"],
  ["-one\r\n-two\r\n+1\r\n+2\r\n", null],
  ["-one\r\n-two\n+1\n+2\n", null],
])("[W4] a change of line endings, which nobody sees, is said: %j", (changed, said) => {
  expect(endingsFact(readPatch(`@@ -1,2 +1,2 @@\n${changed}`))).toBe(said);
});

test("[W4] lines that are only added have no endings before", () => {
  expect(endingsFact(readPatch("@@ -1,0 +1 @@\n+one\r\n"))).toBeNull();
});

test("[W4][B12] a file's name shows what cannot be seen", () => {
  expect(shownName("src/💥 plain.ts")).toBe("src/💥 plain.ts");
  expect(shownName("a\tb\u202egnp.exe\u0000")).toBe("a\\u0009b\\u202egnp.exe\\u0000");
  expect(titleOf({ oldPath: "new\nline", path: "line" })).toBe("new\\u000aline → line");
});
