/** Whoever writes a stream may write any number into it: what becomes ours can be believed, or is unknown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StreamFormat } from "./events";
import { COST_MAX_USD, TOKENS_MAX } from "./figures";
import { readLine } from "./lines";
import { NOTHING_SAID, type Summary, summarize, usageOfSession, verdictOf } from "./summary";
import { limitUntil } from "./trouble";
import { type Usage, usageFrom } from "./usage";

function summaryOf(format: StreamFormat, lines: readonly string[]): Summary {
  const events = lines.flatMap((line) => readLine(format, line));
  return events.reduce<Summary>(summarize, NOTHING_SAID);
}

const usageOf = (format: StreamFormat, ...messages: readonly object[]) =>
  usageOfSession(
    summaryOf(
      format,
      messages.map((message) => JSON.stringify(message)),
    ),
    0,
  );

const acpTurn = (usage: object) => ({ jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn", usage } });
const acpCost = (amount: unknown) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "usage_update", cost: { amount, currency: "USD" } } },
});
const codexCount = (total: object, last: object) => ({
  method: "thread/tokenUsage/updated",
  params: { tokenUsage: { total, last } },
});
const claudeResult = (usage: object, cost: unknown) => ({
  type: "result",
  subtype: "success",
  usage,
  total_cost_usd: cost,
});

/** As text, so that a number may be one that JSON holds and no program does. */
const ANY_FIGURE = [
  ...["0", "1", "1240", "0.5", "-3", "-0.01", "1e12", "1.0001e12", "1e30", "1e308", "1e999", "-1e999"],
  ...['"x"', "null", "true", "[]", "{}"],
];

function isBelievable({ input, cachedInput, output, costUsd, conversationCostUsd }: Usage): boolean {
  const isWithin = (figure: number, max: number) => Number.isFinite(figure) && figure >= 0 && figure <= max;
  const costs = [costUsd, conversationCostUsd].filter((cost) => cost !== null);
  return (
    [input, cachedInput, output].every((tokens) => isWithin(tokens, TOKENS_MAX)) &&
    costs.every((cost) => isWithin(cost, COST_MAX_USD))
  );
}

describe("figures that agents tell", () => {
  it("[A4] whatever numbers a stream holds, in whatever order, what is kept is unknown or can be believed", () => {
    const figure = fc.constantFrom(...ANY_FIGURE);
    const line = fc.tuple(fc.nat(5), figure, figure, figure, figure, figure).map(([which, a, b, c, d, e]) => {
      const lines = [
        `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","usage":{"inputTokens":${a},"outputTokens":${b},"cachedReadTokens":${c},"cachedWriteTokens":${b},"thoughtTokens":${d},"totalTokens":${e}}}}`,
        `{"method":"session/update","params":{"update":{"sessionUpdate":"usage_update","cost":{"amount":${a},"currency":"USD"}}}}`,
        `{"method":"thread/tokenUsage/updated","params":{"tokenUsage":{"total":{"inputTokens":${a},"cachedInputTokens":${b},"outputTokens":${c}},"last":{"inputTokens":${d},"outputTokens":${e}}}}}`,
        '{"method":"turn/started","params":{}}',
        `{"type":"result","subtype":"success","usage":{"input_tokens":${a},"output_tokens":${b}},"total_cost_usd":${c},"model_usage_since_last_result":{"m":{"inputTokens":${d},"costUSD":${e}}}}`,
        `{"type":"stream_event","api_message_id":"m","event":{"type":"message_delta","usage":{"input_tokens":${a},"output_tokens":${b}}}}`,
      ];
      return lines[which] ?? "";
    });
    const format = fc.constantFrom<StreamFormat>("claude", "codex", "acp");
    const earlier = fc.constantFrom(null, 0, 0.5, COST_MAX_USD);
    fc.assert(
      fc.property(format, fc.array(line, { maxLength: 12 }), earlier, (known, lines, cost) => {
        const usage = usageOfSession(summaryOf(known, lines), cost);
        expect(usage === null || isBelievable(usage), JSON.stringify(usage)).toBe(true);
        // What goes into the row comes out of it.
        expect(usageFrom(JSON.parse(JSON.stringify(usage)))).toEqual(usage);
      }),
      { numRuns: 500 },
    );
  });

  it("[A4] a count with one absurd part is not believed in the others; beside an honest one the sum is partial", () => {
    const absurd = acpTurn({ inputTokens: -3, outputTokens: 1e30, totalTokens: "x" });
    expect(usageOf("acp", absurd)).toBeNull();
    const honest = acpTurn({ inputTokens: 1_240, outputTokens: 25 });
    expect(usageOf("acp", honest)).toMatchObject({ input: 1_240, output: 25, partial: false });
    expect(usageOf("acp", honest, absurd)).toMatchObject({ input: 1_240, output: 25, partial: true });
    expect(usageOf("acp", acpTurn({ inputTokens: 5, outputTokens: "many" }))).toBeNull();
    expect(usageOf("claude", claudeResult({ input_tokens: 7, output_tokens: -1 }, 0.5))).toMatchObject({
      costUsd: 0.5,
      partial: true,
    });
  });

  it("[A4] an absurd cost is unknown, and never 0; one told before it stays, as a part", () => {
    const honest = acpTurn({ inputTokens: 10, outputTokens: 5 });
    for (const amount of [1e308, -1, COST_MAX_USD + 1, "free"]) {
      const usage = usageOf("acp", acpCost(amount), honest);
      expect(usage, String(amount)).toMatchObject({ input: 10, costUsd: null, costSource: "unknown" });
      expect(usage?.conversationCostUsd, String(amount)).toBeNull();
    }
    expect(usageOf("acp", acpCost(0.25), acpCost(1e308), honest)).toMatchObject({ costUsd: 0.25, partial: true });
  });

  it("[A4] a total that falls below what was there before is unknown, and so is a sum that grows beyond all bounds", () => {
    const started = { method: "turn/started", params: {} };
    const total = (tokens: number, last = 0) =>
      codexCount({ inputTokens: tokens, outputTokens: tokens }, { inputTokens: last, outputTokens: last });
    expect(usageOf("codex", total(100), started, total(30))).toBeNull();
    const most = acpTurn({ inputTokens: TOKENS_MAX, outputTokens: 0 });
    expect(usageOf("acp", most)).toMatchObject({ input: TOKENS_MAX });
    expect(usageOf("acp", most, most)).toBeNull();
  });

  it("[A4] an absurd figure of an older row is not read out of it; a cost beside it counts, as a part", () => {
    const row = { input: 10, cachedInput: 0, output: 5, costUsd: 0.5, partial: false, conversationCostUsd: 1e308 };
    expect(usageFrom(row)).toMatchObject({ input: 10, costUsd: 0.5, partial: false, conversationCostUsd: null });
    expect(usageFrom({ ...row, costUsd: 1e308 })).toMatchObject({ input: 10, costUsd: null, partial: true });
    expect(usageFrom({ ...row, input: -3 })).toMatchObject({ input: 0, output: 0, costUsd: 0.5, partial: true });
    expect(usageFrom({ ...row, output: 1e30, costUsd: null })).toBeNull();
  });

  it("[A8] a limit that ends at no moment there is has no known end", () => {
    expect(limitUntil("Try again in 99999999999999999999 days", 0)).toBeNull();
    const resetsAt = (seconds: number) => ({
      type: "rate_limit_event",
      rate_limit_info: { status: "rejected", resetsAt: seconds },
    });
    const failed = { type: "result", subtype: "error", is_error: true, result: "usage limit reached", usage: {} };
    const until = (seconds: number) => {
      const lines = [resetsAt(seconds), failed].map((message) => JSON.stringify(message));
      const verdict = verdictOf(summaryOf("claude", lines), 0);
      return verdict.kind === "trouble" ? verdict.until : verdict.kind;
    };
    expect([until(1_795_981_896), until(1e300), until(-5)]).toEqual([1_795_981_896_000, null, null]);
    const codex = {
      method: "account/rateLimits/updated",
      params: { rateLimits: { primary: { usedPercent: 100, resetsAt: 1e300 } } },
    };
    expect(summaryOf("codex", [JSON.stringify(codex)]).limitUntil).toBeNull();
  });
});
