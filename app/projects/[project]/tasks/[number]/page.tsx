import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { TaskView } from "@/components/task/task-view";
import { boardVisit } from "../../../../visit";

interface TaskPageProps {
  readonly params: Promise<{ project: string; number: string }>;
}

/** Longest part of a task's title in the window's. */
const TITLE_SHOWN_MAX = 120;

export async function generateMetadata({ params }: TaskPageProps): Promise<Metadata> {
  const { project, number } = await params;
  const visited = await boardVisit(project);
  const task = visited.kind === "board" ? visited.tasks.find((one) => String(one.number) === number) : undefined;
  return { title: task === undefined ? `#${number}` : `#${number} ${task.title.slice(0, TITLE_SHOWN_MAX)}` };
}

export default async function TaskPage({ params }: TaskPageProps) {
  const { project, number } = await params;
  if (!/^[1-9]\d{0,9}$/.test(number)) notFound();
  return <TaskView key={number} projectId={project} number={Number(number)} />;
}
