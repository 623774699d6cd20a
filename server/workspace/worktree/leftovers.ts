/**
 * What crashes, moves and agents leave behind, and how it is put right: half-made worktrees, folders git does not know, folders
 * that are gone, links that point to old places, locks of dead owners. Deletes only what provably holds no work: a worktree
 * whose making never ended, so no agent was ever in it.
 */
import { lstat, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceContext } from "../context";
import { git, READ_LIMIT_MS, TREE_LIMIT_MS, tryGit, WITHOUT_HOOKS, WRITE_LIMIT_MS } from "../git/git";
import { WorkspaceProblem } from "../git/git-problem";
import { endMarked, isGitAtWorkIn } from "../git/git-processes";
import { environmentOf, gitDirectoryByFile, gitDirectoryOfWorktree, listWorktrees } from "../git/worktree-list";
import type { Repository } from "../repository/repository";
import { MAKING_MARK } from "./fill";
import type { TaskRecord } from "./task-record";

/** Where the owner of a lock cannot be looked up, a lock untouched for so long has none. */
const LOCK_AGE_LIMIT_MS = 60_000;

/** Ends what still works on it, then removes folder and registration; the branch stays and is used again. */
export async function removeHalfMade(
  context: WorkspaceContext,
  repository: Repository,
  path: string,
  record: TaskRecord,
): Promise<void> {
  context.log(`The worktree ${path} was not finished; it is made anew.`);
  await endMarked(MAKING_MARK, path);
  const trash = (await isThere(path)) ? await context.places.toTrash(path) : null;
  await context.turns.onGitDirectory(repository.gitDirectory, async () => {
    const entries = await listWorktrees(repository.path);
    if (entries.some((entry) => entry.path === path)) await unregister(repository, path);
    await rm(join(repository.gitDirectory, "refs", "heads", `${record.branch}.lock`), { force: true });
  });
  if (trash !== null) await context.places.emptyTrash(trash, path);
}

/** Takes a worktree whose folder is gone off git's list; only this one, whatever else is missing at the moment. */
export async function unregister(repository: Repository, path: string): Promise<void> {
  const args = ["worktree", "remove", "--force", "--force", path];
  await git({ at: repository.path, args, limitMs: WRITE_LIMIT_MS });
}

/** Keeps a folder that git does not know under another name beside it. */
export async function moveAside(context: WorkspaceContext, path: string): Promise<void> {
  const stamp = new Date().toISOString().replace(/[-:]|\..*/g, "");
  for (let count = 1; ; count++) {
    const kept = count === 1 ? `${path}.kept-${stamp}` : `${path}.kept-${stamp}-${count}`;
    if (await isThere(kept)) continue;
    await rename(path, kept);
    context.log(`${path} was in the way and is kept as ${kept}.`);
    return;
  }
}

/**
 * After the repository or the data directory moved, or an agent damaged `.git`: makes worktree and repository point to each
 * other again. True when something was changed.
 */
export async function mendLinks(context: WorkspaceContext, repository: Repository, path: string): Promise<boolean> {
  const registered = await gitDirectoryOfWorktree(repository.gitDirectory, path);
  if (registered !== null && registered === (await gitDirectoryByFile(path))) return false;
  const dotGit = join(path, ".git");
  const isFolder = await lstat(dotGit).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder && registered === null) return false; // a repository of its own: the caller moves it aside
  if (isFolder) {
    const kept = `${path}.git-kept-${Date.now()}`;
    await rename(dotGit, kept);
    context.log(`${dotGit} was replaced by a repository; that is kept as ${kept}.`);
  }
  const end = await tryGit({ at: repository.path, args: ["worktree", "repair", path], limitMs: WRITE_LIMIT_MS });
  context.log(`git worktree repair ${path}: ${end.stderr.trim() || `code ${end.code}`}`);
  return true;
}

/** The worktree's private git directory, its links mended if need be. Throws a sentence when git does not know it. */
export async function ownGitDirectory(
  context: WorkspaceContext,
  repository: Repository,
  path: string,
): Promise<string> {
  const found = await gitDirectoryOfWorktree(repository.gitDirectory, path);
  if (found !== null) return found;
  const mending = () => mendLinks(context, repository, path);
  await context.turns.onGitDirectory(repository.gitDirectory, mending);
  const mended = await gitDirectoryOfWorktree(repository.gitDirectory, path);
  if (mended !== null) return mended;
  throw new WorkspaceProblem(`${path} is no longer a worktree of ${repository.path}; its files stay where they are.`);
}

/** For a worktree that is used again: no dead locks, and HEAD on the task's branch if that costs no file. */
export async function tendWorktree(
  context: WorkspaceContext,
  repository: Repository,
  path: string,
  branch: string,
): Promise<void> {
  const own = await ownGitDirectory(context, repository, path);
  await clearDeadLocks(context, repository, path, own, branch);
  await returnToBranch(context, path, own, branch);
}

/** Removes locks of a task's worktree, which are ours or its agent's, and of its branch, when no git works there. */
export async function clearDeadLocks(
  context: WorkspaceContext,
  repository: Repository,
  path: string,
  own: string,
  branch: string,
): Promise<void> {
  const { gitDirectory } = repository;
  for (const lock of ["index.lock", "HEAD.lock"]) await removeDeadLock(context, join(own, lock), [path, own]);
  // A branch can be locked from every tree of the repository.
  const anywhere = [path, own, repository.path, gitDirectory];
  await removeDeadLock(context, join(gitDirectory, "refs", "heads", `${branch}.lock`), anywhere);
}

/** Removes a lock that is ours to remove when no git works in these folders. */
export async function removeDeadLock(
  context: WorkspaceContext,
  lock: string,
  folders: readonly string[],
): Promise<void> {
  const found = await lstat(lock).catch(() => null);
  if (found === null) return;
  const isBusy = (await isGitAtWorkIn(folders)) ?? Date.now() - found.mtimeMs < LOCK_AGE_LIMIT_MS;
  if (isBusy) return;
  await rm(lock, { force: true });
  context.log(`${lock} was left by a git that is over and was removed.`);
}

/** Best effort: git itself refuses where a file would be overwritten, and then HEAD stays where it is. */
export async function returnToBranch(
  context: WorkspaceContext,
  path: string,
  own: string,
  branch: string,
): Promise<void> {
  const environment = environmentOf(path, own);
  const ask = ["symbolic-ref", "--quiet", "HEAD"];
  const head = await tryGit({ at: path, args: ask, environment, limitMs: READ_LIMIT_MS });
  if (head.stdout.toString("utf8").trim() === `refs/heads/${branch}`) return;
  const args = ["checkout", "--quiet", "--no-guess", "--no-recurse-submodules", branch, "--"];
  const end = await tryGit({ at: path, options: WITHOUT_HOOKS, args, environment, limitMs: TREE_LIMIT_MS });
  if (end.code !== 0) context.log(`${path} stays off its branch ${branch}: ${end.stderr.trim()}`);
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
