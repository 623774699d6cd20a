/**
 * What a session has used (A4), added up from its events. Figures that agents keep over a whole conversation are never added:
 * what an earlier session of the same conversation had used is taken off. What is not told is unknown, never 0.
 */
import type { AgentEvent, Tokens } from "./events";
import { fieldsOf, numberOf } from "./json";
import { quirksOf } from "./quirks";

/** As it stands in the session's row and on the wire. Tokens. */
export interface Usage {
  /** Without those read from the cache. */
  readonly input: number;
  readonly cachedInput: number;
  /** Thoughts included, where the agent tells them. */
  readonly output: number;
  /** US dollars; null: unknown. */
  readonly costUsd: number | null;
  readonly costSource: "reported" | "computed" | "unknown";
  /** More was used than is known: it was cut short, or the agent does not tell all of it. */
  readonly partial: boolean;
  /** Of the whole conversation, this session included; what a follow-up takes off. US dollars; null: not told. */
  readonly conversationCostUsd: number | null;
}

/** From a row, which may be of another release; null: it says nothing that is understood. */
export function usageFrom(value: unknown): Usage | null {
  const usage = fieldsOf(value);
  const [input, cachedInput, output] = [usage.input, usage.cachedInput, usage.output].map(numberOf);
  if (input == null || cachedInput == null || output == null) return null;
  const costUsd = numberOf(usage.costUsd);
  return {
    input,
    cachedInput,
    output,
    costUsd,
    costSource: costUsd === null ? "unknown" : usage.costSource === "computed" ? "computed" : "reported",
    partial: usage.partial === true,
    conversationCostUsd: numberOf(usage.conversationCostUsd),
  };
}

export interface UsageSum {
  readonly agent: string | null;
  /** Turns that ended. */
  readonly turns: Tokens | null;
  /** Calls since the last of them. */
  readonly calls: Tokens | null;
  readonly lastCallId: string | null;
  readonly lastCall: Tokens;
  /** A prompt was taken up: counts of the conversation before that are of earlier sessions. */
  readonly hasTurn: boolean;
  /** The conversation's count before this session, and now. */
  readonly before: Tokens | null;
  readonly now: Tokens | null;
  /** What the program has counted since it was started. */
  readonly process: Tokens | null;
  readonly costUsd: number | null;
  readonly costTotalUsd: number | null;
}

const ZERO: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export const NOTHING_USED: UsageSum = {
  agent: null,
  turns: null,
  calls: null,
  lastCallId: null,
  lastCall: ZERO,
  hasTurn: false,
  before: null,
  now: null,
  process: null,
  costUsd: null,
  costTotalUsd: null,
};

export function addUsage(sum: UsageSum, event: AgentEvent): UsageSum {
  switch (event.kind) {
    case "session":
      return event.agent === null ? sum : { ...sum, agent: event.agent };
    case "begin":
      // A replayed history is told before the prompt; what it cost is not this session's.
      return { ...NOTHING_USED, agent: sum.agent };
    case "turn":
      return sum.hasTurn ? sum : { ...sum, hasTurn: true };
    case "usage":
      return addCount(sum, event);
    default:
      return sum;
  }
}

function addCount(sum: UsageSum, event: Extract<AgentEvent, { kind: "usage" }>): UsageSum {
  const costTotalUsd = event.costTotalUsd ?? sum.costTotalUsd;
  const tokens = event.tokens === null ? null : normal(sum.agent, event.tokens);
  switch (event.scope) {
    case "call": {
      if (tokens === null) return sum;
      // The same call may be told again, each time with all of it.
      const isAgain = event.id !== null && event.id === sum.lastCallId;
      const calls = plus(sum.calls ?? ZERO, isAgain ? minus(tokens, sum.lastCall) : tokens);
      return { ...sum, calls, lastCallId: event.id, lastCall: tokens };
    }
    case "turn": {
      const costUsd = event.costUsd === null ? sum.costUsd : (sum.costUsd ?? 0) + event.costUsd;
      const counted = { ...sum, costUsd, costTotalUsd };
      if (tokens === null || quirksOf(sum.agent).turnCount === "none") return counted;
      if (quirksOf(sum.agent).turnCount === "process") return { ...counted, process: tokens };
      return { ...counted, turns: plus(sum.turns ?? ZERO, tokens), calls: null, lastCallId: null, lastCall: ZERO };
    }
    case "conversation": {
      if (tokens === null) return { ...sum, costTotalUsd };
      if (!sum.hasTurn) return { ...sum, costTotalUsd, before: tokens, now: tokens };
      const before = sum.before ?? minus(tokens, event.last ?? ZERO);
      return { ...sum, costTotalUsd, before, now: tokens };
    }
    default:
      return event.scope satisfies never;
  }
}

/**
 * What the session's row says. `isCut`: the agent was not there to tell the rest. `earlierCostUsd`: what the conversation had
 * cost before this session; 0 for a new one, null when it is not known. Null: the agent told nothing.
 */
export function usageOf(sum: UsageSum, isCut: boolean, earlierCostUsd: number | null): Usage | null {
  const told = sum.now !== null && sum.before !== null ? minus(sum.now, sum.before) : sum.process;
  const tokens = told ?? (sum.turns || sum.calls ? plus(sum.turns ?? ZERO, sum.calls ?? ZERO) : null);
  const costUsd = costOf(sum, earlierCostUsd);
  if (tokens === null && costUsd === null) return null;
  const { input, cacheRead, cacheWrite, output } = tokens ?? ZERO;
  return {
    input: input + cacheWrite,
    cachedInput: cacheRead,
    output,
    costUsd,
    costSource: costUsd === null ? "unknown" : "reported",
    partial: isCut || tokens === null || quirksOf(sum.agent).turnCount === "last-call",
    conversationCostUsd: sum.costTotalUsd,
  };
}

function costOf(sum: UsageSum, earlierCostUsd: number | null): number | null {
  if (sum.costUsd !== null) return sum.costUsd;
  if (sum.costTotalUsd === null || earlierCostUsd === null) return null;
  return Math.max(0, sum.costTotalUsd - earlierCostUsd);
}

function normal(agent: string | null, tokens: Tokens): Tokens {
  if (!quirksOf(agent).countsCacheAsInput) return tokens;
  return { ...tokens, input: Math.max(0, tokens.input - tokens.cacheRead) };
}

function plus(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}

function minus(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input - b.input,
    cacheRead: a.cacheRead - b.cacheRead,
    cacheWrite: a.cacheWrite - b.cacheWrite,
    output: a.output - b.output,
  };
}
