/** Whether a task's merge is on its way to the remote still, in words. Pure. */
import type { ProjectWithNote } from "@/server/contract/projects";
import type { Task } from "@/server/contract/tasks";
import { inSentence } from "../ui/written";

export type Remote = Extract<ProjectWithNote["remote"], { kind: "remote" }>;

/** Nothing is left to push of the base that it was merged into. Of a remote that is not known, what the task itself tells counts. */
export function isBasePushed({ outcome, pushedAt, pushedBranch }: Task, unpushed: number | null): boolean {
  if (outcome?.kind !== "merged") return false;
  if (unpushed !== null) return unpushed === 0;
  return pushedAt !== null && pushedBranch === outcome.base && Date.parse(pushedAt) >= Date.parse(outcome.at);
}

/** That a task's merge is here alone, and what sends it; null: the remote has it, or nobody knows. */
export function notPushed({ outcome }: Pick<Task, "outcome">, remote: Remote | null): string | null {
  if (outcome?.kind !== "merged" || outcome.commit === null || !remote?.unpushed?.includes(outcome.commit)) return null;
  return `Merged into ${inSentence(outcome.base ?? "")} here; ${remote.name}’s ${inSentence(remote.base)} does not have it yet.`;
}
