import { expect, test } from "vitest";
import { costOfSum, costWord, shortCost, tokensOfSum } from "./cost";

const usage = (costUsd: number | null, partial = false) => ({
  input: 1,
  cachedInput: 0,
  output: 1,
  costUsd,
  partial,
  conversationCostUsd: null,
  costSource: costUsd === null ? ("unknown" as const) : ("reported" as const),
});
const sum = (costUsd: number | null, unknownCost: number, partial = false, sessions = 2) => ({
  sessions,
  input: 1,
  cachedInput: 1,
  output: 1,
  unknownTokens: 0,
  costUsd,
  unknownCost,
  partial,
});

test("[A4][B1] an unknown cost is a dash on cards and unknown on pages, and never $0.00", () => {
  expect([shortCost(null), shortCost(usage(null)), costWord(usage(null))]).toEqual(["—", "—", "unknown"]);
  expect([costOfSum(sum(null, 2)), costOfSum(sum(null, 1))]).toEqual(["unknown (2 sessions)", "unknown (1 session)"]);
  expect(costOfSum(sum(null, 0, false, 0))).toBe("none");
});

test("[A4] a known cost is told in dollars, less than a cent is not nothing, and what is partial is at least so much", () => {
  expect([shortCost(usage(0.842)), shortCost(usage(0.842, true)), costWord(usage(0.842, true))]).toEqual([
    "$0.84",
    "$0.84+",
    "at least $0.84",
  ]);
  expect(shortCost(usage(0.004))).toBe("<$0.01");
});

test("[A4] a sum says for how many sessions it does not know", () => {
  expect(costOfSum(sum(1.2, 0))).toBe("$1.20");
  expect(costOfSum(sum(1.2, 1))).toBe("$1.20, and unknown for 1 session");
  expect(costOfSum(sum(1.2, 2, true))).toBe("at least $1.20, and unknown for 2 sessions");
});

test("[A4] tokens that nobody told are unknown and not 0, and a sum says for how many sessions it does not know", () => {
  const told = sum(null, 0);
  expect(tokensOfSum(told)).toBe("3 tokens");
  expect(tokensOfSum({ ...told, unknownTokens: 1 })).toBe("3 tokens, and unknown for 1 session");
  const nobody = { ...told, sessions: 0, input: 0, cachedInput: 0, output: 0 };
  expect(tokensOfSum({ ...nobody, unknownTokens: 2 })).toBe("unknown");
  // Shell is no AI: it has nothing to tell.
  expect(tokensOfSum(nobody)).toBe("0 tokens");
});
