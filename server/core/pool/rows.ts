/**
 * A live session as the pool holds it, and what its writer changes in rows. Only types and the order within a line.
 * Rows are never changed in place, with one exception: `seq` of a session that no reader has seen yet.
 */
import type { Ended } from "../session/lifecycle";
import type { Question } from "../session/question";
import type {
  AgentId,
  Attempt,
  Epoch,
  HoldReason,
  Millis,
  ProjectId,
  SessionId,
  SessionPhase,
  TaskId,
  UserId,
} from "../words";

export interface Hold {
  readonly reason: HoldReason;
  /** What is unusable, in words for people. */
  readonly detail: string | null;
  readonly until: Millis | null;
}

export interface Caps {
  readonly globalMax: number;
  readonly perUserMax: number;
  readonly paused: boolean;
}

interface LiveFacts {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly attempt: Attempt;
  /** Creation order. Provisional (behind every known number) until the commit that inserts the row has told the real one. */
  seq: number;
  /** Overrides `seq` in the line's order once its user has reordered (P5). */
  readonly place: number | null;
  readonly queuedAt: Millis;
}

export interface QueuedRow extends LiveFacts {
  readonly status: "queued";
  readonly hold: Hold | null;
}

export interface RunningRow extends LiveFacts {
  readonly status: "running";
  readonly phase: SessionPhase;
  /** The writer's term that granted the slot. */
  readonly epoch: Epoch;
  /** Which grant of the pool this was. */
  readonly grantSeq: number;
  /** The chair, from 0; kept until release. */
  readonly seat: number;
  readonly startedAt: Millis;
  /** Set once a cancel is committed: whatever happens then, the ending is `cancelled` (P17). */
  readonly cancelledBy: UserId | null;
}

export type LiveRow = QueuedRow | RunningRow;

/** What a user keeps beside their sessions: the override of their cap and the number of their last grant (P6). */
export interface UserRow {
  readonly userId: UserId;
  readonly max: number | null;
  readonly lastGrantSeq: number | null;
}

/** Everything the pool's memory is made from (P12). */
export interface PoolRows {
  readonly caps: Caps;
  readonly users: readonly UserRow[];
  readonly live: readonly LiveRow[];
  /** Of the live ones, those that were inserted beside the writer and that no writer has marked as taken in (P19). */
  readonly newcomers?: readonly SessionId[];
}

/** The end of a live row: conditional on the status and attempt it had (R1). */
export interface EndWrite {
  readonly sessionId: SessionId;
  readonly attempt: Attempt;
  readonly from: LiveRow["status"];
  readonly ended: Ended;
  readonly cancelledBy: UserId | null;
}

/** A new row, queued or running at once. */
export interface InsertWrite {
  readonly row: LiveRow;
  readonly mode: "work" | "plan";
  readonly message: string | null;
}

/** A live row that stays live: all its changeable columns, conditional on the status and attempt it had. */
export interface ChangeWrite {
  readonly from: LiveRow["status"];
  readonly fromAttempt: Attempt;
  readonly row: LiveRow;
  /** Null: as it was. */
  readonly lastAction: string | null;
  readonly outputBytes: number | null;
  readonly lastOutputAt: Millis | null;
  readonly adoptedAt: Millis | null;
  readonly question: Question | "none" | null;
}

/** One commit. A session stands in one of the three lists only, a task in ends or inserts, not both. */
export interface PoolWrites {
  readonly ends: readonly EndWrite[];
  readonly inserts: readonly InsertWrite[];
  readonly changes: readonly ChangeWrite[];
  readonly users: readonly UserRow[];
  readonly caps: Caps | null;
}

export function isNothing(writes: PoolWrites): boolean {
  const { ends, inserts, changes, users, caps } = writes;
  return ends.length + inserts.length + changes.length + users.length === 0 && caps === null;
}

export function compareInLine(a: LiveRow, b: LiveRow): number {
  return (a.place ?? a.seq) - (b.place ?? b.seq) || a.seq - b.seq;
}

export function compareByGrant(a: RunningRow, b: RunningRow): number {
  return a.grantSeq - b.grantSeq || a.seq - b.seq;
}
