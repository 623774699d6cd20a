"use client";
/** Number, state, what can be done now, title, who and where: the same words and the same rules as on the card. */
import Link from "next/link";
import { useContext } from "react";
import type { Task } from "@/server/contract/tasks";
import { useAgentNames } from "../agent/use-agents";
import { Right, Sign } from "../board/card";
import { entriesFor, type MenuHelp, mainEntries, moveEntry } from "../board/card-menu";
import { type CardLook, viewOf } from "../board/card-view";
import type { BoardCard } from "../board/columns";
import { usePending } from "../board/pending";
import { serverNow } from "../live/clock";
import { useMe, usePeople } from "../people/use-people";
import { usePoolReader } from "../pool/use-reader";
import { wouldBePlace } from "../pool/wording";
import { Icon } from "../ui/icon";
import { type MenuEntry, openMenu } from "../ui/menu";
import { Avatar, firstNameOf } from "../ui/person";
import { clock, secondsBetween } from "../ui/time";
import { copyText } from "./copy";
import { TaskPlace } from "./task-place";
import { TaskTitle } from "./task-title";

interface TaskHeadProps {
  readonly card: BoardCard;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly close: () => void;
}

export function TaskHead({ card, tasks, close }: TaskHeadProps) {
  const { isBesideBoard, expand } = useContext(TaskPlace);
  const { task } = card;
  const me = useMe();
  const { nameOf } = usePeople();
  const reader = usePoolReader(tasks);
  const agent = useAgentNames(task.projectId)(task.session?.agentId ?? task.agentId);
  const meId = me?.id ?? "";
  const view = viewOf(card, { meId, nameOf, reader });
  const help: MenuHelp = {
    agent,
    open: () => {},
    copyLink: () => copyText(globalThis.location.href, "link", `Link to #${task.number} copied`),
    place: reader === null || me === undefined ? null : wouldBePlace(reader.pool, meId),
    elapsed: () => clock(secondsBetween(card.live?.startedAt ?? view.since, serverNow())),
  };
  const menu = entriesFor(card, help).filter((entry) => entry.kind === "rule" || entry.label !== "Open");
  return (
    <header className="over-head">
      <div className="line">
        {isBesideBoard ? null : <BackToBoard projectId={task.projectId} />}
        <span className="dim font-medium">#{task.number}</span>
        <span className={`chip ${CHIPS[view.look]}`} data-testid="state">
          <Sign view={view} />
          {view.word}
          {view.right.kind === "clock" ? (
            <b>
              <Right right={view.right} />
            </b>
          ) : null}
        </span>
        {view.right.kind === "lines" ? <Right right={view.right} /> : null}
        {view.noteRight === null || view.noteRight === "—" ? null : <span>{view.noteRight}</span>}
        <span className="grow" />
        <Actions card={card} help={help} />
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
          onClick={(event) => openMenu(event.currentTarget, `Task #${task.number}`, menu.slice(1 + mainsIn(menu)))}
        >
          <Icon name="dots" small />
        </button>
        {isBesideBoard ? (
          <button type="button" className="btn sm ghost icon" aria-label="Close" onClick={close}>
            <Icon name="x" small />
          </button>
        ) : null}
      </div>
      <TaskTitle task={task} />
      <div className="line">
        {view.userId === null ? null : (
          <>
            <Avatar userId={view.userId} name={nameOf(view.userId)} you={view.userId === meId} />
            <Link href={`/people/${view.userId}`} dir="auto" className="cut">
              {firstNameOf(nameOf(view.userId))}
            </Link>
            <span className="faint">·</span>
          </>
        )}
        <span dir="auto" className="cut">
          {agent}
        </span>
        {task.branch === null ? null : <Branch name={task.branch} />}
      </div>
    </header>
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

/** The entries before the first rule stand as buttons already. */
function mainsIn(menu: readonly MenuEntry[]): number {
  return menu.findIndex(({ kind }) => kind === "rule");
}

function Actions({ card, help }: { card: BoardCard; help: MenuHelp }) {
  const isPending = usePending(card.task.id);
  // Withdrawing stands beside the place in line, where its reason is.
  const entries = card.column === "waiting" ? [] : mainEntries(card, help);
  if (card.column === "review") entries.push(moveEntry(card, "done"));
  return entries.map((entry) => {
    if (entry.kind === "rule") return null;
    const why = entry.why ?? null;
    return (
      <button
        key={entry.label}
        type="button"
        className={`btn sm ${entry.label === "Dispatch" && why === null ? "ink" : ""}`}
        disabled={why !== null || isPending}
        title={why ?? entry.keys}
        onClick={entry.run}
      >
        {entry.icon === null ? null : <Icon name={entry.icon} small />}
        {entry.label}
      </button>
    );
  });
}

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
      <span className="faint">·</span>
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
