/**
 * What the supervisor reads about a session beside what the pool holds, and the one thing it writes: the task's worktree
 * and branch, made at its first session (W1). Rows of the session itself are changed by the pool's writer only (P19).
 */
import type { AgentId, AttemptRef, ProjectId, SessionId, TaskId } from "../core/words";
import type { OpenedVariables } from "./variable-store";

export interface SessionFacts {
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly taskId: TaskId;
  readonly number: number;
  readonly title: string;
  readonly prompt: string;
  /** Follow-up text (A5); null: the task's prompt is what the agent gets. */
  readonly message: string | null;
  readonly agent: {
    readonly id: AgentId;
    readonly kind: string;
    readonly name: string;
    readonly settings: unknown;
  };
  /**
   * The newest conversation of this agent about this task, in an earlier session (A5). `costUsd`: what it had cost until
   * then, as far as the agent told. Null: there is none, or it was lost.
   */
  readonly earlier: { readonly conversation: string; readonly costUsd: number | null } | null;
  /** Absolute path of the git repository. */
  readonly repository: string;
  readonly baseBranch: string;
  /** Null until the task's first session. */
  readonly branch: string | null;
  readonly worktree: string | null;
  readonly baseCommit: string | null;
  readonly longestRunMs: number;
  /** Without output for so long, an agent counts as quiet (R9). */
  readonly quietNoticeMs: number;
  readonly setupScript: string | null;
  /** What the project gives its agents beside, as it is now. */
  readonly variables: OpenedVariables;
}

export interface StoredWorktree {
  readonly path: string;
  readonly branch: string;
  readonly baseCommit: string;
}

export interface SessionRecord {
  /** Null: the session, its task or its agent is no longer there. */
  read(sessionId: SessionId): Promise<SessionFacts | null>;
  storeWorktree(taskId: TaskId, worktree: StoredWorktree): Promise<void>;
  /** The attempts that hold a slot according to the rows. */
  runningAttempts(): Promise<AttemptRef[]>;
}
