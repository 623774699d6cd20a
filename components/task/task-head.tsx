"use client";
/** Number, state, what can be done now, title, who and where: the same words and the same rules as on the card. */
import Link from "next/link";
import { useContext, useRef } from "react";
import type { Task } from "@/server/contract/tasks";
import { useAgentNames, useMayCost } from "../agent/use-agents";
import { Right, Sign } from "../board/card";
import type { MenuHelp } from "../board/card-menu";
import { NoteTail, Tail } from "../board/card-tail";
import { type CardLook, type CardView, viewOf } from "../board/card-view";
import type { BoardCard } from "../board/columns";
import { IssueLink } from "../board/issue-link";
import { ownLineOf } from "../board/line-moves";
import { shelfNow } from "../board/shown-board";
import { serverNow } from "../live/clock";
import { Age } from "../live/elapsed";
import { useMe, usePeople } from "../people/use-people";
import { wouldBePlace } from "../pool/outlook";
import { useHolds } from "../pool/use-holds";
import { usePoolReader } from "../pool/use-reader";
import { CutOffNote } from "../project/project-note";
import { useLookedAt, useProjects } from "../project/use-projects";
import { UNKNOWN_COST } from "../ui/cost";
import { Icon } from "../ui/icon";
import { openMenu } from "../ui/menu";
import { Avatar, firstNameOf } from "../ui/person";
import { clock, secondsBetween } from "../ui/time";
import { useFocusBeside } from "../ui/use-focus-beside";
import { inSentence } from "../ui/written";
import { copyText } from "./copy";
import { HeadActions } from "./head-actions";
import { type HeadEntries, headEntries } from "./head-entries";
import { notPushed } from "./not-pushed";
import { TaskPlace } from "./task-place";
import { TaskTitle } from "./task-title";
import { useRemote } from "./use-remote";

interface TaskHeadProps {
  readonly card: BoardCard;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly close: () => void;
}

export function TaskHead({ card, tasks, close }: TaskHeadProps) {
  const { isBesideBoard } = useContext(TaskPlace);
  const { task } = card;
  const me = useMe();
  const { nameOf } = usePeople();
  const reader = usePoolReader(tasks);
  const agent = useAgentNames(task.projectId)(task.session?.agentId ?? task.agentId);
  const mayCost = useMayCost(task.projectId);
  const holdOf = useHolds(task.projectId);
  const meId = me?.id ?? "";
  const project = useProjects()?.find(({ id }) => id === task.projectId);
  const looked = useLookedAt(task.projectId)?.remote;
  const remote = useRemote(card, tasks);
  const unpushed = notPushed(task, remote);
  const quietNoticeSeconds = project?.quietNoticeSeconds ?? null;
  const view = viewOf(card, { mayCost, meId, nameOf, reader, quietNoticeSeconds });
  const help: MenuHelp = {
    agent,
    base: project?.baseBranch ?? null,
    hasGitHub: project?.hasGitHub ?? false,
    whyNoPush: looked?.kind === "nowhere" ? looked.why : null,
    unpushed: remote?.unpushed?.length ?? null,
    isAdmin: me?.role === "admin",
    open: () => {},
    copyLink: () =>
      copyText(globalThis.location.origin + globalThis.location.pathname, "link", `Link to #${task.number} copied`),
    line: ownLineOf(reader?.pool, me?.id, card),
    shelf: shelfNow(card),
    place: reader === null || me === undefined ? null : wouldBePlace(reader.pool, meId, holdOf(task.agentId)),
    elapsed: () => clock(secondsBetween(card.live?.startedAt ?? view.since, serverNow())),
  };
  const entries = headEntries(card, help);
  return (
    <header className="over-head">
      <div className="line">
        {isBesideBoard ? null : <BackToBoard projectId={task.projectId} />}
        <span className="dim font-medium">#{task.number}</span>
        {task.issue === null ? null : <IssueLink issue={task.issue} />}
        <State view={view} />
        <span className="grow" />
        <Actions taskId={task.id} number={task.number} entries={entries} close={close} />
      </div>
      {unpushed === null ? null : (
        <p className="flex items-start gap-1.5" role="status" dir="auto">
          <Icon name="alert" small className="attn" />
          {`${unpushed} “Push ${inSentence(task.outcome?.base ?? "")}” sends it.`}
        </p>
      )}
      <TaskTitle task={task} />
      <div className="line">
        {view.userId === null ? null : (
          <Who userId={view.userId} name={nameOf(view.userId)} isYou={view.userId === meId} />
        )}
        {agent === "" ? null : (
          <>
            {view.userId === null ? null : <Dot />}
            <span dir="auto" className="cut">
              {agent}
            </span>
          </>
        )}
        {task.branch === null ? null : <Branch name={task.branch} />}
      </div>
      <CutOffNote projectId={task.projectId} />
    </header>
  );
}

interface ActionsProps {
  readonly taskId: string;
  readonly number: number;
  readonly entries: HeadEntries;
  readonly close: () => void;
}

/** The buttons change while one of them has the focus. */
function Actions({ taskId, number, entries, close }: ActionsProps) {
  const box = useRef<HTMLSpanElement>(null);
  const beside = useFocusBeside(() => box.current);
  return (
    <span ref={box} className="head-acts" {...beside}>
      <HeadActions taskId={taskId} entries={entries.buttons} />
      <PanelButtons number={number} entries={entries.menu} close={close} />
    </span>
  );
}

function State({ view }: { view: CardView }) {
  const { look, word, right, noteRight } = view;
  return (
    <>
      <span className={`chip ${CHIPS[look]}`} data-testid="state">
        <Sign view={view} />
        {word}
        {right.kind === "clock" || right.kind === "age" ? (
          <b>
            <Right right={right} />
          </b>
        ) : null}
        {look === "done" ? (
          <b>
            <Age since={view.since} />
          </b>
        ) : null}
      </span>
      <Tail tail={view.tail} />
      {view.tail?.kind === "stopping" ? <NoteTail tail={view.tail} /> : null}
      {right.kind === "lines" ? <Right right={right} /> : null}
      {noteRight === null || noteRight === UNKNOWN_COST ? null : <span>{noteRight}</span>}
    </>
  );
}

function Who({ userId, name, isYou }: { userId: string; name: string; isYou: boolean }) {
  return (
    <>
      <Avatar userId={userId} name={name} you={isYou} />
      <Link href={`/people/${userId}`} dir="auto" className="cut" prefetch={false}>
        {firstNameOf(name)}
      </Link>
    </>
  );
}

function Dot() {
  return <span className="faint">·</span>;
}

interface PanelButtonsProps {
  readonly number: number;
  readonly entries: HeadEntries["menu"];
  readonly close: () => void;
}

function PanelButtons({ number, entries, close }: PanelButtonsProps) {
  const { isBesideBoard, expand } = useContext(TaskPlace);
  return (
    <>
      {isBesideBoard ? (
        <button type="button" className="btn sm ghost icon wide-only" aria-label="Open as a page" onClick={expand}>
          <Icon name="expand" small />
        </button>
      ) : null}
      <button
        type="button"
        className="btn sm ghost icon"
        aria-label="More actions"
        aria-haspopup="menu"
        onClick={(event) => openMenu(event.currentTarget, `Task #${number}`, entries)}
      >
        <Icon name="dots" small />
      </button>
      {isBesideBoard ? (
        <button type="button" className="btn sm ghost icon" aria-label="Close" onClick={close}>
          <Icon name="x" small />
        </button>
      ) : null}
    </>
  );
}

const CHIPS: Readonly<Record<CardLook, string>> = {
  backlog: "",
  queued: "dash",
  starting: "solid",
  running: "solid",
  asking: "attn",
  stopping: "solid",
  saving: "solid",
  succeeded: "ok",
  failed: "bad",
  cancelled: "",
  done: "",
};

function BackToBoard({ projectId }: { projectId: string }) {
  return (
    <Link className="btn sm ghost" href={`/projects/${projectId}`}>
      <Icon name="right" small className="rotate-180" />
      Board
    </Link>
  );
}

function Branch({ name }: { name: string }) {
  return (
    <>
      <Dot />
      <Icon name="branch" small />
      <span className="mono cut" dir="auto">
        {name}
      </span>
      <button
        type="button"
        className="btn sm ghost icon"
        aria-label="Copy branch name"
        onClick={() => copyText(name, "copy", "Branch name copied")}
      >
        <Icon name="copy" small />
      </button>
    </>
  );
}
