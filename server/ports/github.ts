/**
 * What the product needs from GitHub: a pull request opened, found again and read back, and the issues that shall come in
 * as tasks. What was asked before and did not change costs no part of the rate limit; while that is used up nothing is asked.
 */
import type { Millis } from "../core/words";

/** Where, and as whom. */
export interface GitHubPlace {
  /** `https://api.github.com`, or of a server of one's own `https://host/api/v3`. */
  readonly apiUrl: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly token: string;
}

export type PullRequestState = "open" | "merged" | "closed";

export interface PullRequest {
  readonly kind: "pull-request";
  readonly number: number;
  /** For people. */
  readonly url: string;
  readonly base: string;
  readonly state: PullRequestState;
  readonly isDraft: boolean;
  /** The newest commit of its branch. */
  readonly head: string;
  /** Of a merged one: the commit that brought it in. */
  readonly mergeCommit: string | null;
}

export interface Check {
  readonly name: string;
  readonly state: "passed" | "failed" | "running" | "skipped";
  readonly url: string | null;
}

export interface ReviewComment {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly url: string;
  readonly at: Millis;
  /** Of a comment on a line: the file, and the line in it; a line is null where the file has changed since. */
  readonly path: string | null;
  readonly line: number | null;
  /** The line's end of the patch that it was written about; empty when there is none. */
  readonly quote: string;
}

/** What others say of it. Null: the token may not read it. */
export interface PullRequestReview {
  readonly checks: readonly Check[] | null;
  readonly comments: readonly ReviewComment[] | null;
}

/** An expected no, with one sentence for people. The token is in none of them. */
export interface GitHubRefused {
  readonly kind: "refused";
  readonly reason: "bad-token" | "no-right" | "not-found" | "rate-limited" | "away" | "nothing-to-request" | "refused";
  readonly message: string;
  /** Of `rate-limited`: when it can be asked again. */
  readonly until?: Millis;
}

export interface NewPullRequest {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

/** Issues, and pull requests among them, of which one look reads the newest; the others come later. */
export const ISSUES_READ_MAX = 500;

export interface Issue {
  readonly number: number;
  /** GitHub's own, which stays when the repository is renamed; null: it told none. */
  readonly id: number | null;
  /** As somebody wrote them: not to be trusted, and of any length. */
  readonly title: string;
  readonly body: string;
}

export interface Issues {
  readonly kind: "issues";
  /** Newest first, without pull requests. */
  readonly issues: readonly Issue[];
  /** False: there may be more than were read. */
  readonly isAll: boolean;
}

export interface GitHub {
  /** The open one of this branch; null: there is none. */
  findOpen(place: GitHubPlace, head: string): Promise<PullRequest | null | GitHubRefused>;
  /** One that is open already for the branch is answered instead of a second one. */
  open(place: GitHubPlace, wanted: NewPullRequest): Promise<PullRequest | GitHubRefused>;
  read(place: GitHubPlace, number: number): Promise<PullRequest | GitHubRefused>;
  /** Checks of its newest commit, and comments; the 100 newest of each kind. */
  review(place: GitHubPlace, pullRequest: PullRequest): Promise<PullRequestReview | GitHubRefused>;
  /** Open ones with this label. */
  issues(place: GitHubPlace, label: string): Promise<Issues | GitHubRefused>;
}
