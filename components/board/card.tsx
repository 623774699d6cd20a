"use client";
/**
 * One card, 118px in every state. It draws what `card-view.ts` says; its clock ticks alone. Everything written by people is
 * text. Never decides where it stands.
 */
import Link from "next/link";
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from "react";
import { serverNow } from "../live/clock";
import { Age, Doing, Elapsed } from "../live/elapsed";
import { usePoolNow } from "../live/live-provider";
import { useTaskOpener } from "../task/open-task";
import { Icon, Mark } from "../ui/icon";
import { LineCounts } from "../ui/line-counts";
import { notThere } from "../ui/on-demand";
import { Avatar } from "../ui/person";
import { clock, secondsBetween } from "../ui/time";
import { inOwnOrder } from "../ui/written";
import { useAnswersInTime } from "./answers";
import { CardCost } from "./card-cost";
import { MainAction } from "./card-main-action";
import { CardReason } from "./card-reason";
import { NoteTail, Tail } from "./card-tail";
import type { CardRight, CardView } from "./card-view";
import type { BoardCard } from "./columns";
import { IssueLink } from "./issue-link";
import { usePending } from "./pending";
import { shelfNow } from "./shown-board";
import { againFor } from "./try-again";

export interface CardProps {
  readonly card: BoardCard;
  readonly view: CardView;
  readonly agent: string;
  readonly personName: string;
  readonly isYou: boolean;
  /** Of who looks. */
  readonly isAdmin: boolean;
  /** What a dispatch would do now, in two words. */
  readonly place: string | null;
  readonly isOpen: boolean;
}

/** No part of the first load; with the first press of a key or of the mouse on a board it is mostly there. */
const loadMenu = () => import("./card-menu");

/** Cards whose picture did not change are not drawn again when one of five hundred does. */
export const Card = memo(CardOnce, isSame);

function isSame(one: CardProps, other: CardProps): boolean {
  return (
    one.card.task === other.card.task &&
    one.card.live === other.card.live &&
    one.card.column === other.card.column &&
    one.agent === other.agent &&
    one.personName === other.personName &&
    one.isYou === other.isYou &&
    one.isAdmin === other.isAdmin &&
    one.isOpen === other.isOpen &&
    one.place === other.place &&
    one.view.note === other.view.note &&
    one.view.noteRight === other.view.noteRight &&
    one.view.word === other.view.word &&
    textOf(one.view.right) === textOf(other.view.right)
  );
}

function textOf(right: CardRight): string {
  return Object.values(right).join(" ");
}

function CardOnce({ card, view, agent, personName, isYou, isAdmin, place, isOpen }: CardProps) {
  const { task, column } = card;
  const opener = useTaskOpener(task.projectId);
  const pending = usePending(task.id);
  useAnswersInTime(card);
  const poolNow = usePoolNow();
  const address = `/projects/${task.projectId}/tasks/${task.number}`;
  const titleId = `card-${task.number}`;
  const open = () => opener.open(task.number);
  const again = againFor(card.live, card.liveId, task);
  const elapsed = () => clock(secondsBetween(card.live?.startedAt ?? view.since, serverNow()));

  const clicked = (event: MouseEvent) => {
    const isOnControl = event.target instanceof Element && event.target.closest("a, button") !== null;
    if (!isOnControl && globalThis.getSelection()?.isCollapsed !== false) open();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.target === event.currentTarget && event.key === "Enter") open();
  };
  const more = (event: MouseEvent<HTMLButtonElement>) => {
    const anchor = event.currentTarget;
    const meId = isYou ? card.live?.userId : undefined;
    const help = { open, place, isAdmin, agent, elapsed, shelf: shelfNow(card) };
    const show = ({ openCardMenu }: Awaited<ReturnType<typeof loadMenu>>) =>
      openCardMenu(anchor, card, { pool: poolNow(), meId, ...help });
    loadMenu().then(show, notThere);
  };

  return (
    <article
      className={`card ${isOpen ? "is-selected" : ""}`}
      data-state={view.look}
      data-task-number={task.number}
      data-column={column}
      data-task-id={task.id}
      aria-labelledby={titleId}
      aria-busy={pending !== null || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a card is moved, opened and acted on by keyboard
      tabIndex={0}
      onClick={clicked}
      onKeyDown={pressed}
    >
      <div className="card-meta">
        <span className="num">#{task.number}</span>
        {task.issue === null ? null : <IssueLink issue={task.issue} isOnCard />}
        <span className="cut" dir="auto">
          {agent}
        </span>
        <span className="end">
          <Age since={view.since} />
        </span>
        {view.userId === null ? null : <Avatar userId={view.userId} name={personName} you={isYou} />}
      </div>
      <h3 className="card-title" id={titleId} dir="auto">
        <Link
          href={address}
          tabIndex={-1}
          prefetch={false}
          onNavigate={(event) => {
            event.preventDefault();
            open();
          }}
        >
          {cutTitle(inOwnOrder(task.title))}
        </Link>
      </h3>
      {view.look === "backlog" ? (
        <p className="card-prompt" dir="auto">
          {view.note}
        </p>
      ) : (
        <>
          <div className="card-state">
            <Sign view={view} />
            <b>{pending?.doing == null ? view.word : <Doing doing={pending.doing} since={pending.since} />}</b>
            <Tail tail={view.tail} />
            {again === null ? (
              <Right right={view.right} />
            ) : (
              <button type="button" className="card-again end" onClick={() => void again()}>
                Try again
              </button>
            )}
          </div>
          <div className="card-note">
            <span className="cut" dir={isSaid(view) ? "auto" : undefined} title={view.note}>
              {view.look === "queued" ? <CardReason reason={view.note} personName={personName} /> : view.note}
              <NoteTail tail={view.tail} />
            </span>
            {view.noteRight === null ? null : <CardCost cost={view.noteRight} />}
          </div>
        </>
      )}
      <div className="card-acts">
        <MainAction card={card} agent={agent} elapsed={elapsed} open={open} />
        <button
          type="button"
          className="btn sm ghost icon"
          aria-label={`More actions for #${task.number}`}
          aria-haspopup="menu"
          data-menu
          onClick={more}
        >
          <Icon name="dots" small />
        </button>
      </div>
    </article>
  );
}

/** What fits on two lines with room to spare: a card does not lay out ten thousand letters. */
const TITLE_SHOWN_MAX = 300;

function cutTitle(title: string): string {
  if (title.length <= TITLE_SHOWN_MAX) return title;
  // Not within a character of two halves.
  return `${title.slice(0, TITLE_SHOWN_MAX).replace(/[\ud800-\udbff]$/, "")}…`;
}

export function Sign({ view: { mark } }: { view: CardView }): ReactNode {
  if (mark === null) return null;
  if (mark.kind === "mark") return <Mark name={mark.name} />;
  return (
    <span className="place" aria-hidden="true" key={mark.place}>
      {mark.place}
    </span>
  );
}

export function Right({ right }: { right: CardRight }): ReactNode {
  switch (right.kind) {
    case "nothing":
      return null;
    case "text":
      return <span className="end cut">{withRoom(right.text)}</span>;
    case "clock":
      return (
        <span className="end">
          <Elapsed since={right.since} />
        </span>
      );
    case "age":
      return (
        <span className="end">
          <Age since={right.since} />
        </span>
      );
    case "lines":
      return (
        <span className="end">
          <LineCounts added={right.added} removed={right.removed} />
        </span>
      );
    default:
      return right satisfies never;
  }
}

/** In narrow columns "about 16 min" is "16 min", and that there is no estimate goes without saying. */
function withRoom(text: string): ReactNode {
  if (text.startsWith("no estimate")) return <span className="roomy">{text}</span>;
  if (!text.startsWith("about ")) return text;
  return (
    <>
      <span className="roomy">about </span>
      {text.slice("about ".length)}
    </>
  );
}

/** Its note may be the agent's own words, as a whole; elsewhere it is a sentence of ours. */
function isSaid({ look }: CardView): boolean {
  return look === "starting" || look === "running" || look === "asking";
}
