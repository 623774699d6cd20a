"use client";
/** A project's pages: its board with a task beside it, a task alone (when its address was opened directly), or its settings. */
import Link from "next/link";
import { usePathname, useSelectedLayoutSegment } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { AgentList } from "@/server/contract/agents";
import type { Task } from "@/server/contract/tasks";
import { useFirstAgents } from "../agent/use-agents";
import { Board } from "../board/board";
import { rememberBoard } from "../frame/board-cookie";
import { isWishedBesideBoard } from "../frame/places";
import { useForgottenIntents, useOpenTask } from "../task/open-task";
import { TaskBeside } from "../task/task-beside";
import { TaskPlace } from "../task/task-place";
import { useProjects } from "./use-projects";
import { WORK_KEPT } from "./work-kept";

interface ProjectFrameProps {
  readonly projectId: string;
  /** What came with the page. */
  readonly first?: { readonly tasks: readonly Task[]; readonly agents: AgentList };
  readonly children: ReactNode;
}

export function ProjectFrame({ projectId, first, children }: ProjectFrameProps) {
  const segment = useSelectedLayoutSegment();
  const projects = useProjects();
  const project = projects?.find(({ id }) => id === projectId);
  const isTask = segment === "tasks";
  // Who comes to a task from elsewhere gets it alone; who comes from the board keeps the board.
  const path = usePathname();
  const [isAlone, setAlone] = useState(() => isTask && !isWishedBesideBoard(path));
  if (isAlone && !isTask) setAlone(false);
  const place = useMemo(
    () => ({ isBesideBoard: !isAlone, expand: () => setAlone(true), first: first?.tasks }),
    [isAlone, first],
  );
  useFirstAgents(projectId, first?.agents);
  const open = useOpenTask();
  const isMine = project !== undefined;
  useEffect(() => {
    if (isMine) rememberBoard(projectId);
  }, [isMine, projectId]);
  useForgottenIntents();
  if (projects !== undefined && project === undefined) return <NotMine />;
  if (segment === "settings") return children;
  return (
    <TaskPlace value={place}>
      {isTask && isAlone ? null : (
        <>
          <Board
            key={projectId}
            projectId={projectId}
            projectName={project?.name ?? ""}
            first={first?.tasks}
            openNumber={open}
          />
          <TaskBeside projectId={projectId} number={open} />
        </>
      )}
      {children}
    </TaskPlace>
  );
}

/** Not there, or not yours: which of the two is nobody's business (S2). */
function NotMine() {
  return (
    <main id="main" className="grid min-h-[60vh] place-items-center p-6">
      <div className="empty max-w-[420px]">
        <h1 className="font-semibold">This project is not here</h1>
        <span>It was removed, or you are not a member of it. {WORK_KEPT}</span>
        <Link className="btn" href="/">
          Go to the board
        </Link>
      </div>
    </main>
  );
}
