"use client";
/** The tabs of a task: its place in line while it waits, the chosen session's transcript or output, the diff, the pull request, the prompt. */
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import type { StreamFormat } from "@/server/core/agent/events";
import type { BoardCard } from "../board/columns";
import { useFormat } from "../transcript/use-format";
import { LineCounts } from "../ui/line-counts";
import { useOnDemand } from "../ui/on-demand";
import { useSlot } from "../ui/slot";
import { editWish } from "./edit-wish";
import { FollowUp } from "./follow-up";
import { useKeptText } from "./kept-text";
import { suggestedSlot } from "./message-draft";
import { Outcome } from "./outcome";
import { Prompt } from "./prompt";
import { promptDrafts } from "./prompt-draft";
import { QuestionBox } from "./question";
import { hasMessage, SessionMessage } from "./session-message";
import { SessionOutput } from "./session-output";
import { Pane, type Tab, Tabs } from "./tabs";
import { useOwnNews } from "./use-chosen-session";
import { type TabId, useTab } from "./use-tab";
import { Waiting } from "./waiting";

const loadTerminal = async () => (await import("../output/terminal-view")).TerminalView;
const loadDiff = async () => (await import("../diff/diff-view")).DiffView;

const loadPullRequest = async () => (await import("./pull-request")).PullRequest;

interface TaskBodyProps {
  readonly card: BoardCard;
  readonly tasks: Readonly<Record<string, Task>>;
  /** The chosen one. */
  readonly session: Session | null;
}

interface BodyProps extends TaskBodyProps {
  /** All of the task, newest first. */
  readonly sessions: readonly Session[];
  readonly choose: (session: Session | null) => void;
}

/**
 * Without a choice the first tab is shown. Whoever chose one, or touched what it shows, keeps it through every change of
 * others for as long as it is there; a new session of one's own is news, unless the prompt is being written.
 */
export function TaskBody({ card, tasks, sessions, session, choose }: BodyProps) {
  const { choice, setChoice, choose: chooseTab } = useTab(card.task.number);
  const format = useFormat(session);
  const isWritten = useKeptText(promptDrafts, card.task.id) !== null;
  const tabs = tabsOf(card, session, format, isWritten);
  const isKnown = (tab: TabId | null) => tabs.some(({ id }) => id === tab);
  const isOwnNews = useOwnNews(sessions[0] ?? null);
  if (isOwnNews && choice !== null && !(choice === "prompt" && isWritten)) setChoice(null);
  const isToBeChanged = useSlot(editWish) === card.task.number;
  if (isToBeChanged && choice !== "prompt") setChoice("prompt");
  // The box that it is meant for does not stand below the prompt.
  const isSentBack = useSlot(suggestedSlot)?.taskId === card.task.id;
  if (isSentBack && choice === "prompt") setChoice(null);
  const chosen = (isKnown(choice) ? choice : null) ?? tabs[0]?.id ?? "prompt";
  const hold = () => {
    if (choice !== chosen) setChoice(chosen);
    if (session !== null && (chosen === "output" || chosen === "terminal")) choose(session);
  };
  return (
    <div className="task-main">
      <QuestionBox card={card} />
      <Tabs tabs={tabs} chosen={chosen} choose={chooseTab} />
      {session === null || session.id === sessions[0]?.id ? null : <Earlier showNewest={() => choose(null)} />}
      <Pane id={chosen} isFilled={chosen === "output" || chosen === "terminal"} touched={hold}>
        <PaneContent tab={chosen} card={card} tasks={tasks} session={session} openOutput={() => chooseTab("output")} />
      </Pane>
      {chosen === "prompt" ? null : <FollowUp card={card} />}
    </div>
  );
}

/** What is on the screen is not what the head speaks of. */
function Earlier({ showNewest }: { showNewest: () => void }) {
  return (
    <p className="earlier-session" role="status">
      This is an earlier session.
      <button type="button" className="btn sm end" onClick={showNewest}>
        Show the newest
      </button>
    </p>
  );
}

function tabsOf(
  { task, column }: BoardCard,
  session: Session | null,
  format: StreamFormat | null,
  isWritten: boolean,
): Tab<TabId>[] {
  const tabs: Tab<TabId>[] = [];
  if (column === "waiting") tabs.push({ id: "waiting", label: "Waiting" });
  if (session !== null && session.startedAt !== null) {
    tabs.push({ id: "output", label: outputWord(format) }, { id: "terminal", label: "Terminal" });
  }
  if (task.branch !== null) tabs.push({ id: "diff", label: <DiffLabel session={task.session} /> });
  if (task.pullRequest !== null) tabs.push({ id: "pull-request", label: `Pull request #${task.pullRequest.number}` });
  tabs.push({ id: "prompt", label: isWritten ? "Prompt · not saved" : "Prompt" });
  return tabs;
}

function outputWord(format: StreamFormat | null): string {
  return format === null || format === "text" ? "Output" : "Transcript";
}

function DiffLabel({ session }: { session: Session | null }) {
  const { files, additions, deletions } = session ?? { files: 0, additions: null, deletions: null };
  if (additions === null || deletions === null || files === 0) return "Diff";
  return (
    <>
      Diff{" "}
      <span>
        <LineCounts added={additions} removed={deletions} />
      </span>
    </>
  );
}

interface PaneContentProps extends TaskBodyProps {
  readonly tab: TabId;
  readonly openOutput: () => void;
}

function PaneContent({ tab, card, tasks, session, openOutput }: PaneContentProps) {
  const format = useFormat(session);
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
          outcome={<Outcome task={task} session={session} isDone={card.column === "done"} />}
        />
      );
    case "terminal":
      if (session === null || session.outputRemoved || TerminalView === null) return null;
      return <TerminalView key={session.id} session={session} whole={outputWord(format)} openWhole={openOutput} />;
    case "diff":
      return DiffView === null ? null : <DiffView task={task} />;
    case "pull-request":
      return PullRequest === null ? null : <PullRequest card={card} />;
    case "prompt":
      return (
        <>
          <SessionMessage session={session} heading="Message of this session" />
          {hasMessage(session) ? <h2 className="pane-head">Prompt of the task</h2> : null}
          <Prompt card={card} />
        </>
      );
    default:
      return tab satisfies never;
  }
}
