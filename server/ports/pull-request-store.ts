/** Rows of what ties projects and tasks to GitHub: a project's token and its label for issues, a task's pull request. */
import type { Millis, ProjectId, TaskId, UserId } from "../core/words";
import type { PullRequestReview, PullRequestState } from "./github";

export interface StoredGitHub {
  /** Null: it was sealed with an installation's secret that is lost, and has to be entered again. */
  readonly token: string | null;
  /** Null: GitHub's own. */
  readonly apiUrl: string | null;
  readonly changedAt: Millis;
  readonly label: IssueLabel | null;
  readonly issues: IssuesRead;
}

/** Open issues with it come in as tasks. */
export interface IssueLabel {
  readonly name: string;
  /** Who set it; null: that account is gone. */
  readonly by: UserId | null;
}

/** The last look for issues. */
export interface IssuesRead {
  /** Null: nobody looked yet, or token, address or label are others since. */
  readonly at: Millis | null;
  /** Why it failed or left some out, one sentence; null: it did not. */
  readonly problem: string | null;
}

export interface ProjectGitHubStore {
  /** Null: none was set. */
  read(projectId: ProjectId): Promise<StoredGitHub | null>;
  set(
    projectId: ProjectId,
    set: { readonly token: string; readonly apiUrl: string | null; readonly label: IssueLabel | null },
    at: Millis,
  ): Promise<void>;
  remove(projectId: ProjectId): Promise<void>;
  /** Projects that are there and have a label for issues, looked at longest ago first. */
  labelled(limit: number): Promise<ProjectId[]>;
  issuesRead(projectId: ProjectId, read: IssuesRead): Promise<void>;
}

export interface StoredPullRequest {
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly apiUrl: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly number: number;
  readonly url: string;
  readonly base: string;
  readonly state: PullRequestState;
  readonly isDraft: boolean;
  readonly openedBy: UserId;
  readonly openedAt: Millis;
  /** Null: not read yet. */
  readonly review: PullRequestReview | null;
  /** When its state or review became another one. */
  readonly changedAt: Millis;
  readonly readAt: Millis | null;
  /** Why the last look failed, one sentence; null: it did not. */
  readonly problem: string | null;
}

export interface PullRequestStore {
  ofTask(taskId: TaskId): Promise<StoredPullRequest | null>;
  /** A task has one; another one takes the place of the former. */
  put(row: Omit<StoredPullRequest, "projectId">): Promise<void>;
  /** Changes what was read, of this number only: another one may have taken its place. */
  saw(
    taskId: TaskId,
    number: number,
    seen: Pick<StoredPullRequest, "state" | "isDraft" | "review" | "changedAt" | "readAt" | "problem">,
  ): Promise<void>;
  /** Open ones of tasks and projects that are there and have a token, looked at longest ago first. */
  open(limit: number): Promise<StoredPullRequest[]>;
}
