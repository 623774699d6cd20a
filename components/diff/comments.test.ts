import { beforeEach, expect, test, vi } from "vitest";
import { toldOf, withComments } from "./comment-message";
import { beginComment, changeComment, changeComments, readComments, removeComments } from "./comment-store";
import { followLines, type LineComment, placeOf } from "./comments";
import { isContent, readPatch } from "./patch";

const PATCH = "@@ -1,2 +1,3 @@\n one();\n-two();\n+three();\n+}\n";
const comment = (change: Partial<LineComment>): LineComment => ({
  id: "1",
  path: "a.ts",
  side: "new",
  line: 2,
  quote: "three();",
  text: "Why?",
  draft: null,
  isGone: false,
  ...change,
});

beforeEach(() => {
  localStorage.clear();
  removeComments(
    "t",
    readComments("t").map(({ id }) => id),
  );
});

test("[W5] a comment stands on the new line, on the old one only where that was removed, and quotes it", () => {
  const places = readPatch(PATCH)
    .filter(isContent)
    .map((line) => placeOf("a.ts", line));
  expect(places.map(({ side, line, quote }) => [side, line, quote])).toEqual([
    ["new", 1, "one();"],
    ["old", 2, "two();"],
    ["new", 2, "three();"],
    ["new", 3, "}"],
  ]);
});

test("[W5] after a new session a comment goes where its line went, or says that it is gone, and comes back with it", () => {
  const follow = (change: Partial<LineComment>, patch: string | null | undefined) =>
    followLines([comment(change)], () => (typeof patch === "string" ? readPatch(patch) : patch))[0];
  expect(follow({}, PATCH)).toEqual(comment({}));
  expect(follow({}, "@@ -1 +1,4 @@\n one();\n+x\n+y\n+three();\n")).toEqual(comment({ line: 4 }));
  expect(follow({ line: 4 }, "@@ -1 +1,9 @@\n+three();\n a\n a\n a\n+three();\n a\n a\n a\n a\n")?.line).toBe(5);
  expect(follow({}, "@@ -1 +1 @@\n-three();\n+else();\n")).toEqual(comment({ isGone: true }));
  expect(follow({}, null)).toEqual(comment({ isGone: true }));
  expect(follow({ isGone: true }, PATCH)).toEqual(comment({}));
  // A bracket is everywhere: another one is not the same line.
  expect(follow({ line: 9, quote: "}" }, PATCH)?.isGone).toBe(true);
  expect(follow({ line: 3, quote: "}" }, PATCH)?.isGone).toBe(false);
  const all = [comment({})];
  expect(followLines(all, () => undefined)).toBe(all);
});

test("[W5] comments survive a reload per task, and another tab's are seen", async () => {
  const place = { path: "a.ts", side: "new", line: 2, quote: "three();" } as const;
  expect(beginComment("t", place)).toBeNull();
  const id = readComments("t")[0]?.id ?? "";
  expect(changeComment("t", id, { text: "Why?", draft: null })).toBeNull();
  vi.resetModules();
  const reloaded = await import("./comment-store");
  expect(reloaded.readComments("t")).toMatchObject([{ ...place, text: "Why?" }]);
  expect(reloaded.readComments("other")).toEqual([]);
  // A second press on the line opens the same one.
  reloaded.beginComment("t", place);
  expect(reloaded.readComments("t")).toMatchObject([{ id, draft: "Why?" }]);
  localStorage.setItem("camelot.comments.other", '[{"id":7},"junk"]');
  vi.resetModules();
  expect((await import("./comment-store")).readComments("other")).toEqual([]);
});

test("[W5] more than a task's comments can hold is refused in a sentence and changes nothing; shortening always works", () => {
  const big = Array.from({ length: 20 }, (_, place) =>
    comment({ id: `${place}`, line: place, text: "x".repeat(9_000) }),
  );
  expect(changeComments("t", () => big)).toBeNull();
  expect(changeComments("t", (all) => [...all, ...big])).toMatch(/more than the comments of one task can hold/);
  expect(readComments("t")).toHaveLength(20);
  removeComments("t", ["3"]);
  expect(readComments("t")).toHaveLength(19);
});

test("[W5] the agent reads file and line, the quoted line and the comment, in order and as plain Markdown", () => {
  const comments = [
    comment({ path: "b.ts", line: 9, text: "Add jitter.\nPlease." }),
    comment({ line: 30, quote: "a ```b``` c", isGone: true }),
    comment({ line: 4, side: "old", quote: "gone();", text: "Keep it." }),
    comment({ text: "", draft: "not finished" }),
    comment({ path: "odd`\nname", line: 1, quote: "", text: "Rename." }),
  ];
  expect(withComments("Nearly there.  ", comments, "claude-code")).toBe(
    [
      "Nearly there.",
      "Comments on lines of the diff:",
      "### `a.ts:4` (removed line)",
      "```\ngone();\n```",
      "Keep it.",
      "### `a.ts:30` (not in the diff any more)",
      "````\na ```b``` c\n````",
      "Why?",
      "### `b.ts:9`",
      "```\nthree();\n```",
      "Add jitter.\nPlease.",
      '### `` "odd`\\nname":1 ``',
      "```\n\n```",
      "Rename.",
    ].join("\n\n"),
  );
  expect(withComments(" ", comments.slice(0, 1), null)).toBe(toldOf(comments.slice(0, 1)));
  expect(withComments("Only this.", [], "codex")).toBe("Only this.");
});

test("[W5][A2] for a shell agent, which runs its message, comments are comments of the script", () => {
  const nasty = comment({ quote: "$(rm -rf x)", text: "`touch y`\r\necho z" });
  const script = withComments("echo done", [nasty], "shell");
  expect(script.endsWith("\n\necho done")).toBe(true);
  const lines = script.split("\n");
  expect(lines.slice(0, -2).every((line) => line.startsWith("# "))).toBe(true);
});
