import { expect, test } from "vitest";
import type { ReviewCommentView } from "@/server/contract/pull-requests";
import { commentsToSend } from "./pull-request-message";

const comment: ReviewCommentView = {
  id: "line-1",
  author: "nora",
  url: "https://github.com/c",
  at: "2026-01-01T12:00:00.000Z",
  text: "Say six.",
  path: "five.txt",
  line: 3,
  quote: "a ``` fence",
};

test("[W5] comments of a pull request become a message: file and line, the line as it was read, who said what", () => {
  const gone = { ...comment, author: "omar", line: null, quote: "", text: "And here." };
  const whole = { ...comment, path: null, line: null, quote: "", text: "Nearly." };
  expect(commentsToSend(418, [comment, gone, whole])).toBe(
    [
      "Comments on pull request 418:",
      "### `five.txt:3` (nora)",
      "````\na ``` fence\n````",
      "Say six.",
      "### `five.txt`, changed since (omar)",
      "And here.",
      "### nora",
      "Nearly.",
    ].join("\n\n"),
  );
});
