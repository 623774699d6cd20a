/**
 * The pool's narrow door (P21): verbs, never the state. `runner-pool.ts` is the implementation; the API, the desks and
 * the supervisor know this file only. Every promise resolves after the commit that makes its answer true (P11).
 */
import type { CancelAnswer, NewSession, Progress, ReorderAnswer, RequeueAnswer } from "../core/pool/events";
import type { LiveSession, PoolChange, PoolSnapshot } from "../core/pool/picture";
import type { Caps, Hold } from "../core/pool/rows";
import type { Ended } from "../core/session/lifecycle";
import type { AttemptRef, Epoch, SessionId, UserId } from "../core/words";

export type { CancelAnswer, NewSession, Progress, ReorderAnswer } from "../core/pool/events";
export type { Caps, Hold } from "../core/pool/rows";

/** Written down for the writer, which has not answered yet: it will be done, also by the next writer (P17, P19). */
export interface WrittenDown {
  readonly kind: "written-down";
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

/** The database is away or the pool is being rebuilt: try again; nothing is known to have happened. */
export class PoolUnavailable extends Error {
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds = 1) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The rows refuse it: the task or the person is gone, or a value cannot be stored. The same again would be refused. */
export class PoolRefused extends Error {}

export interface Pool {
  enqueue(session: NewSession): Promise<Enqueued>;
  /** By whom: shown on the card. Idempotent (P17). */
  cancel(sessionId: SessionId, by: UserId): Promise<CancelAnswer | WrittenDown>;
  /** Own line only; `before` null = to the end (P5). */
  reorder(sessionId: SessionId, by: UserId, before: SessionId | null): Promise<ReorderAnswer | WrittenDown>;
  /** The settings as they are, or will be. */
  setCaps(change: Partial<Caps>): Promise<Caps>;
  /** Null takes the override away. */
  setUserCap(userId: UserId, max: number | null): Promise<void>;
  hold(sessionId: SessionId, hold: Hold | null): Promise<void>;
  /** Resolves once it is written, or dropped because the attempt is not held. Never rejects; may take as long as the database is away. */
  progress(run: AttemptRef, progress: Progress): Promise<void>;
  /** Ends the attempt with its ending and gives the slot back, in one commit with the next grant (P7, P9). Harmless twice. Tried until it is written. */
  release(run: AttemptRef, ended: Ended): Promise<void>;
  /** Claimed by the server before anything acted: back to the line at the same place, attempt + 1 (R2). */
  requeue(run: AttemptRef): Promise<RequeueAnswer>;
  /**
   * From a server that leaves, before it asked for a host: back to the line at the same place, and no try is counted (R5).
   * A server that handed something back grants nothing any more.
   */
  handBack(run: AttemptRef): Promise<void>;
  /** An administrator gives up a runner that cannot be found out about (R3): told to whoever watches the session. */
  declareLost(run: AttemptRef): Promise<void>;
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
  /** Gives up a runner that cannot be found out about. One that can is judged by what is found, as ever. */
  declareLost(run: AttemptRef): void;
  /**
   * Another server attends to everything from now on (P19): nothing more is done or told about any session, agents go on.
   * Resolves when no step is under way any more, or soon after. New sessions may be attended at any time.
   */
  letGo(): Promise<void>;
}

/** What is found out about a running session's runner at boot (R3), by whoever can look. */
export type Verdict =
  /** It lives, or is still settling: a waiter takes it over where it is. */
  | { readonly kind: "adopt" }
  /** It ended while nobody watched. */
  | { readonly kind: "finish"; readonly ended: Ended }
  /** Given up before anything acted (R2). */
  | { readonly kind: "requeue" }
  | { readonly kind: "lost"; readonly detail: string | null }
  /** Could not be found out: the slot stays held. */
  | { readonly kind: "unknown" };

/** Asked once per running session at boot, side by side; unanswered within 2 s counts as unknown (P12). */
export type BootProbe = (session: LiveSession) => Promise<Verdict>;

export type WriterState =
  /** Nobody is known to be the writer, or the database is away. */
  | "waiting-for-lease"
  /** Another server is the writer. */
  | "following"
  | "loading"
  /** Running sessions are being probed; nothing is granted yet. */
  | "booting"
  | "writing"
  /** The outcome of a commit is unknown; rows are read back. */
  | "recovering"
  | "stopped";

/** Figures for metrics and the pool page (P22): plain numbers, counted where things happen, never decided upon. */
export interface Vitals {
  readonly state: WriterState;
  readonly epoch: Epoch;
  readonly mailboxDepth: number;
  /** Age of the oldest letter in ms; 0 when empty. */
  readonly oldestLetterMs: number;
  readonly commits: number;
  readonly lastBatchSize: number;
  readonly largestBatchSize: number;
  readonly lastCommitMs: number;
  readonly commitMsTotal: number;
  readonly ordersTotal: number;
  readonly grants: number;
  /** Sum over grants of the time between queueing and grant. */
  readonly waitMsTotal: number;
  readonly releases: number;
  readonly refused: number;
  readonly unknownOutcomes: number;
  readonly crashes: number;
  readonly rebuilds: number;
  readonly staleMessages: number;
  /** Free slots × seconds while somebody eligible waited. */
  readonly idleSlotSeconds: number;
  readonly watchedSessions: number;
  /** How often this server became the writer. */
  readonly takeovers: number;
}
