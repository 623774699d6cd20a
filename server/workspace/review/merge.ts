/**
 * Merges a task's branch into the project's base (W4): the merge is made as objects with `git merge-tree`, and only a whole
 * one moves the base. Conflicts are named and nothing changes; marks of conflicts that would come into the base are asked
 * about. Harmless twice: a base that has the branch already is the answer. Serial per git directory, so two merges at once land one after the other.
 */
import type { BranchOnBase, Merged, MergeRequest, ReviewRefused } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { wasMoved } from "../git/git-problem";
import { arrivalOf, commitMerge, isAncestor, mergedTree, treeOf } from "../git/merge-commits";
import type { FileConflict } from "../git/merge-conflicts";
import { fetchClone } from "../repository/clone-fetch";
import { baseCommitOf, commitOf, inspectRepository, type Repository, refusedBy } from "../repository/repository";
import { moveBase } from "./base-move";
import { NAMED_FILES, nameFiles } from "./base-trees";
import { joinRemote } from "./clone-join";
import { inFiles, namedConflicts } from "./conflict-words";
import { filesGainingMarks } from "./leftover-marks";
import { mendMove } from "./move-mend";

/** While somebody else moves the base. */
const TRIES = 3;

export async function mergeBranch(context: WorkspaceContext, request: MergeRequest): Promise<Merged | ReviewRefused> {
  const repository = await inspectRepository(context.places, request.repository);
  if (repository.kind === "refused") return unusable(repository.message);
  try {
    if (context.places.isClone(repository.path)) await refresh(context, repository, request.baseBranch);
    const merging = () => mergeUntilMoved(context, repository, request);
    return await context.turns.onGitDirectory(repository.gitDirectory, merging);
  } catch (error) {
    return unusable(refusedBy(error, repository.path).message);
  }
}

/** Whether the base has all of a branch that changed something; false also where that cannot be told. */
export async function isMerged(context: WorkspaceContext, request: BranchOnBase): Promise<boolean> {
  const repository = await inspectRepository(context.places, request.repository);
  if (repository.kind === "refused") return false;
  const { path } = repository;
  try {
    const base = await commitOf(path, `refs/heads/${request.baseBranch}`);
    const tip = await commitOf(path, `refs/heads/${request.branch}`);
    if (base === null || tip === null || (await isAncestor(path, tip, request.baseCommit))) return false;
    return await isAncestor(path, tip, base);
  } catch (error) {
    refusedBy(error, path);
    return false;
  }
}

/** The merge is better for the remote's newest commits, and goes without: what is wrong is told when it is pushed. */
async function refresh(context: WorkspaceContext, repository: Repository, baseBranch: string): Promise<void> {
  await fetchClone(context, repository, baseBranch).catch(() => null);
  await context.turns.onGitDirectory(repository.gitDirectory, async () => {
    await mendMove(context, repository);
    await joinRemote(context, repository, baseBranch);
  });
}

/** People commit to the base beside us: the merge is then made anew on top of that. */
async function mergeUntilMoved(context: WorkspaceContext, repository: Repository, request: MergeRequest) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await mergeInTurn(context, repository, request);
    } catch (error) {
      if (!wasMoved(error) || tried === TRIES) throw error;
    }
  }
}

async function mergeInTurn(
  context: WorkspaceContext,
  repository: Repository,
  request: MergeRequest,
): Promise<Merged | ReviewRefused> {
  const { path } = repository;
  const { baseBranch, branch } = request;
  await mendMove(context, repository);
  const from = await commitOf(path, `refs/heads/${baseBranch}`);
  const base = from ?? (await baseCommitOf(path, baseBranch));
  if (base === null || baseBranch === "HEAD") {
    return unusable(
      `There is no branch “${baseBranch}” to merge into. Choose a base branch in the project's settings.`,
    );
  }
  const tip = await commitOf(path, `refs/heads/${branch}`);
  if (tip === null) return nothing(`The task's branch ${branch} is not in ${path} any more.`);
  if (await isAncestor(path, tip, request.baseCommit)) return nothing(`The branch ${branch} changes nothing.`);
  if (await isAncestor(path, tip, base)) return { kind: "merged", commit: await arrivalOf(path, tip, base) };

  const merged = await mergedTree(path, base, tip);
  if (merged.kind === "conflict") return conflict(request, merged.conflicts);
  if (merged.kind === "unrelated") return unusable(`${branch} and ${baseBranch} have no commit in common.`);
  if (merged.tree === (await treeOf(path, base)))
    return nothing(`All that ${branch} changes is in ${baseBranch} already.`);
  if (request.mayLeaveMarks !== true) {
    const marked = await filesGainingMarks(context, path, base, merged.tree);
    if (marked.length > 0) return unresolved(request, marked);
  }
  const { message, author: by } = request;
  const commit = await commitMerge(path, { tree: merged.tree, parents: [base, tip], message, by });
  const refusal = await moveBase(
    context,
    repository,
    { branch: baseBranch, from, to: commit },
    `camelot: merge ${branch}`,
  );
  return refusal ?? { kind: "merged", commit };
}

function conflict({ branch, baseBranch }: MergeRequest, conflicts: readonly FileConflict[]): ReviewRefused {
  const message = `${branch} conflicts with ${baseBranch}${inFiles(conflicts)}. Nothing was merged: send it back to be brought up to date with ${baseBranch}.`;
  return { kind: "refused", code: "MERGE_CONFLICT", message, ...namedConflicts(conflicts) };
}

function unresolved({ baseBranch }: MergeRequest, files: readonly string[]): ReviewRefused {
  const message = `A conflict is not resolved in ${nameFiles(files)}: merging puts its <<<<<<< and >>>>>>> lines into ${baseBranch}.`;
  return { kind: "refused", code: "CONFIRM", message, files: files.slice(0, NAMED_FILES) };
}

function nothing(message: string): ReviewRefused {
  return { kind: "refused", code: "NOTHING_TO_MERGE", message };
}

function unusable(message: string): ReviewRefused {
  return { kind: "refused", code: "REPOSITORY_UNUSABLE", message };
}
