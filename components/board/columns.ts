/**
 * Which card stands in which column, in which order. A live card follows the pool's session and not its own row, so cards
 * and figures come from one picture and never contradict each other (P13). Pure.
 */
import type { PoolPicture, PoolSession } from "@/server/contract/pool";
import type { Task } from "@/server/contract/tasks";
import { COLUMNS, type Column } from "@/server/core/words";

export interface BoardCard {
  readonly task: Task;
  readonly column: Column;
  /** The live session as the pool has it; null when nothing is live. */
  readonly live: PoolSession | null;
  readonly liveId: string | null;
}

export type BoardColumns = Readonly<Record<Column, readonly BoardCard[]>>;

export function arrange(tasks: readonly Task[], pool: PoolPicture | undefined): BoardColumns {
  const liveOf = new Map<string, readonly [string, PoolSession]>();
  for (const [id, session] of Object.entries(pool?.sessions ?? {})) liveOf.set(session.taskId, [id, session]);
  const columns: Record<Column, BoardCard[]> = { backlog: [], waiting: [], running: [], review: [], done: [] };
  for (const task of tasks) {
    const card = cardOf(task, liveOf.get(task.id), pool);
    columns[card.column].push(card);
  }
  for (const column of COLUMNS) columns[column].sort(ORDERS[column]);
  return columns;
}

/** All of them, column by column. */
export function cardsOf(columns: BoardColumns | undefined): readonly BoardCard[] {
  return columns === undefined ? [] : COLUMNS.flatMap((column) => columns[column]);
}

/** The same columns with only the cards that pass, in the same order; the same object when all do. */
export function only(columns: BoardColumns, passes: (card: BoardCard) => boolean): BoardColumns {
  const left = Object.fromEntries(COLUMNS.map((column) => [column, columns[column].filter(passes)]));
  const isAll = COLUMNS.every((column) => left[column]?.length === columns[column].length);
  return isAll ? columns : (left as unknown as BoardColumns);
}

function cardOf(
  task: Task,
  live: readonly [string, PoolSession] | undefined,
  pool: PoolPicture | undefined,
): BoardCard {
  if (live !== undefined) {
    const [liveId, session] = live;
    return { task, column: session.status === "running" ? "running" : "waiting", live: session, liveId };
  }
  const isLiveByRow = task.column === "waiting" || task.column === "running";
  if (!isLiveByRow || !knowsOfEnd(task, pool)) {
    const session = isLiveByRow ? fromRow(task) : null;
    return { task, column: task.column, live: session, liveId: session === null ? null : (task.session?.id ?? null) };
  }
  // The pool has heard of the end before the board has: the card goes where it will stand in a moment.
  const wasRunning = task.session?.startedAt !== null;
  return { task, column: wasRunning || task.sessionCount > 1 ? "review" : "backlog", live: null, liveId: null };
}

/**
 * Whether there is something to look at in Review. Of an earlier session of a card that waits again only the count is known;
 * where that one was withdrawn before it ran, the server says so.
 */
export function hasRun({ session, sessionCount }: Task): boolean {
  return sessionCount > 1 || (session !== null && session.startedAt !== null);
}

/** The pool's picture is complete and newer than the session, and does not have it: so it is over. */
function knowsOfEnd(task: Task, pool: PoolPicture | undefined): boolean {
  if (pool === undefined || pool.truncated || task.session === null) return false;
  return Date.parse(pool.at) > Date.parse(task.session.queuedAt);
}

/** Until the pool's picture is there (or when it is cut), the card's own row has to do. */
function fromRow({ session }: Task): PoolSession | null {
  if (session === null || (session.status !== "queued" && session.status !== "running")) return null;
  const { taskId, projectId, userId, attempt, status, phase, position, ahead, waitingFor, startsIn, seat } = session;
  const { queuedAt, startedAt } = session;
  return {
    taskId,
    projectId,
    userId,
    attempt,
    status,
    phase,
    position,
    ahead,
    waitingFor,
    startsIn,
    seat,
    queuedAt,
    startedAt,
  };
}

type Order = (one: BoardCard, other: BoardCard) => number;

const byShelf: Order = (one, other) =>
  compare(one.task.orderKey, other.task.orderKey) || other.task.number - one.task.number;

/** What came last comes first: when its session ended, or when somebody put it there. */
const byArrival: Order = (one, other) =>
  compare(arrivalOf(other), arrivalOf(one)) || other.task.number - one.task.number;

function arrivalOf({ task: { column, session, shelfAt, updatedAt } }: BoardCard): string {
  const ended = session?.finishedAt ?? "";
  if (column === "done") return shelfAt ?? ended;
  return shelfAt !== null && shelfAt > ended ? shelfAt : ended || updatedAt;
}

/** The order in which the pool would grant: who only lacks a free seat, then by place in line, then who waits longest. */
const byGrant: Order = (one, other) =>
  compare(one.live?.position === null, other.live?.position === null) ||
  compare(one.live?.ahead ?? Number.POSITIVE_INFINITY, other.live?.ahead ?? Number.POSITIVE_INFINITY) ||
  compare(one.live?.position ?? 0, other.live?.position ?? 0) ||
  compare(one.live?.queuedAt ?? "", other.live?.queuedAt ?? "") ||
  one.task.number - other.task.number;

/** Who needs a person first, then who has been running longest. */
const bySeat: Order = (one, other) =>
  compare(one.live?.phase !== "asking", other.live?.phase !== "asking") ||
  compare(one.live?.startedAt ?? "", other.live?.startedAt ?? "") ||
  one.task.number - other.task.number;

const ORDERS: Record<Column, Order> = {
  backlog: byShelf,
  waiting: byGrant,
  running: bySeat,
  review: byArrival,
  done: byArrival,
};

function compare<Value extends string | number | boolean>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
