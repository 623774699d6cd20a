/**
 * What the product needs from git: a worktree and a branch per task, work saved at every ending, a diff to read.
 * Git writes are serial per real git directory (W1); nothing here ever touches the user's own working tree.
 */
import type { ProjectId, TaskId } from "../core/words";

/** Expected refusals, each with one plain sentence for people. */
export interface Refused {
  readonly kind: "refused";
  readonly code: "REPOSITORY_UNUSABLE" | "NO_COMMIT" | "GIT_MISSING";
  readonly message: string;
}

export interface RepositoryFacts {
  readonly kind: "ok";
  /** Absolute path of the repository as it is used (a clone URL is resolved to its clone). */
  readonly path: string;
  /** The branch that is checked out or HEAD's name: the default base. */
  readonly defaultBranch: string;
  /** Of a clone whose last fetch failed, or whose login cannot be read; absent: nothing of the kind. */
  readonly trouble?: FetchTrouble;
}

export interface FetchTrouble {
  /** For people, whole sentences. */
  readonly message: string;
  /** It will not go by itself (login refused, repository gone): sessions do not start. Else they start from what is here. */
  readonly isLasting: boolean;
}

export interface WorktreeRequest {
  readonly projectId: ProjectId;
  /** Absolute path of the repository. */
  readonly repository: string;
  readonly baseBranch: string;
  readonly taskId: TaskId;
  readonly number: number;
  readonly title: string;
  /** Stored at the task's first session and re-used after; null the first time. */
  readonly branch: string | null;
}

export interface Worktree {
  readonly kind: "ok";
  readonly path: string;
  readonly branch: string;
  /** The commit the branch started from. */
  readonly baseCommit: string;
  /** Of new work whose repository could not be fetched: a sentence that says from when its base is. */
  readonly stale?: string;
}

export interface SaveRequest {
  readonly repository: string;
  readonly worktree: string;
  readonly branch: string;
  readonly baseCommit: string;
  /** What is counted is then what the branch changes against where it met this base last; absent: since it was begun. */
  readonly baseBranch?: string;
  /** First line and body of the commit. */
  readonly message: string;
}

export interface Saved {
  readonly kind: "saved";
  readonly headCommit: string;
  /** What the branch changes, as in its diff. */
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  /** Files that stay uncommitted because they are too big or look like a secret (W2). */
  readonly leftOut: readonly string[];
  /** There was no worktree any more: only what was on the branch is told. */
  readonly isWorktreeGone: boolean;
}

export interface DiffFile {
  readonly path: string;
  readonly oldPath: string | null;
  readonly status: "added" | "modified" | "deleted" | "renamed" | "mode-changed";
  readonly isBinary: boolean;
  readonly additions: number;
  readonly deletions: number;
  /** Unified patch of this file; null when binary or larger than the limit (`isCut`). */
  readonly patch: string | null;
  readonly isCut: boolean;
}

export interface MergeRequest {
  readonly repository: string;
  readonly baseBranch: string;
  /** The task's branch, and where it started. */
  readonly branch: string;
  readonly baseCommit: string;
  /** First line and body of the merge commit. */
  readonly message: string;
  /** The person who merges. */
  readonly author: { readonly name: string; readonly email: string };
}

export interface Merged {
  readonly kind: "merged";
  /** The commit on the base that brought the branch in: made now, or found when the base had the branch already. */
  readonly commit: string;
}

export interface PushRequest {
  readonly repository: string;
  readonly baseBranch: string;
  readonly branch: string;
  readonly what: "branch" | "base";
}

export interface Pushed {
  readonly kind: "pushed";
  /** The remote's name. */
  readonly remote: string;
}

/** Why a review could not end this way; nothing was changed. */
export interface ReviewRefused {
  readonly kind: "refused";
  /** `CONFLICT`: a hook of the repository's own said no. */
  readonly code:
    | "MERGE_CONFLICT"
    | "BASE_NOT_CLEAN"
    | "NOTHING_TO_MERGE"
    | "PUSH_REFUSED"
    | "REPOSITORY_UNUSABLE"
    | "CONFLICT";
  readonly message: string;
  /** Where the base is checked out. */
  readonly path?: string;
  /** In conflict, or in the way; 100 at most. */
  readonly files?: readonly string[];
}

export interface Workspace {
  /** Local checks only (≤ 200 ms): path, repository, first commit (W1). Never fetches. */
  inspect(repository: string): Promise<RepositoryFacts | Refused>;
  /** Null: new work may start from this branch, which exists here or on origin; else one sentence that names some that do. */
  refuseBase(repository: string, baseBranch: string): Promise<Refused | null>;
  /** Makes a small repository under the data directory and returns its path. */
  makeSample(projectId: ProjectId): Promise<string>;
  /** Clones `url` once under the data directory. `onProgress` gets git's own lines, credentials masked. */
  clone(
    projectId: ProjectId,
    url: string,
    options?: { readonly onProgress?: (line: string) => void; readonly signal?: AbortSignal },
  ): Promise<RepositoryFacts | Refused>;
  /**
   * Lets the project's clone follow another address or login: checked first, then kept. Branches stay. Refused, with
   * nothing changed: what cannot be fetched, has no such base branch, or holds another history.
   */
  moveClone(projectId: ProjectId, url: string, baseBranch: string): Promise<RepositoryFacts | Refused>;
  /** The login of a removed project's clone; the clone with its branches stays. */
  forgetLogin(projectId: ProjectId): Promise<void>;
  /** What of the login of the project's clone is secret, to be masked in whatever its agents print (A3); often nothing. */
  loginSecrets(projectId: ProjectId): Promise<readonly string[]>;
  /** Removes what `clone` or `makeSample` made for a project that did not come about. */
  discard(projectId: ProjectId): Promise<void>;
  /** Worktree and branch of the task, made or found again. May be slow: hooks, big trees. */
  prepare(request: WorktreeRequest, signal?: AbortSignal): Promise<Worktree | Refused>;
  /** Commits everything uncommitted on the task's branch (W2); throws with a plain message when that fails. */
  save(request: SaveRequest): Promise<Saved>;
  /**
   * What the branch (plus uncommitted work, if the worktree is there) changes against the base commit, or against where it
   * met `baseBranch` last. With `file` only that one, with a longer patch than among all of them; nothing when it is not
   * changed.
   */
  diff(request: {
    repository: string;
    worktree: string | null;
    branch: string;
    baseCommit: string;
    baseBranch?: string;
    file?: string;
  }): Promise<DiffFile[]>;
  /**
   * Merges the branch into the base (W4): a merge commit, and the base moves from what it was, never forced. Where the base
   * is checked out, that tree moves with it, if it is clean and there. Harmless twice.
   */
  merge(request: MergeRequest): Promise<Merged | ReviewRefused>;
  /** Sends the task's branch or the base to the remote, with the login the repository has; never forced. */
  push(request: PushRequest): Promise<Pushed | ReviewRefused>;
  /**
   * Removes the worktree when nothing in it is unsaved; the branch stays. True when removed. `mayGo` is asked last, when
   * nobody else can prepare a worktree of this repository.
   */
  tidy(request: { repository: string; worktree: string; mayGo?: () => Promise<boolean> }): Promise<boolean>;
}
