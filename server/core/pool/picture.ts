/**
 * The shapes of the pool as people see it. Only types: `snapshot.ts` makes the pictures, the API and the live
 * channel hand them on, and the browser shows them. A picture is true for exactly one version (P13).
 */
import type {
  AgentId,
  Attempt,
  EndedStatus,
  Epoch,
  Millis,
  ProjectId,
  SessionId,
  SessionPhase,
  TaskId,
  UserId,
  WaitReason,
} from "../words";

/** Why a queued session waits (P14). */
export interface WaitingFor {
  readonly reason: WaitReason;
  /** For `your-limit`: the live sessions of the same user that run or go first, in that order; at most 10. */
  readonly sessions?: readonly SessionId[];
  /** For holds: until when, if known. */
  readonly until?: Millis;
  /** For holds: what is unusable, in words for people ("Codex is not installed here"). */
  readonly detail?: string;
}

/** Seconds until the start, from simulation; never without history (P15). */
export interface StartsIn {
  readonly p50: number;
  readonly p80: number;
}

/** One live session as the pool holds it. */
export interface LiveSession {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly attempt: Attempt;
  readonly status: "queued" | "running";
  readonly phase: SessionPhase | null;
  /** Place in the own line from 1; 0 = running; null = held. */
  readonly position: number | null;
  readonly ahead: number | null;
  readonly waitingFor: WaitingFor | null;
  readonly startsIn: StartsIn | null;
  /** The chair at the table, from 0; null while it waits. */
  readonly seat: number | null;
  readonly queuedAt: Millis;
  /** The grant; null while it waits. */
  readonly startedAt: Millis | null;
}

export interface UserCounts {
  readonly running: number;
  readonly max: number;
  readonly queued: number;
}

/**
 * Handed out by `Pool.snapshot()`: immutable, cheap to ask for, true for its version. `startsIn` alone is of the last forecast:
 * a newer one makes another picture of the same version.
 */
export interface PoolSnapshot {
  readonly epoch: Epoch;
  readonly version: number;
  readonly at: Millis;
  readonly paused: boolean;
  /** False until a writer is past its boot pass; then every reason is `pool-starting`. */
  readonly isReady: boolean;
  /** The machine is short of room: nothing is granted until it has some again (R14). */
  readonly isDiskShort: boolean;
  readonly global: UserCounts;
  /** For everybody who has no limit of their own. */
  readonly perUserMax: number;
  /** Limits of single people; the same object until one of them changes. */
  readonly limits: Iterable<readonly [UserId, number]>;
  /** Users with running or queued > 0. */
  users(): Iterable<readonly [UserId, UserCounts]>;
  /** Of these users so many of the queued sessions are held: they stand before nobody and take no seat. Only users with any. */
  held(): Iterable<readonly [UserId, number]>;
  /** Of one user. */
  heldOf(id: UserId): number;
  /** Counts of one user, zeros with the right `max` for anybody the pool has nothing of. */
  user(id: UserId): UserCounts;
  /** Live sessions of one user: running first, then their line in order, then held ones. */
  line(id: UserId): readonly LiveSession[];
  session(id: SessionId): LiveSession | undefined;
  /** The place of `session(id)` alone, which costs less: 0 = running, null = held or not there. */
  position(id: SessionId): number | null;
  /** The live session of a task, if any (P3). */
  ofTask(id: TaskId): LiveSession | undefined;
  /** Every live session: running first, then in the order in which the pool would grant; bounded by `limit`. */
  sessions(limit: number): readonly LiveSession[];
  /** Of which sessions the start was foreseen last; some of them may have left since. */
  foreseen(): Iterable<SessionId>;
}

/** What changed between two versions: enough to make any reader's delta without comparing everything. */
export interface PoolChange {
  readonly snapshot: PoolSnapshot;
  /** Users whose counts, line, positions or reasons may differ. `all` after a rebuild or a change of settings. */
  readonly touched: ReadonlySet<UserId> | "all";
  /** Sessions that ended with this change (they are in the snapshot no longer). */
  readonly ended: readonly SessionOver[];
  /** Sessions that changed status or phase with this change: boards re-read their cards. */
  readonly moved: readonly SessionTouched[];
  /** Who was granted a slot with this change, told by whoever granted it; absent: nobody. */
  readonly granted?: readonly SessionGranted[];
}

export interface SessionGranted {
  readonly sessionId: SessionId;
  readonly queuedAt: Millis;
  readonly startedAt: Millis;
}

export interface SessionTouched {
  readonly sessionId: SessionId;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly userId: UserId;
}

export interface SessionOver extends SessionTouched {
  readonly agentId: AgentId;
  /** The grant; null: it never held a slot. */
  readonly startedAt: Millis | null;
  readonly endedAt: Millis;
  readonly status: EndedStatus;
}
