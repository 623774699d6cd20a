"use client";
/** The tabs of a task: its place in line while it waits, the chosen session's output, the diff, the prompt. */
import { useState } from "react";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import type { BoardCard } from "../board/columns";
import { OutputView } from "../output/output-view";
import { useOnDemand } from "../ui/on-demand";
import { Outcome } from "./outcome";
import { Prompt } from "./prompt";
import { QuestionBox } from "./question";
import { Pane, type Tab, Tabs } from "./tabs";
import { Waiting } from "./waiting";

const loadTerminal = async () => (await import("../output/terminal-view")).TerminalView;
const loadDiff = async () => (await import("../diff/diff-view")).DiffView;

type TabId = "waiting" | "output" | "terminal" | "diff" | "prompt";

interface TaskBodyProps {
  readonly card: BoardCard;
  readonly tasks: Readonly<Record<string, Task>>;
  /** The chosen one. */
  readonly session: Session | null;
}

export function TaskBody({ card, tasks, session }: TaskBodyProps) {
  const [choice, setChoice] = useState<{ readonly tab: TabId; readonly column: string } | null>(null);
  const tabs = tabsOf(card, session);
  // A card that moved to another column is news: its own tab comes first again.
  const isStanding = choice?.column === card.column && tabs.some(({ id }) => id === choice.tab);
  const chosen = (isStanding ? choice?.tab : undefined) ?? tabs[0]?.id ?? "prompt";
  return (
    <div className="task-main">
      <QuestionBox card={card} />
      <Tabs tabs={tabs} chosen={chosen} choose={(tab) => setChoice({ tab, column: card.column })} />
      <Pane id={chosen} isFilled={chosen === "output" || chosen === "terminal"}>
        <PaneContent tab={chosen} card={card} tasks={tasks} session={session} />
      </Pane>
    </div>
  );
}

function tabsOf({ task, column }: BoardCard, session: Session | null): Tab<TabId>[] {
  const tabs: Tab<TabId>[] = [];
  if (column === "waiting") tabs.push({ id: "waiting", label: "Waiting" });
  if (session !== null && session.startedAt !== null) {
    tabs.push({ id: "output", label: "Output" }, { id: "terminal", label: "Terminal" });
  }
  if (task.branch !== null) tabs.push({ id: "diff", label: <DiffLabel session={task.session} /> });
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
  switch (tab) {
    case "waiting":
      return <Waiting card={card} tasks={tasks} />;
    case "output":
      if (session === null) return null;
      if (!session.outputRemoved) {
        const outcome = <Outcome session={session} />;
        return <OutputView key={session.id} session={session} number={card.task.number} outcome={outcome} />;
      }
      return (
        <>
          <Outcome session={session} />
          <p className="faint">Output removed: it was kept as long as the settings say.</p>
        </>
      );
    case "terminal":
      if (session === null || session.outputRemoved || TerminalView === null) return null;
      return <TerminalView key={session.id} session={session} />;
    case "diff":
      return DiffView === null ? null : <DiffView task={card.task} />;
    case "prompt":
      return <Prompt card={card} />;
    default:
      return tab satisfies never;
  }
}
