/**
 * Real agents' recorded output, read. The recordings hold both directions (`dir`, `DIR`) and sometimes several programs one
 * after the other; a session's output is what one program wrote. Expected figures were read off the recordings by hand.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NumberedEvent, StreamFormat } from "./events";
import { createLineReader } from "./lines";
import { NOTHING_SAID, type Summary, summarize, usageOfSession, verdictOf } from "./summary";
import { addToTranscript, EMPTY_TRANSCRIPT, type TranscriptItem } from "./transcript";
import { usageFrom } from "./usage";

/** What each program of a recording wrote: `isFirst` tells where the next one begins. */
function recorded(name: string, isFirst: (line: string) => boolean = () => false): string[] {
  const lines = readFileSync(join(import.meta.dirname, "streams", `${name}.jsonl`), "utf8").split("\n");
  const runs: string[] = [""];
  for (const line of lines.filter((each) => each !== "")) {
    const { dir, DIR, ...message } = JSON.parse(line);
    if (dir === ">" || DIR === "in") continue;
    if (isFirst(line) && runs.at(-1) !== "") runs.push("");
    runs[runs.length - 1] += `${JSON.stringify(message)}\n`;
  }
  return runs;
}

const isHello = (line: string) => line.includes('"protocolVersion":1,') && line.includes('"result"');

function read(format: StreamFormat, output: string): NumberedEvent[] {
  const reader = createLineReader(format);
  return [...reader.push(new TextEncoder().encode(output), 0), ...reader.end()];
}

function told(format: StreamFormat, output: string) {
  const events = read(format, output);
  const summary = events.reduce<Summary>((sum, { event }) => summarize(sum, event), NOTHING_SAID);
  const { items } = addToTranscript(EMPTY_TRANSCRIPT, events);
  return { events, summary, items, usage: usageOfSession(summary, 0), verdict: verdictOf(summary, 0) };
}

const claude = (name: string) => told("claude", recorded(`claude-code.${name}`)[0] ?? "");
const acp = (name: string) => recorded(`acp.${name}`, isHello).map((output) => told("acp", output));
const shown = (items: readonly TranscriptItem[]) =>
  items.flatMap((item) => {
    if (item.kind === "agent") return item.text;
    if (item.kind === "tool") return `[${item.toolKind}] ${item.title} → ${item.status}`;
    return item.kind === "error" ? `! ${item.trouble.error}` : [];
  });

describe("Claude Code's stream", () => {
  it("[A4] a good run: messages, the tool with its result, tokens and cost as it reports them", () => {
    const { summary, items, usage, verdict } = claude("ok");
    expect(verdict).toEqual({ kind: "success" });
    expect(summary).toMatchObject({
      conversation: "198519b9-a8ea-414a-819b-d887ed8d6c96",
      agent: "claude-code",
      lastAction: "Done: I wrote hello.txt.",
    });
    expect(usage).toMatchObject({ input: 2480, cachedInput: 600, output: 50, costSource: "reported", partial: false });
    expect(usage?.costUsd).toBeCloseTo(0.01112, 6);
    expect(shown(items)).toEqual([
      "Step 1: write.",
      "[edit] Write $WORKTREE/hello.txt → done",
      "Done: I wrote hello.txt.",
    ]);
    expect(items.find((item) => item.kind === "tool")).toMatchObject({
      name: "Write",
      input: { content: "hello from the fake model\n" },
      output: expect.stringContaining("File created successfully"),
    });
  });

  it("[A4] pieces of messages lead to the same transcript and the same usage as whole messages", () => {
    const [inPieces, whole] = [claude("partial-messages"), claude("ok")];
    expect(shown(inPieces.items)).toEqual(shown(whole.items));
    expect(inPieces.usage).toEqual(whole.usage);
  });

  it("[A4][A5] a follow-up counts what it used itself, although the agent reports the whole conversation's cost", () => {
    const { usage, summary } = claude("resume");
    expect(usage).toMatchObject({ input: 1240, cachedInput: 300, output: 25, partial: false });
    expect(usage?.costUsd).toBeCloseTo(0.00556, 6);
    expect(usage?.conversationCostUsd).toBeCloseTo(0.01668, 6);
    expect(summary.conversation).toBe("198519b9-a8ea-414a-819b-d887ed8d6c96");
  });

  it("[A4] several turns of one program are added up, the one that was broken off included", () => {
    const { usage, verdict } = claude("bidirectional");
    // 6,000 + 200 written to the cache, as its own sum per model says.
    expect(usage).toMatchObject({ input: 6200, cachedInput: 1500, output: 142 });
    expect(usage?.costUsd).toBeCloseTo(0.02814, 6);
    expect(verdict).toEqual({ kind: "success" });
  });

  it("[A4] a login that failed is no result, although it says subtype success; unknown usage is not nothing", () => {
    const { verdict, items } = claude("error-401");
    expect(verdict).toMatchObject({ kind: "trouble", trouble: { error: "not-logged-in", status: 401 } });
    expect(items.map((item) => item.kind)).toEqual(["retry", "retry", "error"]);
  });

  it("[A4] a budget that is used up, a tool that was not allowed, and a run broken off in a tool are told apart", () => {
    const spent = claude("budget-exceeded");
    expect(spent.verdict).toMatchObject({ kind: "trouble", trouble: { error: "own-limit" } });
    expect(spent.usage).toMatchObject({ input: 2480, cachedInput: 600, output: 50 });
    const denied = claude("permission-denied");
    expect(denied.verdict).toEqual({ kind: "success" });
    expect(shown(denied.items)).toEqual(["Step 1: bash.", "[execute] npm --version → failed", "done"]);
    const cut = claude("sigint-during-tool");
    expect(cut.summary.end).toBe("cancelled");
    expect(cut.usage).toMatchObject({ input: 1240, cachedInput: 300, output: 25, partial: true });
  });
});

describe("usage in a row", () => {
  it("[A4] is read back as it was written, and what another release wrote is not guessed", () => {
    const { usage } = claude("ok");
    expect(usageFrom(JSON.parse(JSON.stringify(usage)))).toEqual(usage);
    expect(usageFrom({ input: 1, cachedInput: 2, output: 3 })).toMatchObject({ costUsd: null, costSource: "unknown" });
    for (const value of [null, {}, { input: "1", cachedInput: 2, output: 3 }, []]) expect(usageFrom(value)).toBeNull();
  });
});

describe("Codex's app-server", () => {
  it("[A4] its totals are those of the thread: what counts is how far they rose", () => {
    const { usage, summary, items, verdict } = told("codex", recorded("codex-app-server.session")[0] ?? "");
    expect(usage).toMatchObject({ input: 2480, cachedInput: 600, output: 50, costUsd: null, costSource: "unknown" });
    expect(summary).toMatchObject({ conversation: "01a228dc-e9e6-70f2-b1d5-8c8d1111f887", agent: "codex" });
    expect(verdict).toMatchObject({ kind: "trouble", trouble: { error: "refused", message: "fake 400" } });
    expect(shown(items)).toEqual(["Step 1: bash.", "one", "chunk 1 chunk 2 chunk 3 chunk 4 chunk 5 ", "! refused"]);
    expect(items.filter((item) => item.kind === "person")).toHaveLength(3);
  });

  it("[A4] of a thread that went on before, the earlier use is taken off", () => {
    const line = (total: number, last: number) =>
      `${JSON.stringify({
        method: "thread/tokenUsage/updated",
        params: {
          tokenUsage: {
            total: { inputTokens: total, cachedInputTokens: 0, outputTokens: total },
            last: { inputTokens: last, cachedInputTokens: 0, outputTokens: last },
          },
        },
      })}\n`;
    const turn = `${JSON.stringify({ method: "turn/started", params: {} })}\n`;
    expect(told("codex", turn + line(110, 10) + line(130, 20)).usage).toMatchObject({ input: 30, output: 30 });
    // Taken up again, it tells first what it had used before.
    expect(told("codex", line(100, 10) + turn + line(130, 30)).usage).toMatchObject({ input: 30, output: 30 });
  });
});

describe("agents that speak ACP", () => {
  it("[A4] Claude Code: per turn; the cost is the session's so far", () => {
    const [first, second] = acp("claude-agent-acp");
    expect(first?.usage).toMatchObject({ input: 6200, cachedInput: 1500, output: 125 });
    expect(second?.usage).toMatchObject({ input: 1240, cachedInput: 300, output: 25 });
    expect(first?.verdict).toMatchObject({ kind: "trouble", trouble: { error: "refused", status: 400 } });
  });

  it("[A4] Codex: an error that comes as a good end is found all the same", () => {
    const [first, second] = acp("codex-acp");
    expect(first?.verdict).toMatchObject({ kind: "trouble", trouble: { message: "fake 400" } });
    expect(second?.verdict).toEqual({ kind: "success" });
    // 3,720 + 1,240 + 1,240 of the four turns that told something; the one cut in its text told nothing.
    expect(first?.usage).toMatchObject({ input: 6200, cachedInput: 1500, output: 125, costSource: "unknown" });
  });

  it("[A4] opencode: tokens of the last call only, so they are partial; its cost is the session's, as far as it is this session's", () => {
    const [first, second] = acp("opencode");
    expect(first?.usage).toMatchObject({ input: 2480, cachedInput: 600, output: 50, partial: true });
    expect(first?.usage?.costUsd).toBeCloseTo(0.01674, 6);
    expect(second?.summary && usageOfSession(second.summary, 0.01674)?.costUsd).toBeCloseTo(0.004185, 6);
    expect(second?.summary && usageOfSession(second.summary, null)).toMatchObject({
      costUsd: null,
      costSource: "unknown",
    });
    expect(first?.verdict).toMatchObject({
      kind: "trouble",
      trouble: { message: expect.stringContaining("fake 400") },
    });
  });

  it("[A4] Gemini: the cache is not told, so all input counts as input; a lost conversation has its own error", () => {
    const [first, second] = acp("gemini-cli");
    expect(first?.usage).toMatchObject({ input: 6160, cachedInput: 0, output: 80, costUsd: null });
    expect(first?.verdict).toMatchObject({
      kind: "trouble",
      trouble: { error: "refused", status: 400, message: "fake 400" },
    });
    expect(second?.verdict).toMatchObject({ kind: "trouble", trouble: { error: "conversation-lost" } });
  });

  it("[A4] Qwen: call by call, with the cache counted into the input", () => {
    const [first, second] = acp("qwen-code");
    expect(second?.usage).toMatchObject({ input: 1240, cachedInput: 300, output: 25 });
    expect(first?.usage).toMatchObject({ input: 6200, cachedInput: 1500, output: 125 });
  });

  it("[A4] Copilot: its count grows until the program ends, and it says its errors in words only", () => {
    const [first] = acp("copilot");
    expect(first?.usage).toMatchObject({ input: 6200, cachedInput: 1500, output: 125 });
    expect(first?.verdict).toMatchObject({ kind: "trouble", trouble: { status: 400 } });
  });

  it("[A5] a history that is told again before the prompt stands in no transcript and costs nothing", () => {
    const history = recorded("acp.opencode", isHello)[0] ?? "";
    const begin = `${JSON.stringify({ camelot: "begin", conversation: "c-2" })}\n`;
    const again = recorded("acp.opencode", isHello)[1] ?? "";
    const both = told("acp", history + begin + again);
    expect(shown(both.items)).toEqual(["! refused", "resumed"]);
    expect(both.usage).toMatchObject({ input: 1240, cachedInput: 300, output: 25 });
    expect(both.summary.conversation).toBe("c-2");
  });
});
