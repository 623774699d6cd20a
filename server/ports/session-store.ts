/** Reads of session rows. Live rows are changed by the pool's writer only (P19); this port has no verb that writes. */
import type {
  AgentId,
  FailureKind,
  HoldReason,
  Millis,
  ProjectId,
  SessionId,
  SessionPhase,
  SessionStatus,
  TaskId,
  UserId,
} from "../core/words";

export interface StoredSession {
  readonly id: SessionId;
  /** Creation order; never changes. */
  readonly seq: number;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly status: SessionStatus;
  readonly phase: SessionPhase | null;
  readonly phaseSince: Millis | null;
  readonly attempt: number;
  readonly seat: number | null;
  readonly held: HoldReason | null;
  readonly heldDetail: string | null;
  readonly heldUntil: Millis | null;
  readonly mode: "work" | "plan";
  readonly message: string | null;
  readonly queuedAt: Millis;
  readonly startedAt: Millis | null;
  readonly finishedAt: Millis | null;
  readonly cancelledBy: UserId | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly failureKind: FailureKind | null;
  readonly failureDetail: string | null;
  readonly workUnsaved: string | null;
  readonly leftOut: readonly string[];
  readonly files: number | null;
  readonly additions: number | null;
  readonly deletions: number | null;
  /** Whether a follow-up goes on with its conversation (A5); null: it has none, or none was told. */
  readonly continues: boolean | null;
  readonly lastAction: string | null;
  readonly outputBytes: number | null;
  readonly lastOutputAt: Millis | null;
  readonly adoptedAt: Millis | null;
  /** Retention took it (R14). */
  readonly outputRemoved: boolean;
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly question: Readonly<Record<string, unknown>> | null;
}

export interface SessionStore {
  session(id: SessionId): Promise<StoredSession | null>;
  /** Of its agent, a removed one included: in which language its output is written. Null: the session is not there. */
  agentKind(id: SessionId): Promise<string | null>;
  /** Newest first; `after`: only older than this session. */
  ofTask(taskId: TaskId, after: SessionId | null, limit: number): Promise<StoredSession[]>;
  /** Live ones that nobody stops yet, and whose task, project, membership or account has ended (S6); oldest first. */
  withoutRight(limit: number): Promise<StoredSession[]>;
  /** Waiting or running ones, by what shall be removed. */
  live(of: { readonly projectId?: ProjectId; readonly userId?: UserId }): Promise<StoredSession[]>;
}
