"use client";
/** The task beside the board. Its code is no part of the board's first load; it is there long before somebody opens one. */
import { useEffect, useState } from "react";
import { useOnDemand } from "../ui/on-demand";

const loadTask = async () => (await import("./task-view")).TaskView;

/** How long after the board the rest is fetched. */
const SOON_MS = 1_200;

/** `number`: null while none is open. */
export function TaskBeside({ projectId, number }: { projectId: string; number: number | null }) {
  const [isSoon, setSoon] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSoon(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  const TaskView = useOnDemand(loadTask, isSoon || number !== null);
  if (number === null || TaskView === null) return null;
  return <TaskView key={number} projectId={projectId} number={number} />;
}
