import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { TaskPage } from "@/components/task/task-page";
import { windowTitleOf } from "@/components/task/window-title";
import { boardVisit } from "../../../../visit";

interface PageProps {
  readonly params: Promise<{ project: string; number: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { project, number } = await params;
  const visited = await boardVisit(project);
  const task = visited.kind === "board" ? visited.tasks.find((one) => String(one.number) === number) : undefined;
  return { title: task === undefined ? `#${number}` : windowTitleOf(task.number, task.title) };
}

export default async function Page({ params }: PageProps) {
  const { project, number } = await params;
  if (!/^[1-9]\d{0,9}$/.test(number)) notFound();
  return <TaskPage key={number} projectId={project} number={Number(number)} />;
}
