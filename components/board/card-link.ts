/** A task's address, and taking it along. */
import type { Task } from "@/server/contract/tasks";
import { toast } from "../ui/toast";

type Addressed = Pick<Task, "projectId" | "number">;

export function addressOf({ projectId, number }: Addressed): string {
  return `/projects/${projectId}/tasks/${number}`;
}

export function copyLinkOf(task: Addressed): void {
  const whole = new URL(addressOf(task), globalThis.location.href).href;
  void navigator.clipboard
    ?.writeText(whole)
    .then(() => toast({ icon: "link", text: `Link to #${task.number} copied` }));
}
