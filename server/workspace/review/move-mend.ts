/**
 * After a crash, or somebody else's move, in the middle of moving a checked-out tree: finishes the move when its index stands at the new commit
 * already, else gives the tree back what it had (move-undo.ts). Where somebody changed something meanwhile, everything stays as
 * it is for them to see, and the record stays too: it says why, and the next one who comes tries again.
 */
import { copyFile, lstat } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceContext } from "../context";
import { AS_A_PERSON, DURABLE, git, TREE_LIMIT_MS, tryGit, WITHOUT_HOOKS, WRITE_LIMIT_MS } from "../git/git";
import { lockHeld, sentenceFor, WorkspaceProblem } from "../git/git-problem";
import { isGitAtWorkIn } from "../git/git-processes";
import { treeOf } from "../git/merge-commits";
import { exists } from "../places";
import { commitOf, type Repository } from "../repository/repository";
import { removeDeadLock } from "../worktree/leftovers";
import { nameFiles } from "./base-trees";
import { changeMove, forgetMove, type MoveRecord, readMove, timeOfMove, writeMove } from "./move-record";
import { undo } from "./move-undo";

/** Longer than all git commands of a move may take together, ms. */
const LONGEST_MOVE_MS = 600_000;

/** To be called in the git directory's turn. Throws a sentence while a git is at work in the tree, or a lock is there that is not ours. */
export async function mendMove(context: WorkspaceContext, repository: Repository): Promise<void> {
  const { gitDirectory } = repository;
  const record = await readMove(context.places, gitDirectory);
  if (record === null) return;
  try {
    const left = await putRight(context, repository, record);
    if (left === null) await forgetMove(context.places, gitDirectory);
    else await leave(context, repository, record, { left, isLockOver: true });
  } catch (error) {
    const isLockOver = (await readMove(context.places, gitDirectory))?.isLockOver ?? false;
    await leave(context, repository, record, { left: sentenceFor(error), isLockOver });
    throw error;
  }
}

/** For people, of one that could not be put right yet. */
export function whyCutOff({ path, branch, left = "" }: MoveRecord): string {
  return `A merge into ${branch} was cut off in ${path} when the server ended, and is half there still. ${left}`.trimEnd();
}

async function leave(
  { places, log }: WorkspaceContext,
  { gitDirectory }: Repository,
  record: MoveRecord,
  now: { readonly left: string; readonly isLockOver: boolean },
): Promise<void> {
  await changeMove(places, gitDirectory, { ...record, ...now });
  const { path, branch } = record;
  if (record.left !== now.left) log(`The merge into ${branch} that was cut off in ${path} stays as it is: ${now.left}`);
}

/** Null: nothing is left to do; else why it stays as it is. */
async function putRight(context: WorkspaceContext, repository: Repository, record: MoveRecord): Promise<string | null> {
  const { path, own, branch, from, to } = record;
  const tip = await commitOf(repository.path, `refs/heads/${branch}`);
  const isKnown = (await commitOf(repository.path, from)) !== null && (await commitOf(repository.path, to)) !== null;
  if (tip === null || tip === to || !isKnown || !(await exists(join(own, "index")))) return null;
  if (!(await exists(path))) return `${path} is not there.`;
  await refuseBusy(context, repository, record);
  // No lock is there: one that is found after a crash from here on was taken by us.
  await writeMove(context.places, repository.gitDirectory, { ...record, isLockOver: false });
  const index = await treeOfIndex(context, record);
  if (index === (await treeOf(repository.path, to))) {
    return tip === from ? finish(context, repository, record) : followOther(context, record, tip);
  }
  const head = await commitOf(path, "HEAD");
  if (head === null || index !== (await treeOf(repository.path, head))) {
    return "Something was staged there since, so it is left alone. Put that away or back, and the rest follows by itself.";
  }
  const changed = await undo(record, head);
  if (changed === null) context.log(`The merge into ${branch} that was cut off in ${path} is undone there.`);
  return changed === null ? null : whyLeft(changed);
}

function whyLeft(name: string): string {
  return `${nameFiles([name])} was changed there since, so it is left alone. Put that away or back, and the rest follows by itself.`;
}

async function refuseBusy(context: WorkspaceContext, repository: Repository, record: MoveRecord): Promise<void> {
  const { path, own, branch } = record;
  const index = join(own, "index.lock");
  if (await isOfMove(context, repository, record, index)) await removeDeadLock(context, index, [path, own]);
  const lock = await lockOn(repository, own, branch);
  if (lock === null) return;
  const isAtWork = (await isGitAtWorkIn([path, own])) ?? true;
  throw new WorkspaceProblem(isAtWork ? `A git command is at work in ${path}. Try again in a moment.` : lockHeld(lock));
}

/** A move begins where no lock is (base-move.ts), so an index that was locked while it lasted was locked by it. */
async function isOfMove(
  { places }: WorkspaceContext,
  { gitDirectory }: Repository,
  { isLockOver }: MoveRecord,
  lock: string,
): Promise<boolean> {
  if (isLockOver) return false;
  const began = await timeOfMove(places, gitDirectory);
  const found = await lstat(lock).catch(() => null);
  if (began === null || found === null) return false;
  return found.mtimeMs >= began && found.mtimeMs - began < LONGEST_MOVE_MS;
}

/** The lock in a person's tree, or on its branch, that somebody holds or left; null: there is none. */
export async function lockOn({ gitDirectory }: Repository, own: string, branch: string): Promise<string | null> {
  const locks = [
    join(own, "index.lock"),
    join(own, "HEAD.lock"),
    join(gitDirectory, "refs", "heads", `${branch}.lock`),
  ];
  for (const lock of locks) if (await exists(lock)) return lock;
  return null;
}

async function finish(context: WorkspaceContext, repository: Repository, record: MoveRecord): Promise<null> {
  const { path, branch, from, to } = record;
  const args = ["update-ref", "-m", "camelot: merge finished", `refs/heads/${branch}`, to, from];
  await git({ at: repository.path, options: [...DURABLE, ...WITHOUT_HOOKS], args, limitMs: WRITE_LIMIT_MS });
  context.log(`The merge into ${branch} that was cut off in ${path} is finished.`);
  return null;
}

/** Somebody moved the branch elsewhere while the tree moved: a tree that is still as we made it goes there, too. */
async function followOther(context: WorkspaceContext, record: MoveRecord, tip: string): Promise<string | null> {
  const { path, branch, to } = record;
  const args = ["read-tree", "-m", "-u", to, tip];
  const end = await tryGit({
    at: path,
    options: WITHOUT_HOOKS,
    args,
    environment: AS_A_PERSON,
    limitMs: TREE_LIMIT_MS,
  });
  if (end.code !== 0) return `${branch} was moved by somebody else, and files there were changed since.`;
  context.log(`${branch} was moved by somebody else; ${path} is there, too.`);
  return null;
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
