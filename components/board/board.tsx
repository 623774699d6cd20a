"use client";
/**
 * The board of one project: five columns computed from its cards and the pool's picture, live. Nothing here moves a card;
 * cards stand where the two pictures say.
 */
import { useMemo, useRef, useState } from "react";
import type { Task } from "@/server/contract/tasks";
import { COLUMNS, type Column } from "@/server/core/words";
import { useAgentNames } from "../agent/use-agents";
import { useBoard, usePool } from "../live/live-provider";
import { useMe, usePeople } from "../people/use-people";
import { usePoolReader } from "../pool/use-reader";
import { seatsSentence, whatDispatchDoes, wouldBePlace } from "../pool/wording";
import { useProjects } from "../project/use-projects";
import { Icon, Mark } from "../ui/icon";
import { BoardColumn, ColumnSkeleton } from "./board-column";
import { columnName } from "./card-actions";
import { viewOf } from "./card-view";
import { arrange, type BoardCard, type BoardColumns } from "./columns";
import { useAnnouncements } from "./use-announcements";
import { useDrag } from "./use-drag";
import { useTravel } from "./use-travel";

type Filter = "all" | "mine" | "needs-you";

interface BoardProps {
  readonly projectId: string;
  readonly projectName: string;
  /** Cards that came with the page. */
  readonly first?: readonly Task[];
  /** The task that is open beside it; its card is marked. */
  readonly openNumber: number | null;
}

export function Board({ projectId, projectName, first, openNumber }: BoardProps) {
  const board = useBoard(projectId, first);
  const pool = usePool();
  const me = useMe();
  const people = usePeople();
  const agentNames = useAgentNames(projectId);
  const reader = usePoolReader(board?.tasks);
  const [filter, setFilter] = useState<Filter>("all");
  const [picked, setPicked] = useState<Column | null>(null);

  const columns = useMemo(() => arrange(Object.values(board?.tasks ?? {}), pool), [board?.tasks, pool]);
  const element = useRef<HTMLDivElement>(null);
  useAnnouncements(columns, me?.id ?? null);
  useTravel(element, columns);

  const meId = me?.id ?? "";
  const quietNoticeSeconds = useProjects()?.find(({ id }) => id === projectId)?.quietNoticeSeconds ?? null;
  const reads = { meId, nameOf: people.nameOf, reader, quietNoticeSeconds };
  const place = reader === null || me === undefined ? null : wouldBePlace(reader.pool, meId);
  useDrag(
    element,
    columns,
    useMemo(() => ({ meId, place }), [meId, place]),
  );
  if (board?.isClosed) return <ClosedBoard />;
  const shown = picked ?? (columns.running.length > 0 ? "running" : "backlog");
  const isMine = (card: BoardCard) => userOf(card) === meId;
  const needsMe = (card: BoardCard) => card.live?.phase === "asking" && card.live.userId === meId;
  const passes = { all: () => true, mine: isMine, "needs-you": needsMe }[filter];

  return (
    <main id="main">
      <h1 className="sr" dir="auto">
        {projectName} board
      </h1>
      <div className="bar">
        <Filters columns={columns} isMine={isMine} needsMe={needsMe} filter={filter} choose={setFilter} />
        <ColumnPick columns={columns} running={runningHead(columns, pool)} shown={shown} pick={setPicked} />
        <span className="end faint text-12 wide-only">{reader === null ? "" : seatsSentence(reader)}</span>
      </div>
      <div className="board-scroll">
        <div className="board" ref={element}>
          <div className="lane" aria-hidden="true" />
          {COLUMNS.map((column) =>
            board === undefined ? (
              <ColumnSkeleton key={column} column={column} isShown={column === shown} />
            ) : (
              <BoardColumn
                key={column}
                column={column}
                projectId={projectId}
                isShown={column === shown}
                count={column === "running" ? runningHead(columns, pool) : String(columns[column].length)}
                nobodyWaits={pool === undefined ? "" : whatDispatchDoes(pool, meId)}
                isFiltered={filter !== "all"}
                cards={columns[column].filter(passes).map((card) => {
                  const view = viewOf(card, reads);
                  return {
                    card,
                    view,
                    place,
                    agent: agentNames(card.task.session?.agentId ?? card.task.agentId),
                    personName: view.userId === null ? "" : people.nameOf(view.userId),
                    isYou: view.userId === meId,
                    isAdmin: me?.role === "admin",
                    isOpen: card.task.number === openNumber,
                  };
                })}
              />
            ),
          )}
        </div>
      </div>
    </main>
  );
}

function userOf({ live, task }: BoardCard): string | null {
  return live?.userId ?? task.session?.userId ?? task.createdBy;
}

/** `5/20`, or `2 here · 20/20` when other projects run too. */
function runningHead({ running }: BoardColumns, pool: ReturnType<typeof usePool>): string {
  if (pool === undefined) return String(running.length);
  const figure = `${pool.global.running}/${pool.global.max}`;
  const here = pool.global.running === running.length ? figure : `${running.length} here · ${figure}`;
  return pool.paused ? `${here} · paused` : here;
}

interface FiltersProps {
  readonly columns: BoardColumns;
  readonly isMine: (card: BoardCard) => boolean;
  readonly needsMe: (card: BoardCard) => boolean;
  readonly filter: Filter;
  readonly choose: (filter: Filter) => void;
}

function Filters({ columns, isMine, needsMe, filter, choose }: FiltersProps) {
  const open = COLUMNS.filter((column) => column !== "done").flatMap((column) => columns[column]);
  const needs = open.filter(needsMe).length;
  return (
    <fieldset className="seg wide-only" aria-label="Filter cards">
      <button type="button" aria-pressed={filter === "all"} onClick={() => choose("all")}>
        All
      </button>
      <button type="button" aria-pressed={filter === "mine"} onClick={() => choose("mine")}>
        Mine <span className="n">{open.filter(isMine).length}</span>
      </button>
      {needs > 0 || filter === "needs-you" ? (
        <button type="button" aria-pressed={filter === "needs-you"} onClick={() => choose("needs-you")}>
          <Mark name="asking" className="attn" />
          Needs you <span className="n">{needs}</span>
        </button>
      ) : null}
    </fieldset>
  );
}

interface ColumnPickProps {
  readonly columns: BoardColumns;
  readonly running: string;
  readonly shown: Column;
  readonly pick: (column: Column) => void;
}

/** On narrow screens one column shows at a time. */
function ColumnPick({ columns, running, shown, pick }: ColumnPickProps) {
  return (
    <fieldset className="seg colpick phone-only" aria-label="Column">
      {COLUMNS.map((column) => (
        <button key={column} type="button" aria-pressed={column === shown} onClick={() => pick(column)}>
          {columnName(column)}
          <span className="n">{column === "running" ? running.replace(/ · paused$/, "") : columns[column].length}</span>
        </button>
      ))}
    </fieldset>
  );
}

function ClosedBoard() {
  return (
    <main id="main" className="grid min-h-[60vh] place-items-center p-6">
      <div className="empty max-w-[420px]">
        <Icon name="off" />
        <b>This project is not here any more</b>
        <span>It was removed, or you are no longer a member of it.</span>
        <a className="btn" href="/">
          Go to another board
        </a>
      </div>
    </main>
  );
}
