"use client";
/** What stands at a task's address: the task alone, or nothing, because it is drawn beside the board already. */
import { useContext } from "react";
import { TaskPlace } from "./task-place";
import { TaskView } from "./task-view";

export function TaskPage({ projectId, number }: { projectId: string; number: number }) {
  const { isBesideBoard } = useContext(TaskPlace);
  return isBesideBoard ? null : <TaskView projectId={projectId} number={number} />;
}
