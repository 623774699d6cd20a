/**
 * Brings what the remote has meanwhile into a clone's base that holds merges of ours which were not pushed yet (W4): one
 * merge commit of Camelot's. A conflict, or a history that was rewritten there, changes nothing and is told.
 */
import type { ReviewRefused } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { commitMerge, mergedTree } from "../git/merge-commits";
import { cloneBase, setMark } from "../repository/clone-base";
import type { Repository } from "../repository/repository";
import { moveBase } from "./base-move";
import { inFiles, namedConflicts } from "./conflict-words";

/** Null: the base has all that the remote had when it was fetched last. To be called in the git directory's turn. */
export async function joinRemote(
  context: WorkspaceContext,
  repository: Repository,
  branch: string,
): Promise<ReviewRefused | null> {
  const { path } = repository;
  const found = await cloneBase(path, branch);
  if (found === null || found.state === "same" || found.state === "ahead") return null;
  const { ours, theirs, state } = found;
  if (state === "rewritten") {
    return refused(
      `The history of ${branch} was rewritten at origin, and ${branch} here holds merges that were not pushed: push the tasks’ own branches instead.`,
    );
  }
  const next = state === "behind" ? theirs : await joined(context, path, branch, ours, theirs);
  if (typeof next !== "string") return next;
  const move = { branch, from: ours, to: next };
  const refusal = await moveBase(context, repository, move, `camelot: origin/${branch} joined`);
  if (refusal === null) await setMark(path, branch, theirs);
  return refusal;
}

async function joined(context: WorkspaceContext, path: string, branch: string, ours: string, theirs: string) {
  const merged = await mergedTree(path, ours, theirs);
  if (merged.kind === "unrelated") return refused(`${branch} here and at origin have no commit in common.`);
  if (merged.kind === "conflict") {
    const where = inFiles(merged.conflicts);
    const message = `${branch} at origin conflicts with the merges that were not pushed${where}. Nothing was changed.`;
    return { ...refused(message), ...namedConflicts(merged.conflicts) };
  }
  const message = `Merge origin/${branch} into ${branch}`;
  return commitMerge(path, { tree: merged.tree, parents: [ours, theirs], message, by: context.author });
}

function refused(message: string): ReviewRefused {
  return { kind: "refused", code: "PUSH_REFUSED", message };
}
