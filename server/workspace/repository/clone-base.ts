/**
 * The base branch of a clone, between the remote's commits and merges of ours that were not pushed yet (W4). It follows the
 * remote as long as that loses nothing; a mark remembers up to where it followed, so that a merge is never taken for
 * something the remote took back, nor the other way round.
 */
import { createHash } from "node:crypto";
import { git, gitLine, READ_LIMIT_MS, WITHOUT_HOOKS, WRITE_LIMIT_MS } from "../git/git";
import { isAncestor } from "../git/merge-commits";
import { listWorktrees } from "../git/worktree-list";
import { commitOf } from "./repository";

export interface CloneBase {
  /** Of the remote, as fetched last. */
  readonly theirs: string;
  readonly ours: string;
  /** `ahead`: only ours has something; `diverged`: both have; `rewritten`: so has theirs, and it took back what ours stands on. */
  readonly state: "same" | "behind" | "ahead" | "diverged" | "rewritten";
}

/** Null: one of the two is not there. */
export async function cloneBase(path: string, branch: string): Promise<CloneBase | null> {
  const theirs = await commitOf(path, `refs/remotes/origin/${branch}`);
  const ours = await commitOf(path, `refs/heads/${branch}`);
  if (theirs === null || ours === null) return null;
  if (theirs === ours) return { theirs, ours, state: "same" };
  if (await isAncestor(path, ours, theirs)) return { theirs, ours, state: "behind" };
  if (await isAncestor(path, theirs, ours)) return { theirs, ours, state: "ahead" };
  const mark = await commitOf(path, markOf(branch));
  const isTakenBack = mark !== null && !(await isAncestor(path, mark, theirs));
  return { theirs, ours, state: isTakenBack ? "rewritten" : "diverged" };
}

/** That the remote has commits which our base lacks and new work starts without, for people; null: it has none. */
export async function apartSentence(path: string, branch: string): Promise<string | null> {
  const found = await cloneBase(path, branch);
  if (found === null || (found.state !== "diverged" && found.state !== "rewritten")) return null;
  const args = ["rev-list", "--count", `${found.ours}..${found.theirs}`, "--"];
  const count = Number(await gitLine({ at: path, args, limitMs: READ_LIMIT_MS }));
  const commits = count === 1 ? "1 commit of origin is" : `${count} commits of origin are`;
  const lack = `${commits} not in it, and new work starts without ${count === 1 ? "it" : "them"}.`;
  return found.state === "diverged"
    ? `${branch} here and origin’s ${branch} have gone apart: ${lack} “Push ${branch}” on a merged task joins them.`
    : `The history of ${branch} was rewritten at origin, and ${branch} here holds merges that were not pushed: ${lack} Push the tasks’ own branches instead.`;
}

/**
 * Moves our copy of a branch to the remote's commit if that loses nothing and nobody stands on it. Where the remote's
 * history was rewritten and nothing of ours is on it, ours follows as well: else all new work would start from what is no more.
 */
export async function followRemote(path: string, branch: string): Promise<void> {
  const theirs = await commitOf(path, `refs/remotes/origin/${branch}`);
  if (theirs === null) return;
  const ours = await commitOf(path, `refs/heads/${branch}`);
  if ((await listWorktrees(path)).some((entry) => entry.branch === branch)) return;
  const mark = await commitOf(path, markOf(branch));
  const isOnlyTheirs = ours === null || ours === mark || (await isAncestor(path, ours, theirs));
  if (!isOnlyTheirs) return;
  if (theirs !== ours) await moveBranch(path, branch, theirs, ours);
  await setMark(path, branch, theirs);
}

/** Ours has all that theirs has now. */
export async function setMark(path: string, branch: string, theirs: string): Promise<void> {
  await git({
    at: path,
    options: WITHOUT_HOOKS,
    args: ["update-ref", markOf(branch), theirs],
    limitMs: WRITE_LIMIT_MS,
  });
}

async function moveBranch(path: string, branch: string, to: string, from: string | null): Promise<void> {
  const args = ["update-ref", `refs/heads/${branch}`, to, from ?? ""];
  await git({ at: path, args, limitMs: WRITE_LIMIT_MS });
}

/** By hash: a branch may take the name of a folder of another's mark. */
function markOf(branch: string): string {
  return `refs/camelot/followed/${createHash("sha256").update(branch).digest("hex").slice(0, 24)}`;
}
