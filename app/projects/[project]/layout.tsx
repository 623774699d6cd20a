import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { JoinProject } from "@/components/project/join-project";
import { ProjectFrame } from "@/components/project/project-frame";
import { boardVisit, visit } from "../../visit";

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
  const visited = await boardVisit(project);
  if (visited.kind === "not-found") {
    const who = await visit();
    if (who.kind === "visitor" && who.visitor.me.role === "admin") {
      return <JoinProject projectId={project} userId={who.visitor.me.id} />;
    }
    notFound();
  }
  return (
    <ProjectFrame projectId={project} first={visited.kind === "board" ? visited : undefined}>
      {children}
    </ProjectFrame>
  );
}
