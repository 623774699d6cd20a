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
  /** Of a merge that a crash cut off in somebody's tree and that could not be put right yet: whole sentences; absent: none. */
  readonly cutOff?: string;
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
  /** Of new work whose base may not be the newest (not fetched, or apart from the remote's): what it lacks, in a sentence. */
  readonly stale?: string;
  /** In whose name commits are made there by an agent, as git knows nobody on this machine; absent: git knows. */
  readonly author?: Author;
}

export interface Author {
  readonly name: string;
  readonly email: string;
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

export interface BranchOnBase {
  readonly repository: string;
  readonly baseBranch: string;
  /** The task's branch, and where it started. */
  readonly branch: string;
  readonly baseCommit: string;
}

export interface MergeRequest extends BranchOnBase {
  /** First line and body of the merge commit. */
  readonly message: string;
  /** The person who merges. */
  readonly author: Author;
  /** Somebody said yes to files that come into the base with the marks of a conflict; absent: those are `CONFIRM`. */
  readonly mayLeaveMarks?: boolean;
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
  /** `CONFLICT`: a hook of the repository's own said no. `CONFIRM`: it can, once somebody said yes to what `files` hold. */
  readonly code:
    | "CONFIRM"
    | "MERGE_CONFLICT"
    | "BASE_NOT_CLEAN"
    | "NOTHING_TO_MERGE"
    | "PUSH_REFUSED"
    | "REPOSITORY_UNUSABLE"
    | "CONFLICT";
  readonly message: string;
  /** Where the base is checked out. */
  readonly path?: string;
  /** In conflict, with marks of one, or in the way; 100 at most. */
  readonly files?: readonly string[];
  /** Of what kind the conflict in each of `files` is, in their order. */
  readonly kinds?: readonly string[];
}

/** Below the data directory; a person's own repository is not counted. */
export interface DiskUse {
  /** Folders, also those that were kept aside. */
  readonly worktrees: number;
  readonly worktreesBytes: number;
  /** Of the clone or sample; null: the project has neither. */
  readonly repositoryBytes: number | null;
}

/** What a merge of a branch into its base would meet and leave out, as both are here. */
export interface MergeOutlook {
  /** Commits of the base that the branch lacks; null: one of the two is not there. */
  readonly behind: number | null;
  /** What a merge by hand would do and ours does not: hooks by name, and the setting `commit.gpgSign`. */
  readonly passedOver: readonly string[];
}

export interface Workspace {
  /** Local checks only (≤ 200 ms): path, repository, first commit (W1). Never fetches. */
  inspect(repository: string): Promise<RepositoryFacts | Refused>;
  /** Null: new work may start from this branch, which exists here or on origin; else one sentence that names some that do. */
  refuseBase(repository: string, baseBranch: string): Promise<Refused | null>;
  /** Null: a project may go on in this folder, which has the history of the `former` one, where that is there, and these commits. */
  refuseOtherFolder(repository: string, former: string, commits: readonly string[]): Promise<Refused | null>;
  /** Makes a small repository under the data directory and returns its path. */
  makeSample(projectId: ProjectId): Promise<string>;
  /** Clones `url` once under the data directory. `onProgress` gets git's own lines, credentials masked. `signal`: it is given up. */
  clone(
    projectId: ProjectId,
    url: string,
    options?: { readonly onProgress?: (line: string) => void; readonly signal?: AbortSignal | undefined },
  ): Promise<RepositoryFacts | Refused>;
  /**
   * Lets the project's clone follow another address or login: checked first, then kept. Branches stay. Refused, with
   * nothing changed: what cannot be fetched, has no such base branch, holds another history, or was given up (`signal`).
   */
  moveClone(
    projectId: ProjectId,
    url: string,
    baseBranch: string,
    signal?: AbortSignal,
  ): Promise<RepositoryFacts | Refused>;
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
  mergeOutlook(request: Omit<BranchOnBase, "baseCommit">): Promise<MergeOutlook>;
  /**
   * Merges the branch into the base (W4): a merge commit, and the base moves from what it was, never forced. Where the base
   * is checked out, that tree moves with it, if it is clean and there. Files that would bring marks of a conflict into the
   * base are asked about first (`CONFIRM`). Harmless twice.
   */
  merge(request: MergeRequest): Promise<Merged | ReviewRefused>;
  /** Whether the base has all of a branch that changed something; false also where that cannot be told. */
  isMerged(request: BranchOnBase): Promise<boolean>;
  /**
   * Puts right what merges that a crash cut off left in people's trees (W4), one repository after the other. True: nothing is
   * left. `repository`: only that one, and after 10 s the answer is false and the mending goes on. Never rejects for one tree.
   */
  mendMoves(repository?: string): Promise<boolean>;
  /** Sends the task's branch or the base to the remote, with the login the repository has; never forced. */
  push(request: PushRequest): Promise<Pushed | ReviewRefused>;
  /**
   * Removes the worktree when nothing in it is unsaved; the branch stays. True when removed. `mayGo` is asked last, when
   * nobody else can prepare a worktree of this repository.
   */
  tidy(request: { repository: string; worktree: string; mayGo?: () => Promise<boolean> }): Promise<boolean>;
  /** How much room the project takes on the disk now; null: it could not be measured. May take minutes. */
  diskUse(projectId: ProjectId): Promise<DiskUse | null>;
}
