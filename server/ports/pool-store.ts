/**
 * What the pool's writer needs of the database: reading live rows, one statement per batch, and the lease that says who
 * the writer is. Whoever implements it passes the suites of the pool (`server/testing/pool-*.suite.ts`).
 */
import type { SlotTime } from "../core/pool/durations";
import type { NewSession } from "../core/pool/events";
import type { Caps, PoolRows, PoolWrites } from "../core/pool/rows";
import type { Epoch, Millis, SessionId, TaskId, UserId } from "../core/words";
import type { Beside } from "./pool-link";

/** What a commit really did, to be compared with what was expected of it. */
export type Committed =
  /** The lease row was not ours at this epoch: nothing was changed. */
  | { readonly kind: "fenced" }
  | {
      readonly kind: "done";
      readonly ended: ReadonlySet<SessionId>;
      readonly changed: ReadonlySet<SessionId>;
      /** The numbers the database gave to the new rows. */
      readonly inserted: ReadonlyMap<SessionId, number>;
    };

/** The database refused the statement: nothing of it happened. */
export class CommitRefused extends Error {
  /** True: somebody keeps a row locked, the same may pass later. False: the same would be refused again. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = "CommitRefused";
    this.isPassing = isPassing;
  }
}

/** Waits for a grant without being in the pool's memory yet (P1): inserted by a server that is not the writer. */
export interface Inserted {
  readonly sessionId: SessionId;
  readonly existing: boolean;
  readonly position: number | null;
}

export interface PoolStore {
  /** Writes the settings of a first start; later ones stay as they are. */
  ensureSettings(first: Caps): Promise<void>;
  /** Every live row, the settings, and what users keep. */
  load(): Promise<PoolRows>;
  /** The part of these users, and of whoever has a live session of one of these tasks. */
  loadUsers(userIds: readonly UserId[], taskIds: readonly TaskId[]): Promise<{ rows: PoolRows; userIds: Set<UserId> }>;
  /**
   * One statement, one commit, fenced by the epoch. Throws `CommitRefused` when nothing happened for certain; any other
   * error means that the outcome is unknown. `beside`: what goes to other servers with it.
   */
  commit(epoch: Epoch, writes: PoolWrites, beside?: Beside | null): Promise<Committed>;
  /** A queued row without the writer (P1, P12), a newcomer. Answers the session the task has, if it has one. */
  insertQueued(sessionId: SessionId, session: NewSession, at: Millis): Promise<Inserted>;
  /** Endings of sessions that held a slot, the newest first: none that ended before `since`, `limit` at most (P15). */
  recentEndings(which: { readonly since: Millis; readonly limit: number }): Promise<readonly SlotTime[]>;
  close(): Promise<void>;
}

export type LeaseTaken =
  | { readonly kind: "taken"; readonly epoch: Epoch }
  | { readonly kind: "held"; readonly holder: string; readonly expiresInMs: number };

/** The lease row (P19). All times are the database's. */
export interface LeaseStore {
  /**
   * Takes the lease when it is free, expired, already this holder's, or held by `deadHolder`. Always with a new epoch:
   * whatever was still on its way under the old one changes nothing, and what is being committed is waited for.
   */
  take(holder: string, ttlMs: number, deadHolder: string | null): Promise<LeaseTaken>;
  /** False: it is not ours any more. */
  renew(holder: string, epoch: Epoch, ttlMs: number): Promise<boolean>;
  /** So that the next server takes over at once (R5). */
  giveUp(holder: string, epoch: Epoch): Promise<void>;
  close(): Promise<void>;
}
