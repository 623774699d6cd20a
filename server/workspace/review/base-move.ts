/**
 * Moves a base branch from one commit to a later one, and the tree that has it checked out with it (W4). Never forced: the
 * branch moves only from what it was, and a tree only when nothing of somebody's is in it (base-trees.ts).
 * Order not to break: the record, the tree's files, its index (git's own order), the branch, the record's end. A crash
 * between any two is put right by `mendMove`: soon after the next start, and before the next merge in this git directory.
 */
import type { ReviewRefused } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { AS_A_PERSON, DURABLE, git, TREE_LIMIT_MS, tryGit, WITHOUT_HOOKS, WRITE_LIMIT_MS } from "../git/git";
import { lockHeld, lockInTheWay, sentenceFor, wasMoved } from "../git/git-problem";
import type { Repository } from "../repository/repository";
import { hasPushHooks, moveByPush } from "./bare-move";
import { type BaseMove, type BaseTree, changedFiles, notClean, treeOfBase } from "./base-trees";
import { lockOn, mendMove, whyCutOff } from "./move-mend";
import { forgetMove, readMove, writeMove } from "./move-record";

/** Fills a checked-out tree; others wait for their turn meanwhile. */
const MOVE_LIMIT_MS = 300_000;

/** Null: it moved. Throws where somebody else moved the branch meanwhile. To be called in the git directory's turn. */
export async function moveBase(
  context: WorkspaceContext,
  repository: Repository,
  move: BaseMove,
  reason: string,
): Promise<ReviewRefused | null> {
  const tree = await treeOfBase(context, repository, move);
  if (tree?.kind === "refused") return tree;
  if (tree === null || move.from === null) {
    if (await hasPushHooks(context, repository)) return moveByPush(repository, move);
    await moveRef(repository, move, reason);
    return null;
  }
  const { path, own } = tree;
  const lock = await lockOn(repository, own, move.branch);
  if (lock !== null) return notClean(path, [], lockHeld(lock));
  // There is one record, and what it says of another tree must not be lost.
  const other = await readMove(context.places, repository.gitDirectory);
  if (other !== null) return notClean(other.path, [], whyCutOff(other));
  await writeMove(context.places, repository.gitDirectory, {
    path,
    own,
    branch: move.branch,
    from: move.from,
    to: move.to,
  });
  try {
    await moveTree(tree, move.from, move.to);
    await moveRef(repository, move, reason);
    await forgetMove(context.places, repository.gitDirectory);
    return null;
  } catch (error) {
    const taken = lockInTheWay(error);
    if (taken === null) await mendMove(context, repository);
    else {
      // Somebody came since we looked. Without the index git touched no file; without the branch the tree goes back.
      if (!taken.endsWith("index.lock")) await moveTree(tree, move.to, move.from);
      await forgetMove(context.places, repository.gitDirectory);
    }
    if (wasMoved(error)) throw error;
    const sentence = `${path}, where ${move.branch} is checked out, could not follow. ${sentenceFor(error)}`;
    return notClean(path, await changedFiles(path).catch(() => []), sentence);
  }
}

/** Two-tree merge: touches only what differs between the two commits, and refuses where somebody changed that meanwhile. */
async function moveTree({ path }: BaseTree, from: string, to: string): Promise<void> {
  const options = [...DURABLE, ...WITHOUT_HOOKS];
  await tryGit({ at: path, options, args: ["update-index", "-q", "--refresh"], limitMs: TREE_LIMIT_MS });
  const args = ["read-tree", "-m", "-u", from, to];
  await git({ at: path, options, args, environment: AS_A_PERSON, limitMs: MOVE_LIMIT_MS });
}

async function moveRef(repository: Repository, { branch, from, to }: BaseMove, reason: string): Promise<void> {
  const args = ["update-ref", "-m", reason, `refs/heads/${branch}`, to, from ?? ""];
  await git({ at: repository.path, options: [...DURABLE, ...WITHOUT_HOOKS], args, limitMs: WRITE_LIMIT_MS });
}
