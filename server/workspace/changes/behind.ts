/** How far the base has moved on from a task's branch, as both are here: no remote is asked. */
import type { BranchOnBase } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { gitLine, READ_LIMIT_MS } from "../git/git";
import { baseCommitOf, commitOf, inspectRepository } from "../repository/repository";

/** Commits of the base that the branch lacks; null: one of the two is not there. */
export async function behindOf(
  { places }: WorkspaceContext,
  { repository, baseBranch, branch }: Omit<BranchOnBase, "baseCommit">,
): Promise<number | null> {
  const found = await inspectRepository(places, repository);
  if (found.kind === "refused") return null;
  const { path } = found;
  const base = await baseCommitOf(path, baseBranch);
  const tip = await commitOf(path, `refs/heads/${branch}`);
  if (base === null || tip === null) return null;
  return Number(
    await gitLine({ at: path, args: ["rev-list", "--count", `${tip}..${base}`, "--"], limitMs: READ_LIMIT_MS }),
  );
}
