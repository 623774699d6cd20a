import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { TaskPage } from "@/components/task/task-page";
import { inOwnOrder } from "@/components/ui/written";
import { boardVisit } from "../../../../visit";

interface PageProps {
  readonly params: Promise<{ project: string; number: string }>;
}

/** Longest part of a task's title in the window's. */
const TITLE_SHOWN_MAX = 120;

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { project, number } = await params;
  const visited = await boardVisit(project);
  const task = visited.kind === "board" ? visited.tasks.find((one) => String(one.number) === number) : undefined;
  return {
    title: task === undefined ? `#${number}` : `#${number} ${inOwnOrder(task.title).slice(0, TITLE_SHOWN_MAX)}`,
  };
}

export default async function Page({ params }: PageProps) {
  const { project, number } = await params;
  if (!/^[1-9]\d{0,9}$/.test(number)) notFound();
  return <TaskPage key={number} projectId={project} number={Number(number)} />;
}
