/**
 * What a session has used (A4), added up from its events. Figures that agents keep over a whole conversation are never added:
 * what an earlier session of the same conversation had used is taken off. What is not told is unknown, never 0.
 */
import type { AgentEvent } from "./events";
import { believedTokens, COST_MAX_USD, figureOf, TOKENS_MAX, type Tokens } from "./figures";
import { fieldsOf } from "./json";
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

/** From a row, which may be of another release; null: it says nothing that is understood, or that can be believed. */
export function usageFrom(value: unknown): Usage | null {
  const usage = fieldsOf(value);
  const told = [usage.input, usage.cachedInput, usage.output];
  if (told.some((figure) => typeof figure !== "number")) return null;
  const [input = null, cachedInput = null, output = null] = told.map((figure) => figureOf(figure, TOKENS_MAX));
  const costUsd = figureOf(usage.costUsd, COST_MAX_USD);
  const tokens = input === null || cachedInput === null || output === null ? null : { input, cachedInput, output };
  if (tokens === null && costUsd === null) return null;
  return {
    ...(tokens ?? { input: 0, cachedInput: 0, output: 0 }),
    costUsd,
    costSource: costUsd === null ? "unknown" : usage.costSource === "computed" ? "computed" : "reported",
    partial: usage.partial === true || tokens === null || (usage.costUsd != null && costUsd === null),
    conversationCostUsd: figureOf(usage.conversationCostUsd, COST_MAX_USD),
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
  /** A prompt was taken up that was not told yet: what a person is told to have said next is it. */
  readonly awaitsPrompt: boolean;
  /** The model is being asked, and what that takes was not counted yet; known of agents that tell of their turns. */
  readonly isCalling: boolean;
  /** A call was cut: what it took is in no count. */
  readonly isUntold: boolean;
  /** The conversation's count before this session, and now. */
  readonly before: Tokens | null;
  readonly now: Tokens | null;
  /** What the program has counted since it was started. */
  readonly process: Tokens | null;
  readonly costUsd: number | null;
  readonly costTotalUsd: number | null;
  /** Something was told that cannot be believed. */
  readonly isDoubtful: boolean;
}

const ZERO: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export const NOTHING_USED: UsageSum = {
  agent: null,
  turns: null,
  calls: null,
  lastCallId: null,
  lastCall: ZERO,
  hasTurn: false,
  awaitsPrompt: false,
  isCalling: false,
  isUntold: false,
  before: null,
  now: null,
  process: null,
  costUsd: null,
  costTotalUsd: null,
  isDoubtful: false,
};

export function addUsage(sum: UsageSum, event: AgentEvent): UsageSum {
  switch (event.kind) {
    case "session":
      return event.agent === null ? sum : { ...sum, agent: event.agent };
    case "begin":
      // A replayed history is told before the prompt; what it cost is not this session's.
      return { ...NOTHING_USED, agent: sum.agent };
    case "turn":
      return { ...sum, hasTurn: true, awaitsPrompt: true, isCalling: true };
    case "person":
      // Who is told something in the middle of a call breaks it off and asks the model anew.
      return { ...sum, awaitsPrompt: false, isUntold: sum.isUntold || (sum.isCalling && !sum.awaitsPrompt) };
    case "text":
    case "thought":
      return sum.hasTurn && !sum.isCalling ? { ...sum, isCalling: true } : sum;
    case "tool":
      return sum.hasTurn && event.status === "done" ? { ...sum, isCalling: true } : sum;
    case "retry":
      // An answer with a status took nothing; a connection that was cut may have.
      return event.error.status === null ? { ...sum, isUntold: true } : sum;
    case "error":
      return event.error === "connection" && event.status === null ? { ...sum, isUntold: true } : sum;
    case "usage":
      return addCount({ ...sum, isCalling: false }, event);
    default:
      return sum;
  }
}

function addCount(before: UsageSum, event: Extract<AgentEvent, { kind: "usage" }>): UsageSum {
  const sum = event.isDoubtful ? { ...before, isDoubtful: true } : before;
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
  const counted = told ?? (sum.turns || sum.calls ? plus(sum.turns ?? ZERO, sum.calls ?? ZERO) : null);
  const tokens = counted && ours(counted);
  const { input, cacheRead, output } = tokens ?? ZERO;
  // Of calls that were cut, agents say that they took nothing.
  const isNothing = sum.isUntold && input + cacheRead + output === 0;
  const costUsd = isNothing ? null : figureOf(costOf(sum, earlierCostUsd), COST_MAX_USD);
  if (tokens === null && costUsd === null) return null;
  const isOfLastCall = quirksOf(sum.agent).turnCount === "last-call";
  return {
    input,
    cachedInput: cacheRead,
    output,
    costUsd,
    costSource: costUsd === null ? "unknown" : "reported",
    partial: isCut || sum.isUntold || sum.isDoubtful || tokens === null || isOfLastCall,
    conversationCostUsd: sum.costTotalUsd,
  };
}

/** What is written to the cache is input. A total that fell and sums of much: what could be believed need not be so together. */
function ours(counted: Tokens): Tokens | null {
  const tokens = believedTokens(counted);
  return tokens && believedTokens({ ...tokens, input: tokens.input + tokens.cacheWrite, cacheWrite: 0 });
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
