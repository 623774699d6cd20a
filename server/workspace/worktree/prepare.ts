/**
 * Worktree and branch of a task, made or found again (W1, W3). Idempotent: whatever a crash, a person or an agent left
 * behind, a later call ends with a usable worktree or one plain sentence. Never touches the user's own working tree, never
 * deletes a folder or branch that may hold work.
 * Order not to break: what is in the way is moved aside, then the record says "making", then git acts (see task-record.ts).
 */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Refused, Worktree, WorktreeRequest } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { git, gitLine, READ_LIMIT_MS, tryGit, WITHOUT_HOOKS, WRITE_LIMIT_MS } from "../git/git";
import { WorkspaceProblem } from "../git/git-problem";
import { listWorktrees, type WorktreeEntry } from "../git/worktree-list";
import { exists } from "../places";
import { BRANCH_PREFIXES, folderName, freeBranchName } from "../repository/branch-name";
import { apartSentence } from "../repository/clone-base";
import { fetchClone } from "../repository/clone-fetch";
import { baseCommitOf, commitOf, inspectRepository, type Repository, refusedBy } from "../repository/repository";
import { fillWorktree } from "./fill";
import { mendLinks, moveAside, removeHalfMade, tendWorktree, unregister } from "./leftovers";
import { readRecord, recordPath, type TaskRecord, writeRecord } from "./task-record";

interface Claim {
  readonly path: string;
  readonly record: TaskRecord;
  /** Registered just now and still empty. */
  readonly isFresh: boolean;
}

export async function prepareWorktree(
  context: WorkspaceContext,
  request: WorktreeRequest,
  signal?: AbortSignal,
): Promise<Worktree | Refused> {
  const repository = await inspectRepository(context.places, request.repository);
  if (repository.kind === "refused") return repository;
  try {
    const task = `task:${request.projectId}/${request.number}`;
    return await context.turns.inProcess(task, () => makeOrFind(context, repository, request, signal));
  } catch (error) {
    if (signal?.aborted) throw error;
    return refusedBy(error, repository.path);
  }
}

async function makeOrFind(
  context: WorkspaceContext,
  repository: Repository,
  request: WorktreeRequest,
  signal: AbortSignal | undefined,
): Promise<Worktree> {
  const folder = context.places.worktreesOf(request.projectId);
  const file = recordPath(folder, request.number);
  const known = await readRecord(file, request.taskId);
  if (known?.state === "making") await removeHalfMade(context, repository, join(folder, known.folder), known);
  const lack = context.places.isClone(repository.path) ? await refresh(context, repository, request, signal) : null;

  const claiming = () => claimWorktree(context, repository, request, known);
  const { path, record, isFresh } = await context.turns.onGitDirectory(repository.gitDirectory, claiming, signal);
  if (isFresh) await fillWorktree(context, { repository, path, record, signal });
  else await tendWorktree(context, repository, path, record.branch);
  await writeRecord(file, { ...record, state: "ready" });
  // Work that goes on starts from its own branch, not from the base.
  const stale = lack === null || known ? {} : { stale: lack };
  const author = (await knowsWhoCommits(path)) ? {} : { author: context.author };
  return { kind: "ok", path, branch: record.branch, baseCommit: record.baseCommit, ...stale, ...author };
}

/** What the base of new work lacks after it, or may lack, in a sentence; null: nothing. */
async function refresh(
  context: WorkspaceContext,
  repository: Repository,
  { baseBranch }: WorktreeRequest,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const trouble = await fetchClone(context, repository, baseBranch, signal);
  return trouble?.message ?? apartSentence(repository.path, baseBranch);
}

/** Where git knows nobody, it refuses every commit of an agent. */
async function knowsWhoCommits(worktree: string): Promise<boolean> {
  return (await tryGit({ at: worktree, args: ["var", "GIT_COMMITTER_IDENT"], limitMs: READ_LIMIT_MS })).code === 0;
}

/** Runs in the git directory's turn: decides branch and folder, registers the worktree without files if there is none. */
async function claimWorktree(
  context: WorkspaceContext,
  repository: Repository,
  request: WorktreeRequest,
  known: TaskRecord | null,
): Promise<Claim> {
  const stored = request.branch ?? known?.branch ?? null;
  if (stored !== null) refuseOddBranch(stored);
  const { path, entries } = await findFolder(context, repository, request, known, stored);
  const here = entries.find((entry) => entry.path === path);
  const isOnDisk = await isThere(path);
  await refuseElsewhere(repository, entries, path, stored);

  const branch = stored ?? freeBranchName(request.number, request.title, await takenNames(repository, entries));
  const tip = await commitOf(repository.path, `refs/heads/${branch}`);
  const baseCommit = await findBaseCommit(repository, request, known, tip === null ? null : branch);
  const recordOf = (state: TaskRecord["state"]): TaskRecord => {
    return {
      state,
      taskId: request.taskId,
      branch,
      folder: path.slice(path.lastIndexOf("/") + 1),
      baseCommit,
    };
  };
  if (here && isOnDisk) {
    if (tip === null) await createBranch(repository, branch, baseCommit);
    return { path, record: recordOf("ready"), isFresh: false };
  }
  if (here) await unregister(repository, path);
  if (isOnDisk) await moveAside(context, path);
  const record = recordOf("making");
  await writeRecord(recordPath(context.places.worktreesOf(request.projectId), request.number), record);
  await register(repository, path, branch, tip === null ? baseCommit : null);
  return { path, record, isFresh: true };
}

/** Where this task's worktree is or shall be, and git's list after its links were mended. */
async function findFolder(
  context: WorkspaceContext,
  repository: Repository,
  request: WorktreeRequest,
  known: TaskRecord | null,
  stored: string | null,
): Promise<{ path: string; entries: WorktreeEntry[] }> {
  const parent = context.places.worktreesOf(request.projectId);
  const entries = await listWorktrees(repository.path);
  const isOwn = (entry: WorktreeEntry) =>
    entry.branch === stored && entry.path.startsWith(join(parent, `${request.number}-`));
  const registered = stored === null ? undefined : entries.find(isOwn);
  const name = folderName(request.number, request.title);
  const path = known ? join(parent, known.folder) : (registered?.path ?? join(parent, name));
  if (stored === null && entries.some((entry) => entry.path === path) && (await isThere(path))) {
    return { path: await freeFolder(path), entries }; // somebody's living worktree stands just there
  }
  const isMended = stored !== null && (await isThere(path)) && (await mendLinks(context, repository, path));
  return { path, entries: isMended ? await listWorktrees(repository.path) : entries };
}

async function freeFolder(path: string): Promise<string> {
  for (let count = 2; ; count++) {
    if (!(await isThere(`${path}-${count}`))) return `${path}-${count}`;
  }
}

/** A stored branch that is checked out in another folder cannot be ours as well; one whose folder is gone is set free. */
async function refuseElsewhere(
  repository: Repository,
  entries: readonly WorktreeEntry[],
  path: string,
  stored: string | null,
): Promise<void> {
  const elsewhere = entries.find((entry) => stored !== null && entry.branch === stored && entry.path !== path);
  if (!elsewhere) return;
  if (!(await exists(elsewhere.path))) return unregister(repository, elsewhere.path);
  throw new WorkspaceProblem(
    `The task's branch ${stored} is checked out in ${elsewhere.path}. Check out another branch there, then dispatch again.`,
  );
}

async function takenNames(repository: Repository, entries: readonly WorktreeEntry[]): Promise<string[]> {
  const patterns = BRANCH_PREFIXES.flatMap((prefix) => [`refs/heads/${prefix}`, `refs/remotes/*/${prefix}/*`]);
  const args = ["for-each-ref", "--ignore-case", "--format=%(refname)", ...patterns];
  const end = await git({ at: repository.path, args, limitMs: READ_LIMIT_MS });
  const refs = end.stdout.toString("utf8").split("\n").filter(Boolean);
  const names = refs.map((ref) => ref.replace(/^refs\/(heads|remotes\/[^/]+)\//, ""));
  return [...names, ...entries.flatMap((entry) => (entry.branch === null ? [] : [entry.branch]))];
}

/** As recorded; else where an existing branch left the base; else the base's newest commit. */
async function findBaseCommit(
  repository: Repository,
  request: WorktreeRequest,
  known: TaskRecord | null,
  existing: string | null,
): Promise<string> {
  if (known && existing === known.branch && (await commitOf(repository.path, known.baseCommit)))
    return known.baseCommit;
  const base = await baseCommitOf(repository.path, request.baseBranch);
  if (base === null) {
    throw new WorkspaceProblem(
      `The branch "${request.baseBranch}" does not exist in ${repository.path}. Choose another base branch in the project's settings.`,
    );
  }
  if (existing === null) return base;
  const args = ["merge-base", base, `refs/heads/${existing}`];
  const end = await tryGit({ at: repository.path, args, limitMs: READ_LIMIT_MS });
  return end.code === 0 ? end.stdout.toString("utf8").trim() : base;
}

async function createBranch(repository: Repository, branch: string, commit: string): Promise<void> {
  const args = ["update-ref", `refs/heads/${branch}`, commit, ""];
  await git({ at: repository.path, options: WITHOUT_HOOKS, args, limitMs: WRITE_LIMIT_MS });
}

/** Files come later and outside the turn: a big tree or a slow hook holds nobody up. */
async function register(repository: Repository, path: string, branch: string, startAt: string | null): Promise<void> {
  const what = startAt === null ? [path, branch] : ["--no-track", "-b", branch, path, startAt];
  const args = ["worktree", "add", "--no-checkout", ...what];
  await gitLine({ at: repository.path, options: WITHOUT_HOOKS, args, limitMs: WRITE_LIMIT_MS });
}

function refuseOddBranch(branch: string): void {
  if (/^-|[\s\0~^:?*[\\]|\.\.|@\{|^$/.test(branch))
    throw new WorkspaceProblem(`"${branch}" cannot be a branch's name.`);
}

/** Also true for a link that leads nowhere: something is in the way. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
