/**
 * Removes a worktree when nothing in it is unsaved; the branch stays. Keeps it in every doubt: changed, new or left-out files, a
 * commit on no branch, an operation in progress, a lock, a repository or submodule inside with commits of its own, a folder
 * that cannot be looked into.
 */
import { join } from "node:path";
import type { Workspace } from "../../ports/workspace";
import { unreadableFolders } from "../changes/unreadable";
import type { WorkspaceContext } from "../context";
import { git, READ_LIMIT_MS, TREE_LIMIT_MS, tryGit } from "../git/git";
import { WorkspaceProblem } from "../git/git-problem";
import { environmentOf, gitDirectoryOfWorktree, listWorktrees } from "../git/worktree-list";
import { exists } from "../places";
import { OPERATION_MARKS } from "../repository/head";
import { inspectRepository, type Repository } from "../repository/repository";
import { unregister } from "./leftovers";

export async function tidyWorktree(
  context: WorkspaceContext,
  request: Parameters<Workspace["tidy"]>[0],
): Promise<boolean> {
  const worktree = await context.places.find(request.worktree);
  if (!context.places.isWorktree(worktree)) throw new WorkspaceProblem(`${worktree} is not a worktree of Camelot.`);
  const repository = await inspectRepository(context.places, request.repository);
  if (repository.kind === "refused") return false;
  const taken = await context.turns.onGitDirectory(repository.gitDirectory, () =>
    takeAway(context, repository, worktree, request.mayGo ?? (async () => true)),
  );
  if (typeof taken === "boolean") return taken;
  await context.places.emptyTrash(taken.trash, worktree);
  return true;
}

/** Checks, takes the folder away in one step and strikes it off git's list. A boolean when there is nothing to delete. */
async function takeAway(
  context: WorkspaceContext,
  repository: Repository,
  worktree: string,
  mayGo: () => Promise<boolean>,
): Promise<boolean | { trash: string }> {
  const entry = (await listWorktrees(repository.path)).find((candidate) => candidate.path === worktree);
  const isThere = await exists(worktree);
  if (entry === undefined) return !isThere;
  if (entry.isLocked || (isThere && (await isUnsaved(repository, worktree))) || !(await mayGo())) return false;
  const trash = isThere ? await context.places.toTrash(worktree) : null;
  try {
    await unregister(repository, worktree);
  } catch (error) {
    // Half gone is neither: as long as git lists it, it stays.
    if (trash !== null) await context.places.fromTrash(trash, worktree);
    throw error;
  }
  return trash === null ? true : { trash };
}

async function isUnsaved(repository: Repository, worktree: string): Promise<boolean> {
  const own = await gitDirectoryOfWorktree(repository.gitDirectory, worktree);
  if (own === null) return true;
  for (const mark of OPERATION_MARKS) if (await exists(join(own, mark))) return true;
  const environment = environmentOf(worktree, own);
  const status = ["status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none"];
  const end = await tryGit({ at: worktree, args: status, environment, limitMs: TREE_LIMIT_MS });
  if (end.code !== 0 || end.stdout.length > 0) return true;
  if ((await unreadableFolders(worktree, environment, end.stderr)).length > 0) return true;
  const holding = ["for-each-ref", "--count=1", "--contains=HEAD", "refs/heads", "refs/remotes"];
  if ((await git({ at: worktree, args: holding, environment, limitMs: READ_LIMIT_MS })).stdout.length === 0)
    return true;
  for (const folder of await foldersOfSubmodules(worktree, environment)) if (await holdsOwnCommits(folder)) return true;
  return false;
}

/** Folders of gitlinks that are repositories here. */
async function foldersOfSubmodules(worktree: string, environment: Record<string, string>): Promise<string[]> {
  const end = await git({ at: worktree, args: ["ls-files", "--stage", "-z"], environment, limitMs: TREE_LIMIT_MS });
  const links = end.stdout
    .toString("utf8")
    .split("\0")
    .filter((line) => line.startsWith("160000 "));
  const folders = links.map((line) => join(worktree, line.slice(line.indexOf("\t") + 1)));
  const present = await Promise.all(folders.map((folder) => exists(join(folder, ".git"))));
  return folders.filter((_, index) => present[index]);
}

/** Commits (HEAD, branches, stash) that no remote of it has are lost with the folder. */
async function holdsOwnCommits(folder: string): Promise<boolean> {
  const args = ["rev-list", "--max-count=1", "HEAD", "--branches", "--glob=refs/stash", "--not", "--remotes"];
  const end = await tryGit({ at: folder, args, limitMs: READ_LIMIT_MS });
  if (end.code !== 0 || end.stdout.length > 0) return true;
  const nested = await foldersOfSubmodules(folder, {});
  for (const inner of nested) if (await holdsOwnCommits(inner)) return true;
  return false;
}
