/** What is said to an agent while it works, and calls of the model that were cut: told once, and counted for what they are. */
import { describe, expect, it } from "vitest";
import type { StreamFormat } from "./events";
import { createLineReader, readLine } from "./lines";
import { NOTHING_SAID, summarize, usageOfSession } from "./summary";
import { addToTranscript, EMPTY_TRANSCRIPT } from "./transcript";

function told(format: StreamFormat, ...messages: object[]) {
  const reader = createLineReader(format);
  const output = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const events = [...reader.push(new TextEncoder().encode(output), 0), ...reader.end()];
  const { items } = addToTranscript(EMPTY_TRANSCRIPT, events);
  return {
    said: items.flatMap((item) =>
      item.kind === "person" || item.kind === "agent" ? [`${item.kind}: ${item.text}`] : [],
    ),
    usage: usageOfSession(
      events.reduce((sum, { event }) => summarize(sum, event), NOTHING_SAID),
      0,
    ),
  };
}

const begin = { camelot: "begin", conversation: "t1" };
const order = (text: string) => ({ camelot: "message", text });
const turn = { method: "turn/started", params: {} };
const person = (id: string, text: string) => ({
  method: "item/completed",
  params: { item: { type: "userMessage", id, content: [{ type: "text", text }] } },
});
const piece = (itemId: string, delta: string) => ({ method: "item/agentMessage/delta", params: { itemId, delta } });
const words = (id: string, text: string) => ({
  method: "item/completed",
  params: { item: { type: "agentMessage", id, text } },
});
const command = (method: string, status: string) => ({
  method,
  params: { item: { type: "commandExecution", id: "c", command: "npm test", status, exitCode: 0 } },
});
const counted = (calls: number) => {
  const of = (count: number) => ({
    inputTokens: 1540 * count,
    cachedInputTokens: 300 * count,
    outputTokens: 25 * count,
  });
  return { method: "thread/tokenUsage/updated", params: { tokenUsage: { total: of(calls), last: of(1) } } };
};
const end = { method: "turn/completed", params: { turn: { status: "completed" } } };

describe("what is said to an agent that works", () => {
  it("[B7] stands in its transcript once, although Codex tells again what it was told", () => {
    const { said } = told(
      "codex",
      ...[begin, turn, person("p1", "do it"), piece("a", "One "), order("and tests"), person("p2", "and tests")],
      ...[words("b", "Both."), order("and tests"), person("p3", "and tests"), counted(1), end],
    );
    expect(said).toEqual(["person: do it", "agent: One ", "person: and tests", "agent: Both.", "person: and tests"]);
  });

  it("[B7] stands there once as well when several messages waited and became one prompt", () => {
    const { said } = told("codex", ...[begin, turn, order("one"), order("two"), person("p", "one\n\ntwo"), end]);
    expect(said).toEqual(["person: one", "person: two"]);
    const own = told("codex", ...[begin, turn, order("one"), person("p", "something else"), end]);
    expect(own.said).toEqual(["person: one", "person: something else"]);
  });

  it("[A4] breaks off Codex's call of the model, which is in no count: more was used than is known", () => {
    const cut = told(
      "codex",
      ...[begin, turn, person("p1", "do it"), piece("a", "One "), order("more"), person("p2", "more")],
      ...[words("b", "Both."), counted(1), end],
    );
    expect(cut.usage).toMatchObject({ input: 1240, cachedInput: 300, output: 25, partial: true });
    const between = told(
      "codex",
      ...[begin, turn, person("p1", "do it"), command("item/started", "inProgress"), counted(1), order("more")],
      ...[person("p2", "more"), command("item/completed", "completed"), words("b", "Both."), counted(2), end],
    );
    expect(between.usage).toMatchObject({ input: 2480, partial: false });
  });
});

describe("a conversation", () => {
  const summaryOf = (agentCapabilities: object | undefined) => {
    const lines = [
      { id: 1, result: { protocolVersion: 1, agentCapabilities } },
      { id: 2, result: { sessionId: "s1" } },
    ];
    const events = [...lines, begin].flatMap((line) => readLine("acp", JSON.stringify(line)));
    const { conversation, canContinue } = events.reduce(summarize, NOTHING_SAID);
    return [conversation, canContinue];
  };

  it("[A5] can be gone on with where the agent loads or resumes one, and not where it says that it does neither", () => {
    const begun = begin.conversation;
    expect(summaryOf({ loadSession: true })).toEqual([begun, true]);
    expect(summaryOf({ sessionCapabilities: { resume: {} } })).toEqual([begun, true]);
    expect(summaryOf({ loadSession: false })).toEqual([begun, false]);
    expect(summaryOf(undefined)).toEqual([begun, null]);
  });
});

describe("a question of ACP", () => {
  it("[R12][B7] shows the change that it asks permission for, which becomes the call's", () => {
    const content = [{ type: "diff", path: "/w/hello.txt", oldText: "", newText: "hi\n" }];
    const toolCall = { toolCallId: "t1", status: "pending", title: "Writing to hello.txt", kind: "edit", content };
    const done = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" };
    const lines = [
      { id: 0, method: "session/request_permission", params: { options: [], toolCall } },
      { camelot: "question", id: "q", text: "Writing to hello.txt", options: ["Allow"] },
      { method: "session/update", params: { update: done } },
    ];
    const events = lines.flatMap((line) => readLine("acp", JSON.stringify(line)));
    const { items } = addToTranscript(
      EMPTY_TRANSCRIPT,
      events.map((event, n) => ({ n: n + 1, event })),
    );
    expect(items).toMatchObject([
      {
        kind: "tool",
        title: "Writing to hello.txt",
        status: "done",
        output: "",
        input: { edits: [{ new_string: "hi\n" }] },
      },
      { kind: "question", text: "Writing to hello.txt" },
    ]);
  });
});

describe("a call of the model that was cut", () => {
  const retry = (status: number | null) => ({ type: "system", subtype: "api_retry", attempt: 1, error_status: status });
  const result = (usage: object, costUsd: number, more: object) => ({
    type: "result",
    subtype: "success",
    usage,
    total_cost_usd: costUsd,
    ...more,
  });
  const cut = { is_error: true, result: "API Error: Connection closed mid-response" };
  const nothing = { input_tokens: 0, output_tokens: 0 };
  const some = { input_tokens: 1200, cache_creation_input_tokens: 40, cache_read_input_tokens: 300, output_tokens: 25 };

  it("[A4] leaves its cost unknown, never 0, where Claude Code counts nothing", () => {
    const unknown = { input: 0, output: 0, costUsd: null, costSource: "unknown", partial: true };
    expect(told("claude", retry(null), result(nothing, 0, cut)).usage).toMatchObject(unknown);
    expect(told("claude", result(nothing, 0, cut)).usage).toMatchObject(unknown);
  });

  it("[A4] is missing in what was counted, also where it was tried again and went well", () => {
    const known = { input: 1240, cachedInput: 300, output: 25, costUsd: 0.006, partial: true };
    expect(told("claude", retry(null), result(some, 0.006, cut)).usage).toMatchObject(known);
    expect(told("claude", retry(null), result(some, 0.006, {})).usage).toMatchObject(known);
  });

  it("[A4] is none that the service refused: that took nothing", () => {
    const refused = {
      is_error: true,
      result: "Failed to authenticate. API Error: 401 fake 401",
      api_error_status: 401,
    };
    expect(told("claude", retry(401), result(nothing, 0, refused)).usage).toMatchObject({ costUsd: 0, partial: false });
  });
});
