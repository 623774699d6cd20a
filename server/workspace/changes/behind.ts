/** How far the base has moved on from a task's branch, as both are here: no remote is asked. */
import type { BranchOnBase } from "../../ports/workspace";
import { gitLine, READ_LIMIT_MS } from "../git/git";
import { baseCommitOf, commitOf, type Repository } from "../repository/repository";

/** Commits of the base that the branch lacks; null: one of the two is not there. */
export async function behindOf(
  { path }: Repository,
  { baseBranch, branch }: Pick<BranchOnBase, "baseBranch" | "branch">,
): Promise<number | null> {
  const base = await baseCommitOf(path, baseBranch);
  const tip = await commitOf(path, `refs/heads/${branch}`);
  if (base === null || tip === null) return null;
  return Number(
    await gitLine({ at: path, args: ["rev-list", "--count", `${tip}..${base}`, "--"], limitMs: READ_LIMIT_MS }),
  );
}
