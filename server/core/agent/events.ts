/**
 * What agents tell, in one language whatever they speak (Claude Code's stream-json, Codex's app-server, ACP). A reader turns
 * one line of a stream into events and remembers nothing; whoever adds events up (transcript, usage, summary) does the rest.
 */
import type { Millis } from "../words";
import { believedTokens, COST_MAX_USD, figureOf, type Tokens } from "./figures";

/** In whose language a session's output is written. `text`: no protocol, lines for people. */
export type StreamFormat = "claude" | "codex" | "acp" | "text";

export type ToolKind = "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "other";
export type ToolStatus = "pending" | "running" | "done" | "failed";

/** Why an agent brought no result. */
export type AgentErrorKind =
  | "not-logged-in"
  | "usage-limit"
  /** The model's service is away, overloaded or broken (5xx). */
  | "service"
  /** The connection to the model was cut or never came up. */
  | "connection"
  /** The model's service refused the request (400, an unknown model …). */
  | "refused"
  /** A limit that was given to the agent: turns, money, time. */
  | "own-limit"
  /** A setting of the agent that its program does not take: a mode, a model. */
  | "wrong-setting"
  /** The conversation to be continued is not there any more (A5). */
  | "conversation-lost"
  | "other";

export type AgentEvent =
  | {
      readonly kind: "session";
      /** The agent's own id of the conversation, by which it is continued (A5). */
      readonly id: string | null;
      readonly agent: string | null;
      readonly agentVersion: string | null;
      readonly model: string | null;
      /** Whether it can go on with a conversation of before; absent: it does not say. */
      readonly canContinue?: boolean;
    }
  /** Said by the agent. `isWhole`: all of it, in place of the pieces with the same id; otherwise the next piece. */
  | { readonly kind: "text"; readonly id: string | null; readonly text: string; readonly isWhole: boolean }
  | { readonly kind: "thought"; readonly id: string | null; readonly text: string; readonly isWhole: boolean }
  /** Said to the agent by a person. `isOrder`: as the host passed it on; some agents tell it once more. */
  | { readonly kind: "person"; readonly id: string | null; readonly text: string; readonly isOrder?: true }
  /** A tool call or more about one: fields that are null are as they were. */
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly name: string | null;
      readonly toolKind: ToolKind | null;
      /** One line for people: a command, a file. */
      readonly title: string | null;
      readonly input: unknown;
      readonly status: ToolStatus | null;
      /** All of its output so far. */
      readonly output: string | null;
      /** The next piece of its output. */
      readonly more: string | null;
    }
  /** The host has sent the prompt: what came before (a replayed history, for example) belongs to earlier sessions. */
  | { readonly kind: "begin"; readonly conversation: string | null }
  /** The agent has taken up a prompt. */
  | { readonly kind: "turn" }
  | { readonly kind: "question"; readonly id: string; readonly text: string; readonly options: readonly string[] }
  | { readonly kind: "answer"; readonly questionId: string; readonly option: string }
  /**
   * Of what the agent started and did not wait for, in one sentence. `waiting`: its turn is over, it goes on by itself once
   * that has come to its end; `news`: something did; `ended`: the session was over first.
   */
  | { readonly kind: "background"; readonly state: "waiting" | "news" | "ended"; readonly text: string }
  | { readonly kind: "plan"; readonly steps: readonly PlanStep[] }
  | {
      readonly kind: "usage";
      /**
       * `call`: one call of the model; `turn`: since the last prompt; `conversation`: all of it so far, earlier sessions
       * included, with `last` the newest call. Only the first two may be added up.
       */
      readonly scope: "call" | "turn" | "conversation";
      /** Of the call, so that one that is told twice counts once. */
      readonly id: string | null;
      readonly tokens: Tokens | null;
      readonly last: Tokens | null;
      readonly costUsd: number | null;
      /** The whole conversation's cost so far, earlier sessions included. */
      readonly costTotalUsd: number | null;
      /** Something else was told that cannot be believed (`figures.ts`): more was used than stands here. */
      readonly isDoubtful: boolean;
    }
  | {
      readonly kind: "retry";
      readonly attempt: number | null;
      readonly max: number | null;
      readonly error: AgentTrouble;
    }
  /** A service tells until when it takes no more: not an error by itself. */
  | { readonly kind: "limit"; readonly until: Millis }
  | ({ readonly kind: "error" } & AgentTrouble)
  | { readonly kind: "end"; readonly reason: "done" | "cancelled" | "error" | "limit" }
  /** A line that says nothing we know; shown on demand. */
  | { readonly kind: "raw"; readonly text: string };

export interface AgentTrouble {
  readonly error: AgentErrorKind;
  /** HTTP status, if there was one. */
  readonly status: number | null;
  /** The agent's own words, or with `isOurs` a sentence about what it told otherwise. */
  readonly message: string;
  readonly isOurs?: true;
}

export interface PlanStep {
  readonly text: string;
  readonly status: "pending" | "running" | "done";
}

/** An event with its number: rises within a session, and says where in the output it was read (`lines.ts`). */
export interface NumberedEvent {
  readonly n: number;
  readonly event: AgentEvent;
}

type ToolEvent = Extract<AgentEvent, { kind: "tool" }>;
type UsageEvent = Extract<AgentEvent, { kind: "usage" }>;

const NOTHING_NEW = {
  name: null,
  toolKind: null,
  title: null,
  input: undefined,
  status: null,
  output: null,
  more: null,
} as const;

export function toolEvent(id: string, what: Partial<Omit<ToolEvent, "kind" | "id">>): ToolEvent {
  return { kind: "tool", id, ...NOTHING_NEW, ...what };
}

/** `tokens`, `last` and the costs as they were told; none of them stands in the event unless it can be believed. */
export function usageEvent(
  scope: UsageEvent["scope"],
  what: {
    readonly id?: string | null;
    readonly tokens?: Tokens | null;
    readonly last?: Tokens | null;
    readonly costUsd?: unknown;
    readonly costTotalUsd?: unknown;
  },
): UsageEvent {
  const { id = null, tokens = null, last = null } = what;
  const counts = [tokens, last].map((count) => count && believedTokens(count));
  const costs = [what.costUsd, what.costTotalUsd].map((cost) => figureOf(cost, COST_MAX_USD));
  const isCountDoubtful = (tokens !== null && counts[0] === null) || (last !== null && counts[1] === null);
  const isCostDoubtful =
    (what.costUsd != null && costs[0] === null) || (what.costTotalUsd != null && costs[1] === null);
  const [believed = null, newest = null] = isCountDoubtful ? [] : counts;
  const [costUsd = null, costTotalUsd = null] = costs;
  const isDoubtful = isCountDoubtful || isCostDoubtful;
  return { kind: "usage", scope, id, tokens: believed, last: newest, costUsd, costTotalUsd, isDoubtful };
}

/** Longest text of a tool's input or output in one event, in characters; the whole of it is in the session's output. */
const TOOL_TEXT_MAX = 20_000;

export function cutText(text: string): string {
  const left = text.length - TOOL_TEXT_MAX;
  return left <= 0 ? text : `${text.slice(0, TOOL_TEXT_MAX)}\n… ${left} more characters`;
}

/** Where tasks are worked on: what comes before a file of theirs says nothing to people. */
const WORKTREE = /^.*\/worktrees\/[^/]+\/[^/]+\//;

/** A file as people know it: within the task's worktree, or as it stands. */
export function shownPath(path: string): string {
  return path.replace(WORKTREE, "");
}
