"use client";
/** One column: its head with the count, its cards, and what stands there when there are none. */
import { type ReactNode, useState } from "react";
import type { Column } from "@/server/core/words";
import { newTaskSlot } from "../frame/places";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { Card, type CardProps } from "./card";
import { columnName } from "./card-actions";

/** Cards shown at first; the rest comes on demand, so that five hundred stay smooth. */
const SHOWN_AT_FIRST: Record<Column, number> = { backlog: 60, waiting: 120, running: 120, review: 60, done: 20 };
const SHOWN_MORE = 100;

interface BoardColumnProps {
  readonly column: Column;
  readonly projectId: string;
  readonly isShown: boolean;
  readonly count: string;
  /** What stands in Waiting while nobody does. */
  readonly nobodyWaits: string;
  /** How many of its cards do not pass the filter. */
  readonly hidden: number;
  /** The card that is drawn wherever it stands. */
  readonly sought: string | null;
  readonly cards: readonly CardProps[];
}

export function BoardColumn({
  column,
  projectId,
  isShown,
  count,
  nobodyWaits,
  hidden,
  sought,
  cards,
}: BoardColumnProps) {
  const [limit, setLimit] = useState(SHOWN_AT_FIRST[column]);
  const place = sought === null ? -1 : cards.findIndex(({ card }) => card.task.id === sought);
  if (place >= limit) setLimit(limit + Math.ceil((place + 1 - limit) / SHOWN_MORE) * SHOWN_MORE);
  const more = cards.length - limit;
  return (
    <ColumnFrame column={column} isShown={isShown} count={count} newTaskIn={projectId}>
      <div className="cards">
        {cards.slice(0, limit).map((props) => (
          <Card key={props.card.task.id} {...props} />
        ))}
        {cards.length === 0 ? (
          <Empty column={column} projectId={projectId} nobodyWaits={nobodyWaits} hidden={hidden} />
        ) : null}
      </div>
      {more > 0 ? (
        <button type="button" className="more" onClick={() => setLimit(limit + SHOWN_MORE)}>
          Show {Math.min(more, SHOWN_MORE)} more
        </button>
      ) : null}
    </ColumnFrame>
  );
}

export function ColumnSkeleton({ column, isShown }: { column: Column; isShown: boolean }) {
  return (
    <ColumnFrame column={column} isShown={isShown} count="" newTaskIn={null}>
      <div className="cards" aria-busy="true">
        <CardSkeleton />
        <CardSkeleton />
      </div>
    </ColumnFrame>
  );
}

interface ColumnFrameProps {
  readonly column: Column;
  readonly isShown: boolean;
  readonly count: string;
  readonly newTaskIn: string | null;
  readonly children: ReactNode;
}

function ColumnFrame({ column, isShown, count, newTaskIn, children }: ColumnFrameProps) {
  const isLive = column === "waiting" || column === "running";
  const headId = `column-${column}`;
  return (
    <section
      className={`col ${isLive ? "live-col" : ""} ${isShown ? "is-shown" : ""}`}
      aria-labelledby={headId}
      data-column={column}
    >
      <div className="col-head">
        <h2 id={headId}>{columnName(column)}</h2>
        <span className="n">
          <Count text={count} />
        </span>
        {column === "backlog" && newTaskIn !== null ? (
          <button
            type="button"
            className="btn sm icon ghost end"
            aria-label="Add a task to Backlog"
            onClick={() => newTaskSlot.open(newTaskIn)}
          >
            <Icon name="plus" small />
          </button>
        ) : null}
      </div>
      {column === "waiting" ? <Icon name="arrow" className="flow" /> : null}
      {children}
    </section>
  );
}

/** In `5/20` the first figure is the strong one. */
function Count({ text }: { text: string }): ReactNode {
  const at = text.indexOf("/");
  if (at < 0 || text.includes("here")) return text;
  return (
    <>
      <b>{text.slice(0, at)}</b>
      {text.slice(at)}
    </>
  );
}

interface EmptyProps {
  readonly column: Column;
  readonly projectId: string;
  readonly nobodyWaits: string;
  readonly hidden: number;
}

function Empty({ column, projectId, nobodyWaits, hidden }: EmptyProps): ReactNode {
  if (hidden > 0) return <Nothing head={`${hidden} hidden`} text="No card here passes the filter." />;
  switch (column) {
    case "backlog":
      return (
        <Nothing head="Nothing planned" text="Write what you want done. Dispatch it now or later.">
          <button type="button" className="btn ink" onClick={() => newTaskSlot.open(projectId)}>
            Write a task <Kbd>C</Kbd>
          </button>
        </Nothing>
      );
    case "waiting":
      return <Nothing head="Nobody waits" text={nobodyWaits} />;
    case "running":
      return <Nothing head="No agent is running" text="Dispatch a card, and it takes a seat here." />;
    case "review":
      return <Nothing head="Nothing to review" text="Ended sessions come here, however they ended." />;
    case "done":
      return <Nothing head="Nothing done yet" text="What you have looked at and put away." />;
    default:
      return column satisfies never;
  }
}

function Nothing({ head, text, children }: { head: string; text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <b>{head}</b>
      <span>{text}</span>
      {children}
    </div>
  );
}

/** Where a card will be: grey bars, no shimmer. */
function CardSkeleton() {
  return (
    <div className="card" aria-busy="true" aria-hidden="true">
      <span className="sk mt-[5px] w-[40%]" />
      <span className="sk mt-[14px] w-[92%]" />
      <span className="sk mt-[8px] w-[64%]" />
      <span className="sk mt-[17px] w-[50%]" />
    </div>
  );
}
