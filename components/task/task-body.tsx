"use client";
/** The tabs of a task: its place in line while it waits, the chosen session's transcript or output, the diff, the pull request, the prompt. */
import { useState } from "react";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import type { StreamFormat } from "@/server/core/agent/events";
import type { BoardCard } from "../board/columns";
import { useFormat } from "../transcript/use-format";
import { useOnDemand } from "../ui/on-demand";
import { useSlot } from "../ui/slot";
import { editWish } from "./edit-wish";
import { FollowUp } from "./follow-up";
import { suggestedSlot } from "./message-draft";
import { Outcome } from "./outcome";
import { Prompt } from "./prompt";
import { QuestionBox } from "./question";
import { SessionOutput } from "./session-output";
import { Pane, type Tab, Tabs } from "./tabs";
import { Waiting } from "./waiting";

const loadTerminal = async () => (await import("../output/terminal-view")).TerminalView;
const loadDiff = async () => (await import("../diff/diff-view")).DiffView;

const loadPullRequest = async () => (await import("./pull-request")).PullRequest;

type TabId = "waiting" | "output" | "terminal" | "diff" | "pull-request" | "prompt";

interface TaskBodyProps {
  readonly card: BoardCard;
  readonly tasks: Readonly<Record<string, Task>>;
  /** The chosen one. */
  readonly session: Session | null;
}

export function TaskBody({ card, tasks, session }: TaskBodyProps) {
  const [choice, setChoice] = useState<{ readonly tab: TabId; readonly column: string } | null>(null);
  const format = useFormat(session);
  const tabs = tabsOf(card, session, format);
  // A card that moved to another column is news: its own tab comes first again.
  const isStanding = choice?.column === card.column && tabs.some(({ id }) => id === choice.tab);
  const isToBeChanged = useSlot(editWish) === card.task.number;
  if (isToBeChanged && !(isStanding && choice?.tab === "prompt")) setChoice({ tab: "prompt", column: card.column });
  // The box that it is meant for does not stand below the prompt.
  const isSentBack = useSlot(suggestedSlot)?.taskId === card.task.id;
  if (isSentBack && isStanding && choice?.tab === "prompt") setChoice(null);
  const chosen = (isStanding ? choice?.tab : undefined) ?? tabs[0]?.id ?? "prompt";
  return (
    <div className="task-main">
      <QuestionBox card={card} />
      <Tabs tabs={tabs} chosen={chosen} choose={(tab) => setChoice({ tab, column: card.column })} />
      <Pane id={chosen} isFilled={chosen === "output" || chosen === "terminal"}>
        <PaneContent tab={chosen} card={card} tasks={tasks} session={session} />
      </Pane>
      {chosen === "prompt" ? null : <FollowUp card={card} />}
    </div>
  );
}

function tabsOf({ task, column }: BoardCard, session: Session | null, format: StreamFormat | null): Tab<TabId>[] {
  const tabs: Tab<TabId>[] = [];
  if (column === "waiting") tabs.push({ id: "waiting", label: "Waiting" });
  if (session !== null && session.startedAt !== null) {
    const label = format === null || format === "text" ? "Output" : "Transcript";
    tabs.push({ id: "output", label }, { id: "terminal", label: "Terminal" });
  }
  if (task.branch !== null) tabs.push({ id: "diff", label: <DiffLabel session={task.session} /> });
  if (task.pullRequest !== null) tabs.push({ id: "pull-request", label: `Pull request #${task.pullRequest.number}` });
  tabs.push({ id: "prompt", label: "Prompt" });
  return tabs;
}

function DiffLabel({ session }: { session: Session | null }) {
  const { files, additions, deletions } = session ?? { files: 0, additions: null, deletions: null };
  if (additions === null || deletions === null || files === 0) return "Diff";
  return (
    <>
      Diff{" "}
      <span>
        <span className="add">+{additions}</span> <span className="del">−{deletions}</span>
      </span>
    </>
  );
}

function PaneContent({ tab, card, tasks, session }: TaskBodyProps & { tab: TabId }) {
  const TerminalView = useOnDemand(loadTerminal, tab === "terminal");
  const DiffView = useOnDemand(loadDiff, tab === "diff");
  const PullRequest = useOnDemand(loadPullRequest, tab === "pull-request");
  const { task } = card;
  switch (tab) {
    case "waiting":
      return <Waiting card={card} tasks={tasks} />;
    case "output":
      if (session === null) return null;
      return (
        <SessionOutput
          task={task}
          session={session}
          outcome={<Outcome session={session} isDone={card.column === "done"} />}
        />
      );
    case "terminal":
      if (session === null || session.outputRemoved || TerminalView === null) return null;
      return <TerminalView key={session.id} session={session} />;
    case "diff":
      return DiffView === null ? null : <DiffView task={task} />;
    case "pull-request":
      return PullRequest === null ? null : <PullRequest card={card} />;
    case "prompt":
      return <Prompt card={card} />;
    default:
      return tab satisfies never;
  }
}
