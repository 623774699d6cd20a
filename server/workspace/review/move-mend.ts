/**
 * After a crash, or somebody else's move, in the middle of moving a checked-out tree: finishes the move when its index stands at the new commit
 * already, else gives the tree back what it had. Touches only files that are provably ours: gone, or the beginning of what
 * the new commit has at that path. One change of somebody's among them, and everything stays as it is for them to see.
 */
import { copyFile, lstat, readFile, readlink, realpath, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorkspaceContext } from "../context";
import { DURABLE, git, READ_LIMIT_MS, TREE_LIMIT_MS, tryGit, WITHOUT_HOOKS, WRITE_LIMIT_MS } from "../git/git";
import { WorkspaceProblem } from "../git/git-problem";
import { treeOf } from "../git/merge-commits";
import { exists } from "../places";
import { commitOf, type Repository } from "../repository/repository";
import { clearDeadLocks } from "../worktree/leftovers";
import { changedFiles } from "./base-trees";
import { forgetMove, type MoveRecord, readMove } from "./move-record";

/** To be called in the git directory's turn. Throws a sentence while a git is still at work in the tree. */
export async function mendMove(context: WorkspaceContext, repository: Repository): Promise<void> {
  const record = await readMove(context.places, repository.gitDirectory);
  if (record === null) return;
  const tip = await commitOf(repository.path, `refs/heads/${record.branch}`);
  const isKnown =
    (await commitOf(repository.path, record.from)) !== null && (await commitOf(repository.path, record.to)) !== null;
  if (tip !== null && tip !== record.to && isKnown && (await exists(join(record.own, "index")))) {
    await refuseBusy(context, repository, record);
    if (tip === record.from) await finishOrUndo(context, repository, record);
    else await followOther(context, record, tip);
  }
  await forgetMove(context.places, repository.gitDirectory);
}

async function refuseBusy(context: WorkspaceContext, repository: Repository, record: MoveRecord): Promise<void> {
  const { path, own, branch } = record;
  await clearDeadLocks(context, repository, path, own, branch);
  if (!(await exists(join(own, "index.lock")))) return;
  throw new WorkspaceProblem(`A git command is at work in ${path}. Try again in a moment.`);
}

async function finishOrUndo(context: WorkspaceContext, repository: Repository, record: MoveRecord): Promise<void> {
  const { path, branch, from, to } = record;
  const index = await treeOfIndex(context, record);
  if (index === (await treeOf(repository.path, to))) {
    const args = ["update-ref", "-m", "camelot: merge finished", `refs/heads/${branch}`, to, from];
    await git({ at: repository.path, options: [...DURABLE, ...WITHOUT_HOOKS], args, limitMs: WRITE_LIMIT_MS });
    context.log(`The merge into ${branch} that was cut off in ${path} is finished.`);
    return;
  }
  if (index !== (await treeOf(repository.path, from))) return;
  const isUndone = await undo(record);
  if (isUndone) context.log(`The merge into ${branch} that was cut off in ${path} is undone there.`);
}

/** Somebody moved the branch elsewhere while the tree moved: a tree that is still as we made it goes there, too. */
async function followOther(context: WorkspaceContext, record: MoveRecord, tip: string): Promise<void> {
  const { path, branch, to } = record;
  if ((await treeOfIndex(context, record)) !== (await treeOf(path, to))) return;
  const args = ["read-tree", "-m", "-u", to, tip];
  const end = await tryGit({ at: path, options: WITHOUT_HOOKS, args, limitMs: TREE_LIMIT_MS });
  if (end.code === 0) context.log(`${branch} was moved by somebody else; ${path} is there, too.`);
}

/** Null: an index that is no tree, with conflicts in it. */
async function treeOfIndex(context: WorkspaceContext, { path, own }: MoveRecord): Promise<string | null> {
  return context.places.withScratch(async (scratch) => {
    const copy = join(scratch, "index");
    await copyFile(join(own, "index"), copy);
    const end = await tryGit({
      at: path,
      args: ["write-tree"],
      environment: { GIT_INDEX_FILE: copy },
      limitMs: TREE_LIMIT_MS,
    });
    return end.code === 0 ? end.stdout.toString("utf8").trim() : null;
  });
}

/** False: somebody's change is among what differs, and nothing was touched. */
async function undo({ path, from, to }: MoveRecord): Promise<boolean> {
  const changed = await changedFiles(path);
  const known = new Set(await pathsBetween(path, from, to, "MTD"));
  for (const name of changed) if (!known.has(name) || !(await isOurs(path, name, to))) return false;
  const added: string[] = [];
  for (const name of await pathsBetween(path, from, to, "A")) {
    if ((await isThere(join(path, name))) && (await isOurs(path, name, to))) added.push(name);
  }
  for (const name of added) await removeFile(path, name);
  if (changed.length === 0) return true;
  const stdin = `${changed.join("\0")}\0`;
  const args = ["checkout-index", "--force", "-u", "-z", "--stdin"];
  await git({ at: path, options: WITHOUT_HOOKS, args, stdin, limitMs: TREE_LIMIT_MS });
  return true;
}

async function pathsBetween(path: string, from: string, to: string, filter: string): Promise<string[]> {
  const options = ["-r", "-z", "--name-only", "--no-renames", `--diff-filter=${filter}`];
  const end = await git({ at: path, args: ["diff-tree", ...options, from, to, "--"], limitMs: TREE_LIMIT_MS });
  return end.stdout.toString("utf8").split("\0").filter(Boolean);
}

/** Gone, or as far as git had come with writing what the new commit has there. */
async function isOurs(tree: string, name: string, to: string): Promise<boolean> {
  const full = join(tree, name);
  const found = await lstat(full).catch(() => null);
  if (found === null) return true;
  if (!found.isFile() && !found.isSymbolicLink()) return false;
  // A folder that is a link by now leads to what is not ours.
  if ((await realpath(dirname(full))) !== join(await realpath(tree), dirname(name))) return false;
  const asked = { at: tree, limitMs: READ_LIMIT_MS };
  if (found.isSymbolicLink()) {
    const end = await tryGit({ ...asked, args: ["cat-file", "blob", `${to}:${name}`] });
    return end.code === 0 && end.stdout.toString("utf8") === (await readlink(full));
  }
  const end = await tryGit({ ...asked, args: ["cat-file", "--filters", `${to}:${name}`] });
  if (end.code !== 0) return false;
  const content = await readFile(full);
  return content.equals(end.stdout.subarray(0, content.length));
}

async function removeFile(tree: string, name: string): Promise<void> {
  await unlink(join(tree, name));
  for (let folder = dirname(name); folder !== "."; folder = dirname(folder)) {
    const isRemoved = await rmdir(join(tree, folder)).then(
      () => true,
      () => false, // something else is in it
    );
    if (!isRemoved) return;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
