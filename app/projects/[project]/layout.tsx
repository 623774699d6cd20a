import type { ReactNode } from "react";
import { ProjectFrame } from "@/components/project/project-frame";

interface ProjectLayoutProps {
  readonly children: ReactNode;
  readonly params: Promise<{ project: string }>;
}

/**
 * A project's board stays on the screen while a task is open: `tasks/[number]` is drawn as a panel beside the live board,
 * and the board does not even notice. Settings are a page of their own.
 */
export default async function ProjectLayout({ children, params }: ProjectLayoutProps) {
  const { project } = await params;
  return <ProjectFrame projectId={project}>{children}</ProjectFrame>;
}
