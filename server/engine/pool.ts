/**
 * The pool's narrow door (P21): verbs, never the state. `runner-pool.ts` is the implementation; the API, the desks and
 * the supervisor know this file only. Every promise resolves after the commit that makes its answer true (P11).
 */
import type { LiveSession, PoolChange, PoolSnapshot } from "../core/pool/picture";
import type { Ended } from "../core/session/lifecycle";
import type {
  AgentId,
  AttemptRef,
  HoldReason,
  Millis,
  ProjectId,
  SessionId,
  SessionPhase,
  TaskId,
  UserId,
} from "../core/words";

export interface NewSession {
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly mode: "work" | "plan";
  readonly message: string | null;
  /** Held from the start, if something is unusable already (P14). */
  readonly hold?: Hold | null;
}

export interface Hold {
  readonly reason: HoldReason;
  readonly detail: string | null;
  readonly until: Millis | null;
}

export interface Enqueued {
  readonly sessionId: SessionId;
  /** 0: the slot was granted at once; null: held (P2). */
  readonly position: number | null;
  /** True when the task had this live session already (P3). */
  readonly existing: boolean;
  /** The version from which on every snapshot knows the session. */
  readonly version: number;
}

export type CancelAnswer =
  | { readonly kind: "left-the-line" }
  | { readonly kind: "stopping" }
  /** It was over already; nothing changed. */
  | { readonly kind: "over" };

export type ReorderAnswer =
  | { readonly kind: "reordered" }
  /** Not queued, not in this user's line, or `before` is not. */
  | { readonly kind: "refused"; readonly reason: "not-queued" | "not-your-line" };

export interface Caps {
  readonly globalMax: number;
  readonly perUserMax: number;
  readonly paused: boolean;
}

/** What a session's supervisor tells about a running session. Dropped when the attempt is not held (R1). */
export interface Progress {
  readonly phase?: Exclude<SessionPhase, "stopping">;
  readonly lastAction?: string;
  readonly outputBytes?: number;
}

/** The database is away or the pool is being rebuilt: try again; nothing is known to have happened. */
export class PoolUnavailable extends Error {
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds = 1) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Pool {
  enqueue(session: NewSession): Promise<Enqueued>;
  /** By whom: shown on the card. Idempotent (P17). */
  cancel(sessionId: SessionId, by: UserId): Promise<CancelAnswer>;
  /** Own line only; `before` null = to the end (P5). */
  reorder(sessionId: SessionId, by: UserId, before: SessionId | null): Promise<ReorderAnswer>;
  setCaps(change: Partial<Caps>): Promise<Caps>;
  /** Null takes the override away. */
  setUserCap(userId: UserId, max: number | null): Promise<void>;
  hold(sessionId: SessionId, hold: Hold | null): Promise<void>;
  progress(run: AttemptRef, progress: Progress): Promise<void>;
  /** Ends the attempt with its ending and gives the slot back, in one commit with the next grant (P7, P9). Harmless twice. */
  release(run: AttemptRef, ended: Ended): Promise<void>;
  /** Claimed by the server before anything acted: back to the line at the same place, attempt + 1 (R2). */
  requeue(run: AttemptRef): Promise<"requeued" | "stale" | "tried-too-often">;
  /** Throws away what memory holds and reads it again from rows (P18). */
  rebuild(): Promise<PoolSnapshot>;
  snapshot(): PoolSnapshot;
  caps(): Caps;
  subscribe(listener: (change: PoolChange) => void): () => void;
}

/** What the pool calls for each granted or adopted attempt: the waiter it watches (P8, P10). */
export interface Waiter {
  /**
   * Drives one attempt from its slot to its release. However the promise ends, the pool settles the session and takes
   * the slot back if that has not happened yet.
   */
  attend(session: LiveSession, entry: "granted" | "adopted"): Promise<void>;
  /** The session is to stop; `attend` ends after it. */
  stop(run: AttemptRef): void;
}
