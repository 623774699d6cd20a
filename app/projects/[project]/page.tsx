import type { Metadata } from "next";
import { OpenTask } from "@/components/project/open-task";

export const metadata: Metadata = { title: "Board" };

interface BoardPageProps {
  readonly params: Promise<{ project: string }>;
  readonly searchParams: Promise<{ open?: string }>;
}

/** The board itself stands in the layout, so that it stays when a task is opened. `?open=7` opens one beside it. */
export default async function BoardPage({ params, searchParams }: BoardPageProps) {
  const [{ project }, { open }] = await Promise.all([params, searchParams]);
  return open !== undefined && /^[1-9]\d{0,9}$/.test(open) ? <OpenTask projectId={project} number={open} /> : null;
}
