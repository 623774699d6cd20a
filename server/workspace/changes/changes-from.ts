/**
 * From which commit on a branch's changes are its own: where it was begun, or, once the base was brought into it (merged or
 * rebased), where it met the base last. Else others' work would stand in its diff as if the agent had done it.
 */
import { gitLine, READ_LIMIT_MS, tryGit } from "../git/git";
import { arrivalOf, isAncestor } from "../git/merge-commits";
import { baseCommitOf } from "../repository/repository";

export interface BranchStart {
  /** Where the branch was begun. */
  readonly baseCommit: string;
  /** Absent: then nothing but the beginning counts. */
  readonly baseBranch?: string;
}

/** `tip`: of the branch; null: it has none. A base that is gone, rewound or another one by now leaves the beginning. */
export async function changesFrom(repository: string, start: BranchStart, tip: string | null): Promise<string> {
  const { baseCommit, baseBranch } = start;
  if (tip === null || baseBranch === undefined) return baseCommit;
  const base = await baseCommitOf(repository, baseBranch);
  if (base === null) return baseCommit;
  const met = await meetingOf(repository, await withoutMerge(repository, tip, base), tip);
  const isLater = met !== null && met !== tip && (await isAncestor(repository, baseCommit, met));
  return isLater ? met : baseCommit;
}

/** The base as it was before it took the branch in. */
async function withoutMerge(repository: string, tip: string, base: string): Promise<string> {
  if (!(await isAncestor(repository, tip, base))) return base;
  const merge = await arrivalOf(repository, tip, base);
  if (merge === tip) return base;
  const args = ["rev-parse", "--verify", "--end-of-options", `${merge}^1`];
  return gitLine({ at: repository, args, limitMs: READ_LIMIT_MS });
}

/** Null: nothing in common. */
async function meetingOf(repository: string, base: string, tip: string): Promise<string | null> {
  const end = await tryGit({ at: repository, args: ["merge-base", base, tip], limitMs: READ_LIMIT_MS });
  return end.code === 0 ? end.stdout.toString("utf8").trim() : null;
}
