/** Task rows. Removed tasks are not there for any verb; their branches are (W2). */
import type { CardState } from "../core/task/board";
import {
  type AgentId,
  isLive,
  type Millis,
  type OutcomeKind,
  type ProjectId,
  type SessionId,
  type Shelf,
  type TaskId,
  type UserId,
} from "../core/words";
import type { ImportedIssue, IssueRef } from "./issue-store";
import type { StoredPullRequest } from "./pull-request-store";
import type { StoredSession } from "./session-store";
import type { Saved } from "./workspace";

export interface StoredTask {
  readonly id: TaskId;
  readonly projectId: ProjectId;
  readonly number: number;
  readonly title: string;
  readonly prompt: string;
  readonly agentId: AgentId | null;
  readonly createdBy: UserId | null;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  readonly shelf: Shelf;
  readonly shelfSessionId: SessionId | null;
  readonly shelfBy: UserId | null;
  readonly shelfAt: Millis | null;
  readonly orderKey: string;
  readonly branch: string | null;
  readonly worktree: string | null;
  readonly baseCommit: string | null;
  readonly outcome: Outcome | null;
  readonly pushedAt: Millis | null;
  /** What was pushed then: the task's branch or the base; null: nothing, or nobody noted it. */
  readonly pushedBranch: string | null;
}

/** What a person made of the work (W4). */
export interface Outcome {
  readonly kind: OutcomeKind;
  readonly at: Millis;
  readonly by: UserId;
  /** Of a merge: the commit on the base that brought the branch in. Of a merge and a pull request: the base branch. */
  readonly commit: string | null;
  readonly base: string | null;
}

/** A task with what its column and its card are made from, read in one statement. */
export interface StoredCard {
  readonly task: StoredTask;
  readonly newest: StoredSession | null;
  readonly newestStartedId: SessionId | null;
  readonly sessionCount: number;
  readonly pullRequest: Pick<StoredPullRequest, "number" | "url" | "state" | "isDraft" | "changedAt"> | null;
  /** The one it came from. */
  readonly issue: IssueRef | null;
}

export interface NewTaskRow {
  readonly id: TaskId;
  readonly projectId: ProjectId;
  readonly title: string;
  readonly prompt: string;
  readonly agentId: AgentId | null;
  readonly createdBy: UserId | null;
  readonly at: Millis;
  /** The one it comes from: kept with the task in one commit, so that it comes in once. */
  readonly issue?: ImportedIssue | undefined;
}

export interface TaskChange {
  readonly title?: string | undefined;
  readonly prompt?: string | undefined;
  readonly agentId?: AgentId | null | undefined;
}

export interface Placement {
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  /** The card it shall stand before; null: at the end. */
  readonly before: TaskId | null;
  readonly by: UserId;
  readonly at: Millis;
  /** Asked with the card as it is while nobody else in the project can move one; null: leave it. */
  shelfFor(card: CardState): Shelf | null;
  /** Written with a place in Done; absent: what stands there stays. A card that leaves Done has none. */
  readonly outcome?: Outcome;
}

export interface TaskStore {
  card(id: TaskId): Promise<StoredCard | null>;
  /** By number; `promptChars`: prompts are cut to their beginning. */
  cards(
    projectId: ProjectId,
    which: { readonly ids: readonly TaskId[] } | { readonly after: TaskId | null; readonly limit: number },
    promptChars: number,
  ): Promise<StoredCard[]>;
  /**
   * Gives the next number and a place at the end of Backlog. False: the project is gone, a task had this id already, or
   * its issue came into the project before.
   * Two calls with one id in the same moment: the later one fails.
   */
  create(task: NewTaskRow): Promise<boolean>;
  change(id: TaskId, change: TaskChange, at: Millis): Promise<void>;
  /** Moves within a project happen one after the other, so no card is lost and no two share a place (B3). */
  place(placement: Placement): Promise<"placed" | "left" | "gone">;
  pushed(id: TaskId, branch: string, at: Millis): Promise<void>;
  /** What ended sessions could not save is on the branch now (W2), and what the branch changes is told of the newest one that ran. */
  workSaved(id: TaskId, saved: Omit<Saved, "kind" | "isWorktreeGone">): Promise<void>;
  /** A card in Done stays there, whatever has run since it was put there. */
  keepDone(id: TaskId): Promise<void>;
  remove(id: TaskId, at: Millis): Promise<void>;
}

/** What the card's column is computed from, as its rows tell it. */
export function cardState({ task, newest, newestStartedId }: StoredCard): CardState {
  const live = newest !== null && isLive(newest.status) ? newest.status : null;
  return { shelf: task.shelf, shelfSessionId: task.shelfSessionId, live, newestStartedId };
}
