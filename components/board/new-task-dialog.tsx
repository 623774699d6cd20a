"use client";
/** Writing a task. Says before what a dispatch would do; what is typed is kept until the task is made (B6). */
import { newTaskSlot } from "../frame/places";
import { Dialog } from "../ui/dialog";
import { NewTaskForm } from "./new-task-form";

export function NewTaskDialog({ projectId }: { projectId: string }) {
  return (
    <Dialog title="New task" close={newTaskSlot.close} width={520}>
      <NewTaskForm projectId={projectId} done={newTaskSlot.close} cancel={newTaskSlot.close} />
    </Dialog>
  );
}
