"use client";
/** Writing a task. Says before what a dispatch would do; what is typed is kept until the task is made (B6). */
import { useRef } from "react";
import type { Task } from "@/server/contract/tasks";
import { newTaskSlot } from "../frame/places";
import { Dialog } from "../ui/dialog";
import { focusWish } from "./focus-wish";
import { NewTaskForm } from "./new-task-form";
import { shownBoard } from "./shown-board";

export function NewTaskDialog({ projectId }: { projectId: string }) {
  const made = useRef<Task>(null);
  const done = (task: Task) => {
    made.current = task;
    newTaskSlot.close();
  };
  // Where the focus was nowhere before, or on what the first card takes the place of, it goes to the new card.
  const afterwards = () => {
    const active = document.activeElement;
    const isNowhere = active === null || active === document.body || active.closest(".empty") !== null;
    const isOnBoard = shownBoard.held()?.projectId === projectId;
    if (made.current !== null && isOnBoard && isNowhere) focusWish.open(made.current.id);
  };
  return (
    <Dialog title="New task" close={newTaskSlot.close} width={520} afterwards={afterwards}>
      <NewTaskForm projectId={projectId} done={done} cancel={newTaskSlot.close} />
    </Dialog>
  );
}
