"use client";
/**
 * A task (B7): beside the live board, or as a page of its own. Same parts in both: head, tabs, facts. Nothing here decides
 * where the card stands; it reads the board's own pictures.
 */
import Link from "next/link";
import { type ReactNode, useContext, useRef } from "react";
import type { Task } from "@/server/contract/tasks";
import type { BoardCard } from "../board/columns";
import { useFocusBeside } from "../ui/use-focus-beside";
import { Aside } from "./aside";
import { useTaskOpener } from "./open-task";
import { PanelBesideBoard } from "./panel";
import { TaskBody } from "./task-body";
import { TaskHead } from "./task-head";
import { TaskPlace } from "./task-place";
import { useChosenSession } from "./use-chosen-session";
import { useSessions, useTaskAtHand } from "./use-task";
import { windowTitleOf } from "./window-title";

interface TaskViewProps {
  readonly projectId: string;
  readonly number: number;
}

export function TaskView({ projectId, number }: TaskViewProps) {
  const { isBesideBoard } = useContext(TaskPlace);
  const { close } = useTaskOpener(projectId);
  const atHand = useTaskAtHand(projectId, number);
  const content = contentOf(atHand, close, projectId);
  if (!isBesideBoard) {
    return (
      <main id="main" className="task-page" aria-busy={atHand.kind === "loading" || undefined}>
        {content}
      </main>
    );
  }
  return (
    <PanelBesideBoard
      label={`Task #${number}`}
      column={atHand.kind === "task" ? atHand.card.column : null}
      taskId={atHand.kind === "task" ? atHand.card.task.id : null}
      close={close}
    >
      {content}
    </PanelBesideBoard>
  );
}

function contentOf(atHand: ReturnType<typeof useTaskAtHand>, close: () => void, projectId: string): ReactNode {
  switch (atHand.kind) {
    case "loading":
      return <h1 className="sr">Task</h1>;
    case "missing":
      return <NotHere projectId={projectId} />;
    case "task":
      return <TaskParts key={atHand.card.task.id} card={atHand.card} tasks={atHand.tasks} close={close} />;
    default:
      return atHand satisfies never;
  }
}

interface TaskPartsProps {
  readonly card: BoardCard;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly close: () => void;
}

function TaskParts({ card, tasks, close }: TaskPartsProps) {
  const sessions = useSessions(card.task);
  const { session, choose } = useChosenSession(sessions);
  const body = useRef<HTMLDivElement>(null);
  // What is pressed in a pane may go with it, as "Withdraw" does; the head stands before it.
  const beside = useFocusBeside(() => body.current?.previousElementSibling);
  return (
    <>
      {/* Beside the one that comes with the address: from one task to the next no window stands without a name. */}
      <title>{`${windowTitleOf(card.task.number, card.task.title)} · Camelot`}</title>
      <TaskHead card={card} tasks={tasks} close={close} />
      <div ref={body} className="over-body" {...beside}>
        <TaskBody card={card} tasks={tasks} sessions={sessions} session={session} choose={choose} />
        <Aside card={card} tasks={tasks} sessions={sessions} session={session} choose={choose} />
      </div>
    </>
  );
}

function NotHere({ projectId }: { projectId: string }) {
  return (
    <div className="grid place-items-center p-6">
      <div className="empty">
        <h1 className="font-semibold">This task is not here</h1>
        <span>It was deleted, or the address is wrong.</span>
        <Link className="btn" href={`/projects/${projectId}`}>
          Go to the board
        </Link>
      </div>
    </div>
  );
}
