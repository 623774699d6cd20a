/** Whether a task's merge is on its way to the remote still, in words. Pure. */
import type { ProjectWithNote } from "@/server/contract/projects";
import type { Task } from "@/server/contract/tasks";
import { inSentence } from "../ui/written";

export type Remote = Extract<ProjectWithNote["remote"], { kind: "remote" }>;

/** That a task's merge is here alone, and what sends it; null: the remote has it, or nobody knows. */
export function notPushed({ outcome }: Pick<Task, "outcome">, remote: Remote | null): string | null {
  if (outcome?.kind !== "merged" || outcome.commit === null || !remote?.unpushed?.includes(outcome.commit)) return null;
  return `Merged into ${inSentence(outcome.base ?? "")} here; ${remote.name}’s ${inSentence(remote.base)} does not have it yet.`;
}
