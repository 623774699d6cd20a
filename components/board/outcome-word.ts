/** What became of a task's work, as its card and its facts say it. Pure. */
import type { Task } from "@/server/contract/tasks";
import { inSentence } from "../ui/written";

export function outcomeWord({ outcome, pullRequest }: Pick<Task, "outcome" | "pullRequest">): string {
  if (outcome === null) return "Done";
  if (outcome.kind === "merged") return `Merged into ${inSentence(outcome.base ?? "")}`;
  if (outcome.kind === "discarded") return "Discarded";
  return pullRequest === null ? "Pull request" : `Pull request #${pullRequest.number}`;
}
