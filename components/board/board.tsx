"use client";
/**
 * The board of one project: five columns computed from its cards and the pool's picture, live. Nothing here moves a card;
 * cards stand where the two pictures say.
 */
import { useEffect, useMemo, useRef, useState } from "react";
import type { Task } from "@/server/contract/tasks";
import { COLUMNS, type Column } from "@/server/core/words";
import { useAgentNames, useMayCost } from "../agent/use-agents";
import { useBoard, usePool } from "../live/live-provider";
import { useMe, usePeople } from "../people/use-people";
import { whatDispatchDoes, wouldBePlace } from "../pool/outlook";
import { useHoldNews, useHolds } from "../pool/use-holds";
import { usePoolReader } from "../pool/use-reader";
import { seatsSentence } from "../pool/wording";
import { useProjects } from "../project/use-projects";
import { WORK_KEPT } from "../project/work-kept";
import { Icon } from "../ui/icon";
import { useOnDemand } from "../ui/on-demand";
import { useSlot } from "../ui/slot";
import { inSentence } from "../ui/written";
import { BoardColumn, ColumnSkeleton } from "./board-column";
import { columnName } from "./card-actions";
import { viewOf } from "./card-view";
import { arrange, type BoardCard, type BoardColumns, only } from "./columns";
import { agentOf, isSameFilter, NO_FILTER, passesFilter } from "./filter";
import { Filters } from "./filters";
import { focusWish } from "./focus-wish";
import { shownBoard } from "./shown-board";
import { useDrag } from "./use-drag";
import { filterSlot, useFilter } from "./use-filter";
import { useKeptFocus } from "./use-kept-focus";
import { useTravel } from "./use-travel";

const loadFields = async () => (await import("./filter-fields")).FilterFields;
const loadAids = async () => (await import("./board-aids")).BoardAids;

/** How long after the board the rest is fetched. */
const SOON_MS = 1_200;

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
  const filter = useFilter();
  const [picked, setPicked] = useState<Column | null>(null);

  const columns = useMemo(() => arrange(Object.values(board?.tasks ?? {}), pool), [board?.tasks, pool]);
  const element = useRef<HTMLDivElement>(null);
  useTravel(element, columns);
  const meId = me?.id ?? "";
  const shown = useMemo(() => only(columns, (card) => passesFilter(card, filter, meId)), [columns, filter, meId]);
  const sought = useKeptFocus(element, shown);
  const project = useProjects()?.find(({ id }) => id === projectId);
  const { baseBranch: base, hasGitHub, hold: projectHold = null } = project ?? {};
  useEffect(
    () => shownBoard.open({ projectId, base, hasGitHub, columns, shown }),
    [projectId, base, hasGitHub, columns, shown],
  );
  useEffect(() => leaveBoard, []);
  const [isSoon, setSoon] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSoon(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  const isFiltered = !isSameFilter(filter, NO_FILTER);
  const hasFields = useSlot(filterSlot) !== null || isFiltered;
  const FilterFields = useOnDemand(loadFields, isSoon || hasFields);
  const BoardAids = useOnDemand(loadAids, isSoon);

  const quietNoticeSeconds = project?.quietNoticeSeconds ?? null;
  const mayCost = useMayCost(projectId);
  const reads = { mayCost, meId, nameOf: people.nameOf, reader, quietNoticeSeconds };
  const holdOf = useHolds(projectId);
  useHoldNews(board?.tasks);
  const help = useMemo(() => {
    const placeOf = ({ task }: BoardCard) =>
      pool === undefined || meId === "" ? null : wouldBePlace(pool, meId, holdOf(task.agentId));
    return { meId, placeOf };
  }, [pool, meId, holdOf]);
  useDrag(element, columns, help);
  if (board?.isClosed) return <ClosedBoard />;
  const front = picked ?? (columns.running.length > 0 ? "running" : "backlog");
  // Chosen once: what others begin and end does not change the column that somebody reads.
  if (picked === null && board !== undefined) setPicked(front);

  return (
    <main id="main">
      {/* Beside the one that comes with the address: where a task was closed it has not come yet, and no window stands without a name. */}
      {openNumber === null ? <title>{`${inSentence(projectName) || "Board"} · Camelot`}</title> : null}
      <h1 className="sr">{inSentence(projectName)} board</h1>
      <div className="bar">
        <Filters columns={columns} meId={meId} filter={filter} />
        <ColumnPick columns={columns} running={runningHead(columns, pool)} shown={front} pick={setPicked} />
        <span className="end faint text-12 wide-only">{reader === null ? "" : seatsSentence(reader)}</span>
      </div>
      {hasFields ? (
        <search className="bar fields" aria-label="Filter cards">
          {FilterFields === null ? null : (
            <FilterFields projectId={projectId} columns={columns} shown={shown} filter={filter} />
          )}
        </search>
      ) : null}
      {BoardAids === null ? null : (
        <BoardAids
          projectId={projectId}
          columns={columns}
          meId={board === undefined ? null : (me?.id ?? null)}
          openNumber={openNumber}
          pick={setPicked}
        />
      )}
      <div className="board-scroll">
        <div className="board" ref={element}>
          <div className="lane" aria-hidden="true" />
          {COLUMNS.map((column) =>
            board === undefined ? (
              <ColumnSkeleton key={column} column={column} isShown={column === front} />
            ) : (
              <BoardColumn
                key={column}
                column={column}
                projectId={projectId}
                isShown={column === front}
                count={column === "running" ? runningHead(columns, pool) : countOf(columns[column], shown[column])}
                nobodyWaits={pool === undefined ? "" : whatDispatchDoes(pool, meId, projectHold)}
                hidden={columns[column].length - shown[column].length}
                sought={sought}
                cards={shown[column].map((card) => {
                  const view = viewOf(card, reads);
                  return {
                    card,
                    view,
                    place: help.placeOf(card),
                    agent: agentNames(agentOf(card)),
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

function leaveBoard(): void {
  shownBoard.close();
  filterSlot.close();
  focusWish.close();
}

/** `11`, or `3 of 11` while the filter hides some. */
function countOf(all: readonly unknown[], shown: readonly unknown[]): string {
  return all.length === shown.length ? String(all.length) : `${shown.length} of ${all.length}`;
}

/** `5/20`, or `2 here · 20/20` when other projects run too. */
function runningHead({ running }: BoardColumns, pool: ReturnType<typeof usePool>): string {
  if (pool === undefined) return String(running.length);
  const figure = `${pool.global.running}/${pool.global.max}`;
  const here = pool.global.running === running.length ? figure : `${running.length} here · ${figure}`;
  return pool.paused ? `${here} · paused` : here;
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
        <span>It was removed, or you are no longer a member of it. {WORK_KEPT}</span>
        <a className="btn" href="/">
          Go to another board
        </a>
      </div>
    </main>
  );
}
