/** What an agent started and did not wait for, as people read it. The recordings are real: in both the turn ends while a command runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endedSentence, endedWithSession, waitsSentence } from "./background";
import type { StreamFormat } from "./events";
import { createLineReader } from "./lines";
import { NOTHING_SAID, summarize, usageOfSession, verdictOf } from "./summary";
import { addToTranscript, EMPTY_TRANSCRIPT } from "./transcript";

const linesOf = (name: string) =>
  readFileSync(join(import.meta.dirname, "streams", `${name}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");

function told(format: StreamFormat, lines: readonly string[]) {
  const reader = createLineReader(format);
  const events = [...reader.push(new TextEncoder().encode(lines.join("\n")), 0), ...reader.end()];
  const summary = events.reduce((sum, { event }) => summarize(sum, event), NOTHING_SAID);
  const { items } = addToTranscript(EMPTY_TRANSCRIPT, events);
  return {
    summary,
    usage: usageOfSession(summary, 0),
    verdict: verdictOf(summary, 0),
    notes: items.flatMap((item) => (item.kind === "note" ? item.text : [])),
    raw: items.filter((item) => item.kind === "raw"),
  };
}

const host = (camelot: string, running: readonly string[]) => JSON.stringify({ camelot, running });
const isResult = (line: string) => line.includes('"type":"result"');

describe("a turn that ends before what it started", () => {
  const lines = linesOf("claude-code.background");
  const first = lines.findIndex(isResult);
  const whole = [...lines.slice(0, first + 1), host("waiting", ["run tests"]), ...lines.slice(first + 1)];

  it("[A9] the card says what is waited for until the agent goes on", () => {
    const waiting = told("claude", whole.slice(0, first + 2));
    expect(waiting.summary.lastAction).toBe("Waits for what runs in the background: run tests");
    expect(waiting.raw).toEqual([]);
  });

  it("[A9][A4] two turns of one session: both are counted, once, and the last one's end is the session's", () => {
    const { usage, verdict, notes, raw } = told("claude", whole);
    expect(lines.filter(isResult)).toHaveLength(2);
    expect(usage).toMatchObject({ input: 3720, cachedInput: 900, output: 75, partial: false });
    expect(usage?.costUsd).toBeCloseTo(0.01668, 6);
    expect(usage?.conversationCostUsd).toBeCloseTo(0.01668, 6);
    expect(verdict).toEqual({ kind: "success" });
    expect(notes).toEqual([
      "Waits for what runs in the background: run tests",
      'Background command "run tests" completed (exit code 0)',
    ]);
    expect(raw).toEqual([]);
  });

  it("[A9] what a helper does meanwhile is no turn of the agent, so a session that ends then is still the success it reported", () => {
    const helper = { id: "t", name: "Bash", input: { command: "ls" }, type: "tool_use" };
    const message = { type: "assistant", parent_tool_use_id: "p", message: { id: "m", content: [helper] } };
    const until = [...whole.slice(0, first + 2), JSON.stringify(message)];
    expect(told("claude", until).verdict).toEqual({ kind: "silence", said: null });
    const { verdict, summary } = told("claude", [...until, host("ended", ["look around"])]);
    expect(verdict).toEqual({ kind: "success" });
    expect(endedWithSession(summary.lastAction)).toBe(
      "This still ran in the background and was ended with the session: look around",
    );
  });

  it("[A9] an error stays one, whatever still ran", () => {
    const failed = {
      type: "result",
      subtype: "success",
      is_error: true,
      result: "API Error: 500 x",
      api_error_status: 500,
    };
    const { verdict } = told("claude", [JSON.stringify(failed), host("ended", ["dev server"])]);
    expect(verdict).toMatchObject({ kind: "trouble", trouble: { error: "service" } });
  });

  it("[A9] Codex ends its turn as well, and begins none by itself: what was ended with the session is told", () => {
    const codex = linesOf("codex-app-server.background");
    const end = codex.findIndex((line) => line.includes('"turn/completed"'));
    expect(codex.slice(end + 1).filter((line) => line.includes('"turn/started"'))).toEqual([]);
    const { verdict, notes } = told("codex", [...codex.slice(0, end + 1), host("ended", ["npm run dev"])]);
    expect(verdict).toEqual({ kind: "success" });
    expect(notes).toEqual(["This still ran in the background and was ended with the session: npm run dev"]);
  });
});

describe("what is named", () => {
  it("[A9] long commands are cut, lines are joined, and of many the first are named", () => {
    expect(waitsSentence(["a\n  b", "x".repeat(300)])).toBe(
      `Waits for what runs in the background: a b, ${"x".repeat(99)}…`,
    );
    expect(endedSentence(["1", "2", "3", "4", "5", "6", "7"])).toMatch(/: 1, 2, 3, 4, 5, 2 more$/);
  });

  it("[A9] of what an agent did last, only that sentence says that something was ended", () => {
    expect(endedWithSession(null)).toBeNull();
    expect(endedWithSession("Done.")).toBeNull();
  });
});

it("[A9][B7] a command that the agent waits for is no news from the background, whatever else is told of it", () => {
  const ofTask = { task_id: "b", tool_use_id: "t", session_id: "s" };
  const started = { type: "system", subtype: "task_started", ...ofTask, is_backgrounded: false, description: "run it" };
  const ended = { type: "system", subtype: "task_notification", ...ofTask, status: "completed", summary: "run it" };
  const lines = (file: string) => [started, { ...ended, output_file: file }].map((line) => JSON.stringify(line));
  expect(told("claude", lines("")).notes).toEqual([]);
  expect(told("claude", lines("/tmp/b.output")).notes).toEqual(["run it"]);
});
