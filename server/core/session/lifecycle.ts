/**
 * Which status may follow which, and why a session ended. Decides only; rows are changed by the pool's writer.
 */
import type { EndedStatus, FailureKind, Millis } from "../words";
import { DISK_FULL } from "./details";

/** What the runner and the workspace leave behind, whatever the status. */
export interface Leavings {
  readonly endedAt: Millis;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outputBytes: number | null;
  /** Why the work could not be saved, or null when it was (W2). */
  readonly workUnsaved: string | null;
  readonly leftOut: readonly string[];
  readonly headCommit: string | null;
  readonly files: number | null;
  readonly additions: number | null;
  readonly deletions: number | null;
  /** What it used (A4), as it is told on the wire; null: the agent told nothing. */
  readonly usage: Readonly<Record<string, unknown>> | null;
  /** The agent's own id of the conversation (A5); "": it cannot be gone on with; null: it told none. */
  readonly agentSessionId: string | null;
}

/** A session's ending as it is written into its row. */
export interface Ended extends Leavings {
  readonly status: EndedStatus;
  readonly failure: Failure | null;
}

export interface Failure {
  readonly kind: FailureKind;
  /** What the sentence needs beside kind, exit code and signal: one plain sentence part, or null. */
  readonly detail: string | null;
}

export const NOTHING_LEFT = {
  exitCode: null,
  signal: null,
  outputBytes: null,
  workUnsaved: null,
  leftOut: [],
  headCommit: null,
  files: null,
  additions: null,
  deletions: null,
  usage: null,
  agentSessionId: null,
} as const satisfies Omit<Leavings, "endedAt">;

/** How an agent ended, as its host wrote it down; `Ending` of ports/runner.ts. */
export interface AgentEnding {
  readonly cause: "exited" | "stopped" | "timed-out" | "could-not-start" | "disk-full" | "no-answer";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endedAt: Millis;
  readonly outputBytes: number;
  readonly message?: string;
  readonly stoppedBy?: "operator";
  /** It had reported and did not leave by itself: its exit code says nothing. */
  readonly lingered?: true;
  /** When it was ended by the longest run: how long it had said nothing then. */
  readonly quietMs?: Millis;
}

/** How an agent with a protocol says it came out. */
export type Told =
  | { readonly kind: "success" }
  /** One plain sentence, or null when it reported nothing; then `said` is the last thing it said at all. */
  | { readonly kind: "no-result"; readonly sentence: string | null; readonly said?: string | null };

export interface Outcome {
  readonly status: EndedStatus;
  readonly failure: Failure | null;
}

const CANCELLED: Outcome = { status: "cancelled", failure: null };

/**
 * What an ending means. Once a stop was asked for, the exit code says nothing any more (P17). `told`: of an agent with a
 * protocol; for the others the exit code is all there is.
 */
export function outcomeOf(
  ending: AgentEnding,
  isStopping: boolean,
  longestRunMs: number,
  told: Told | null = null,
): Outcome {
  if (isStopping) return CANCELLED;
  switch (ending.cause) {
    case "stopped":
      // Somebody's wish and not the agent's failure; but no person of ours asked for it, so it says where it came from.
      return { status: "cancelled", failure: { kind: "stopped", detail: ending.stoppedBy ?? null } };
    case "exited":
      return outcomeOfExit(ending, told);
    case "timed-out":
      return failed("timed-out", timeoutDetail(longestRunMs, ending.quietMs ?? 0));
    case "could-not-start":
      return failed("could-not-start", ending.message ?? null);
    case "no-answer":
      return failed("no-answer", null);
    case "disk-full":
      return failed("agent-exited", DISK_FULL);
    default:
      return ending.cause satisfies never;
  }
}

/** Success is both: what the agent told, and that it left in peace. Some exit with 0 although they failed. */
function outcomeOfExit({ exitCode, signal, lingered }: AgentEnding, told: Told | null): Outcome {
  const isGoodExit = (exitCode === 0 && signal === null) || (lingered === true && told?.kind === "success");
  if (told?.kind === "no-result" && (told.sentence !== null || isGoodExit)) return failed("no-result", told.sentence);
  if (isGoodExit) return { status: "succeeded", failure: null };
  const said = told?.kind === "no-result" ? told.said : null;
  // A program that cannot even begin says why in words for people, and nothing by its protocol.
  const why = said && exitCode !== null ? `The agent exited with code ${exitCode}. It said: “${said}”` : null;
  return failed("agent-exited", why);
}

/** Nobody knows how it ended. */
export function outcomeOfLoss(isStopping: boolean): Outcome {
  return isStopping ? CANCELLED : failed("runner-lost", null);
}

/** Nothing has acted. */
export function outcomeOfNoStart(isStopping: boolean, sentence: string): Outcome {
  return isStopping ? CANCELLED : failed("could-not-start", sentence);
}

function failed(kind: FailureKind, detail: string | null): Outcome {
  return { status: "failed", failure: { kind, detail } };
}

/** A silence of at least this long is worth telling; of a short run, half of it. */
const SILENCE_TOLD_MS = 300_000;

function timeoutDetail(longestRunMs: number, quietMs: number): string {
  const limit = inWords(longestRunMs);
  if (quietMs < Math.min(SILENCE_TOLD_MS, longestRunMs / 2)) return limit;
  return `Stopped after ${limit}, the longest run. It had said nothing for ${inWords(Math.min(quietMs, longestRunMs))}.`;
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  if (minutes % 60 === 0) return `${minutes / 60} h`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
