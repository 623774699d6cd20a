import { expect, test } from "vitest";
import { PROMPT_MAX_BYTES } from "../../../contract/common";
import { issuePrompt, issueTitle } from "./issue-text";

const ADDRESS = "https://github.com/acme/shop/issues/12";
const issue = { number: 12, id: 3_000_000_012, title: "Search for pets", body: "Dogs,\r\nand cats.\n" };
/** Half of a character. */
const HALF = /\p{Surrogate}/u;
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

test("[W4] a task says what its issue says, and links back; an issue without words says its title", () => {
  expect(issuePrompt(issue, ADDRESS, "claude-code")).toBe(`Dogs,\nand cats.\n\nIssue #12: ${ADDRESS}`);
  expect(issuePrompt({ ...issue, body: " \n" }, ADDRESS, null)).toBe(`Search for pets\n\nIssue #12: ${ADDRESS}`);
  expect(issuePrompt({ ...issue, title: "", body: "" }, ADDRESS, null)).toBe(`Issue #12\n\nIssue #12: ${ADDRESS}`);
});

test("[W4] a shell agent runs nothing of what somebody wrote in an issue", () => {
  const body = "Do:\n\n$(touch /tmp/x)\r\nrm -rf /\rreboot";
  const lines = issuePrompt({ ...issue, body }, ADDRESS, "shell").split("\n");
  expect(lines).toEqual(["# Do:", "# ", "# $(touch /tmp/x)", "# rm -rf / reboot", "", `# Issue #12: ${ADDRESS}`]);
});

test("[W4] a title is one line within a task's limit, and what cannot be stored is left out", () => {
  expect(issueTitle({ ...issue, title: " Search\u0000\tfor\r\npets \ud83d " })).toBe("Search for pets \ufffd");
  expect(issueTitle({ ...issue, title: "\u0000" })).toBe("Issue #12");
  const long = issueTitle({ ...issue, title: `${"x".repeat(9_998)}🐕🐈` });
  expect([long.length, long.endsWith("x…"), HALF.test(long)]).toEqual([9_999, true, false]);
  expect(issuePrompt({ ...issue, body: "a\u0000b\ud83d" }, ADDRESS, null)).toBe(`ab\ufffd\n\nIssue #12: ${ADDRESS}`);
});

test.each([null, "shell"] as const)(
  "[W4] a long issue is cut at a prompt's limit, and the text says so (%s)",
  (kind) => {
    const mark = kind === "shell" ? "# " : "";
    const whole = issuePrompt({ ...issue, body: "ü".repeat(1_900_000) }, ADDRESS, kind);
    expect(whole).toBe(`${mark}${"ü".repeat(1_900_000)}\n\n${mark}Issue #12: ${ADDRESS}`);
    const cut = issuePrompt({ ...issue, body: "x🐕".repeat(1_000_000) }, ADDRESS, kind);
    expect(bytesOf(cut)).toBeLessThanOrEqual(PROMPT_MAX_BYTES);
    expect(bytesOf(cut)).toBeGreaterThan(PROMPT_MAX_BYTES - 5);
    expect(HALF.test(cut)).toBe(false);
    expect(cut).not.toContain("\ufffd");
    const end = `\n\n${mark}[The issue is longer: the rest of it is left out here.]\n\n${mark}Issue #12: ${ADDRESS}`;
    expect(cut.endsWith(end)).toBe(true);
  },
);
