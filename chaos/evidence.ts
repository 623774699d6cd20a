/** What a run leaves for its checker: what was asked and answered, what the rows went through, what the agents marked. */
import type { Mark } from "./marks";

/** One change of a session's row, as the database itself saw it inside the transaction that made it. */
export interface Transition {
  readonly id: number;
  /** Transaction; all that stands in one happened at once. */
  readonly tx: string;
  /** Microseconds since 1970, of the database's clock. */
  readonly at: number;
  /** The database connection that made it. */
  readonly backend: number;
  readonly sessionId: string;
  readonly userId: string;
  /** Order in the line: `coalesce(place, seq)`. */
  readonly order: number;
  /** Null: the row is new. */
  readonly was: string | null;
  readonly is: string;
  readonly wasAttempt: number | null;
  readonly attempt: number;
  readonly grantSeq: number | null;
  readonly isHeld: boolean;
}

/** Put back and granted again within one transaction is a grant too: the attempt is another one. */
export function isGrant({ is, was, attempt, wasAttempt }: Transition): boolean {
  return is === "running" && (was !== "running" || attempt !== wasAttempt);
}

/** A session's row at the end. */
export interface Row {
  readonly id: string;
  readonly taskId: string;
  readonly userId: string;
  readonly seq: number;
  readonly status: string;
  readonly attempt: number;
  readonly failureKind: string | null;
  readonly signal: string | null;
  readonly outputBytes: number | null;
}

/** One dispatch as its sender saw it; times are milliseconds of the sender's own clock. */
export interface Dispatch {
  readonly token: string;
  readonly userId: string;
  readonly taskId: string;
  readonly askedAt: number;
  /** Null: never answered. */
  answeredAt: number | null;
  /** All sessions that were answered to its requests, retries and double clicks included. */
  readonly sessionIds: Set<string>;
  /** What it says when it comes to its end. */
  readonly output: Buffer;
  cancelAskedAt: number | null;
  /** How the session stood in the answer to its cancel: status, or `stopping`. */
  cancelAnswer: string | null;
  /** Read while it came; null when it was not followed to the end. */
  followed: Buffer | null;
}

export interface RunKill {
  readonly what: "host" | "agent";
  readonly sessionId: string;
  readonly attempt: number;
}

export interface Caps {
  readonly globalMax: number;
  /** Every user of the run has one. */
  readonly users: ReadonlyMap<string, number>;
}

export interface Evidence {
  readonly caps: Caps;
  readonly dispatches: readonly Dispatch[];
  readonly rows: readonly Row[];
  readonly transitions: readonly Transition[];
  readonly marks: readonly Mark[];
  readonly runKills: readonly RunKill[];
  /** Per session: all of its output, and whether the server says that it is complete. */
  readonly outputs: ReadonlyMap<string, { readonly bytes: Buffer; readonly isComplete: boolean }>;
  /** Exit codes of servers that nobody had killed. */
  readonly ownEndings: readonly (number | null)[];
  /** Anything that was refused although it may not be, in words. */
  readonly refusals: readonly string[];
  /** Processes with the run mark of this installation that are still there. */
  readonly leftBehind: readonly number[];
  /** At the end, with more asked for than fits: how many sessions held a slot at once. */
  readonly slotsSeen: number;
}
