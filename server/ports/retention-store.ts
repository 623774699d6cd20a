/** Which output and which worktrees have been kept long enough (R14), from rows. Only ended sessions are ever touched. */
import type { Millis, SessionId, TaskId } from "../core/words";

export interface IdleWorktree {
  readonly taskId: TaskId;
  /** Absolute path of the repository. */
  readonly repository: string;
  readonly worktree: string;
}

export interface RetentionStore {
  /**
   * Marks the output of ended sessions as removed: what ended before `before`, and the oldest of what is more than
   * `mostBytes` together; at most `limit` at once. Answers how many.
   */
  markRemoved(which: { readonly before: Millis; readonly mostBytes: number; readonly limit: number }): Promise<number>;
  /** Those of these sessions whose output is marked as removed. */
  removedOf(sessionIds: readonly SessionId[]): Promise<Set<SessionId>>;
  /** Worktrees of tasks in Done and of removed ones, with nothing live and nothing that could not be saved; by task. */
  idleWorktrees(after: TaskId | null, limit: number): Promise<IdleWorktree[]>;
  isIdle(taskId: TaskId): Promise<boolean>;
  /** The task has no worktree any more; its branch stays. */
  worktreeGone(taskId: TaskId, worktree: string): Promise<void>;
}
