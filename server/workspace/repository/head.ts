/** Where a worktree's HEAD stands in relation to its task's branch. Read-only; reads through the private git directory. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { READ_LIMIT_MS, tryGit } from "../git/git";
import { commitOf } from "./repository";

/** In a worktree's private git directory: git is in the middle of something there. */
export const OPERATION_MARKS = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
  "BISECT_LOG",
];

export interface WorktreeHead {
  /** HEAD's commit; null on a branch without one. */
  readonly commit: string | null;
  readonly tree: string | null;
  readonly isOnBranch: boolean;
  /** On a branch, but not the task's. */
  readonly isOnOtherBranch: boolean;
  /** Commits that are being merged; empty when no merge is in progress. */
  readonly mergeHeads: readonly string[];
  /** The task's branch; null when it was deleted. */
  readonly tip: string | null;
}

export async function readHead(own: string, repository: string, branch: string): Promise<WorktreeHead> {
  const environment = { GIT_DIR: own };
  const ask = async (args: readonly string[]) => {
    const end = await tryGit({ at: own, args, environment, limitMs: READ_LIMIT_MS });
    return end.code === 0 ? end.stdout.toString("utf8").trim() : null;
  };
  const ref = await ask(["symbolic-ref", "--quiet", "HEAD"]);
  const merging = await readFile(join(own, "MERGE_HEAD"), "utf8").catch(() => "");
  return {
    commit: await ask(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
    tree: await ask(["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]),
    isOnBranch: ref === `refs/heads/${branch}`,
    isOnOtherBranch: ref !== null && ref !== `refs/heads/${branch}`,
    mergeHeads: merging.split("\n").filter((line) => /^[0-9a-f]{40,64}$/.test(line)),
    tip: await commitOf(repository, `refs/heads/${branch}`),
  };
}
