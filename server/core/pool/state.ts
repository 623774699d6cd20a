/**
 * The pool's memory: an index of the live rows that can be thrown away at any moment and made again from them (spec 1).
 * Immutable throughout: a batch whose commit failed is undone by keeping the state from before it.
 */
import type { SessionId, UserId } from "../words";
import type { PersistentMap } from "./persistent-map";
import { type Caps, compareByGrant, compareInLine, type LiveRow, type QueuedRow, type RunningRow } from "./rows";
import { SortedSet } from "./sorted-set";

/** What the pool has of one user. A user with nothing live is forgotten. */
export interface UserLine {
  readonly userId: UserId;
  /** Waiting, in order. */
  readonly line: SortedSet<QueuedRow>;
  /** Stepping aside; they keep their number and re-enter at it. */
  readonly held: SortedSet<QueuedRow>;
  readonly running: SortedSet<RunningRow>;
}

/** One eligible user's claim to the next free slot (P6). */
export interface Turn {
  readonly userId: UserId;
  /** How much of the own cap is in use: running ÷ cap. Equal fractions are equal numbers. */
  readonly share: number;
  /** Number of the user's last grant; 0: never granted, goes first. */
  readonly lastGrant: number;
  /** The number of the session that would be granted: decides between users who were never granted. */
  readonly head: number;
}

export interface PoolState {
  /** Past the boot pass: grants may be given (P12). */
  readonly isOpen: boolean;
  /** The machine is short of room: nothing is granted until it has some again (R14). Found out, not stored in rows. */
  readonly isDiskShort: boolean;
  readonly caps: Caps;
  readonly sessions: PersistentMap<LiveRow>;
  /** The live session of each task (P3). */
  readonly tasks: PersistentMap<SessionId>;
  readonly lines: PersistentMap<UserLine>;
  readonly running: PersistentMap<RunningRow>;
  /** Overrides of the cap per user. */
  readonly userCaps: PersistentMap<number>;
  /** Number of each user's last grant; people are few, so nobody is forgotten here (P6). */
  readonly lastGrants: PersistentMap<number>;
  /** The eligible users in the order of their turns. */
  readonly order: SortedSet<Turn>;
  /** Chairs below `seatCount` in which nobody sits. */
  readonly freeSeats: SortedSet<number>;
  readonly seatCount: number;
  readonly lastGrantSeq: number;
  readonly lastSeq: number;
}

export const NO_ONE_WAITS = SortedSet.empty<QueuedRow>(compareInLine);
export const NO_ONE_RUNS = SortedSet.empty<RunningRow>(compareByGrant);

export function emptyLine(userId: UserId): UserLine {
  return { userId, line: NO_ONE_WAITS, held: NO_ONE_WAITS, running: NO_ONE_RUNS };
}

export function isEmptyLine(line: UserLine): boolean {
  return line.line.size + line.held.size + line.running.size === 0;
}

export function queuedOf(line: UserLine): number {
  return line.line.size + line.held.size;
}

export function isRunning(row: LiveRow): row is RunningRow {
  return row.status === "running";
}

/** The line without this row of it, with this row in it. */
export function left(line: UserLine, row: LiveRow | undefined): UserLine {
  if (!row) return line;
  if (row.status === "running") return { ...line, running: line.running.without(row) };
  if (row.hold) return { ...line, held: line.held.without(row) };
  return { ...line, line: line.line.without(row) };
}

export function joined(line: UserLine, row: LiveRow | undefined): UserLine {
  if (!row) return line;
  if (row.status === "running") return { ...line, running: line.running.with(row) };
  if (row.hold) return { ...line, held: line.held.with(row) };
  return { ...line, line: line.line.with(row) };
}

export function inLineOrder(line: UserLine): QueuedRow[] {
  return [...line.line, ...line.held].sort(compareInLine);
}
