/**
 * Makes the pool's memory from rows: all of it at boot, some users' part when the outcome of a commit is unknown (P11).
 * Given the same rows it makes the same memory; nothing else may be remembered.
 */
import type { UserId } from "../words";
import { capOf, compareTurns, turnOf } from "./fair-order";
import { PersistentMap } from "./persistent-map";
import {
  compareByGrant,
  compareInLine,
  type LiveRow,
  type PoolRows,
  type QueuedRow,
  type RunningRow,
  type UserRow,
} from "./rows";
import { SortedSet } from "./sorted-set";
import { isRunning, NO_ONE_RUNS, NO_ONE_WAITS, type PoolState, type Turn, type UserLine } from "./state";

/** A million rows: one at a time goes into each index, so that no second list of all of them has to be kept meanwhile. */
export function stateFrom(rows: PoolRows, isOpen: boolean): PoolState {
  const running = rows.live.filter(isRunning);
  const lines = PersistentMap.from(entriesOf(linesOf(rows.live), (line) => [line.userId, line]));
  const userCaps = PersistentMap.from(capsOf(rows.users));
  const lastGrants = PersistentMap.from(grantsOf(rows.users));
  const parts = { caps: rows.caps, lines, userCaps, lastGrants };
  return {
    ...parts,
    isOpen,
    isDiskShort: false,
    sessions: PersistentMap.from(entriesOf(rows.live, (row) => [row.id, row])),
    tasks: PersistentMap.from(entriesOf(rows.live, (row) => [row.taskId, row.id])),
    running: PersistentMap.from(entriesOf(running, (row) => [row.id, row])),
    order: turnsOf(parts),
    ...seatsOf(running),
    lastGrantSeq: Math.max(
      largest(rows.users, (user) => user.lastGrantSeq ?? 0),
      largest(rows.live, grantSeqOf),
    ),
    lastSeq: largest(rows.live, (row) => row.seq),
  };
}

/** The same state with the sessions, caps and grants of some users replaced by what their rows say. */
export function withUsersFromRows(state: PoolState, userIds: ReadonlySet<UserId>, rows: PoolRows): PoolState {
  const others: LiveRow[] = [];
  let { sessions, tasks, running, lines, userCaps, lastGrants } = state;
  for (const userId of userIds) {
    for (const row of rowsOf(lines.get(userId))) {
      sessions = sessions.delete(row.id);
      tasks = tasks.get(row.taskId) === row.id ? tasks.delete(row.taskId) : tasks;
      running = running.delete(row.id);
    }
    lines = lines.delete(userId);
    userCaps = userCaps.delete(userId);
  }
  for (const row of rows.live) {
    sessions = sessions.set(row.id, row);
    tasks = tasks.set(row.taskId, row.id);
    if (row.status === "running") running = running.set(row.id, row);
  }
  for (const line of linesOf(rows.live)) lines = lines.set(line.userId, line);
  for (const [userId, max] of capsOf(rows.users)) userCaps = userCaps.set(userId, max);
  for (const [userId, seq] of grantsOf(rows.users)) lastGrants = lastGrants.set(userId, seq);
  for (const [, row] of running) others.push(row);
  const parts = { caps: rows.caps, lines, userCaps, lastGrants };
  return {
    ...state,
    ...parts,
    sessions,
    tasks,
    running,
    order: turnsOf(parts),
    ...seatsOf(others.filter(isRunning)),
    lastGrantSeq: Math.max(state.lastGrantSeq, largest(rows.live, grantSeqOf)),
    lastSeq: Math.max(
      state.lastSeq,
      largest(rows.live, (row) => row.seq),
    ),
  };
}

/** All turns anew: for boot and for a change of everybody's cap. */
export function turnsOf(state: Pick<PoolState, "caps" | "lines" | "userCaps" | "lastGrants">): SortedSet<Turn> {
  const turns: Turn[] = [];
  for (const [userId, line] of state.lines) {
    const turn = turnOf(line, capOf(state, userId), state.lastGrants.get(userId) ?? 0);
    if (turn) turns.push(turn);
  }
  return SortedSet.of(compareTurns, turns.sort(compareTurns));
}

function* rowsOf(line: UserLine | undefined): IterableIterator<LiveRow> {
  if (!line) return;
  yield* line.line;
  yield* line.held;
  yield* line.running;
}

function* entriesOf<T, V>(
  items: Iterable<T>,
  entry: (item: T) => readonly [string, V],
): IterableIterator<readonly [string, V]> {
  for (const item of items) yield entry(item);
}

function* linesOf(live: readonly LiveRow[]): IterableIterator<UserLine> {
  const ofUser = new Map<UserId, LiveRow[]>();
  for (const row of live) {
    const rows = ofUser.get(row.userId);
    if (rows) rows.push(row);
    else ofUser.set(row.userId, [row]);
  }
  for (const [userId, rows] of ofUser) yield lineFrom(userId, rows);
}

function lineFrom(userId: UserId, rows: readonly LiveRow[]): UserLine {
  const line: QueuedRow[] = [];
  const held: QueuedRow[] = [];
  const running: RunningRow[] = [];
  for (const row of rows) {
    if (row.status === "running") running.push(row);
    else (row.hold ? held : line).push(row);
  }
  line.sort(compareInLine);
  held.sort(compareInLine);
  running.sort(compareByGrant);
  return {
    userId,
    line: line.length === 0 ? NO_ONE_WAITS : SortedSet.of(compareInLine, line),
    held: held.length === 0 ? NO_ONE_WAITS : SortedSet.of(compareInLine, held),
    running: running.length === 0 ? NO_ONE_RUNS : SortedSet.of(compareByGrant, running),
  };
}

export function seatsOf(running: readonly RunningRow[]): Pick<PoolState, "freeSeats" | "seatCount"> {
  const taken = new Set(running.map((row) => row.seat));
  const seatCount = largest(running, (row) => row.seat + 1);
  const free = Array.from({ length: seatCount }, (_, seat) => seat).filter((seat) => !taken.has(seat));
  return { freeSeats: SortedSet.of((a, b) => a - b, free), seatCount };
}

function capsOf(users: readonly UserRow[]): [UserId, number][] {
  return users.flatMap((user) => (user.max === null ? [] : [[user.userId, user.max] as [UserId, number]]));
}

function grantsOf(users: readonly UserRow[]): [UserId, number][] {
  return users.flatMap((user) =>
    user.lastGrantSeq === null ? [] : [[user.userId, user.lastGrantSeq] as [UserId, number]],
  );
}

function grantSeqOf(row: LiveRow): number {
  return row.status === "running" ? row.grantSeq : 0;
}

/** Largest of a number each, at least 0; no spread, the list may hold a million. */
function largest<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((max, item) => Math.max(max, numberOf(item)), 0);
}
