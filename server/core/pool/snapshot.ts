/**
 * The picture for people: a few references to the immutable state, read lazily (P13). Making one costs the same whatever
 * the pool holds, and an old one stays true for its version for as long as somebody keeps it.
 */
import type { Epoch, Millis, SessionId, TaskId, UserId, WaitReason } from "../words";
import { capOf, upcoming } from "./fair-order";
import { type Forecast, NOTHING_FORESEEN } from "./forecast";
import type { LiveSession, PoolSnapshot, StartsIn, UserCounts, WaitingFor } from "./picture";
import { compareInLine, type LiveRow, type QueuedRow } from "./rows";
import { emptyLine, type PoolState, queuedOf, type UserLine } from "./state";

/** For how many sessions `ahead` is worked out; further back it is null. */
const MAX_AHEAD = 2_000;
/** How many of the sessions that go first are named. */
const MAX_NAMED = 10;

/** `foreseen` may be of an earlier moment: what it says of sessions that start by no means now is not told. */
export function pictureOf(
  state: PoolState,
  epoch: Epoch,
  version: number,
  at: Millis,
  foreseen: Forecast = NOTHING_FORESEEN,
): PoolSnapshot {
  return new Picture(state, epoch, version, at, foreseen);
}

class Picture implements PoolSnapshot {
  readonly epoch: Epoch;
  readonly version: number;
  readonly at: Millis;
  readonly #state: PoolState;
  readonly #foreseen: Forecast;
  /** Worked out when first asked for. */
  #ahead: ReadonlyMap<SessionId, number> | null = null;

  constructor(state: PoolState, epoch: Epoch, version: number, at: Millis, foreseen: Forecast) {
    this.#state = state;
    this.#foreseen = foreseen;
    this.epoch = epoch;
    this.version = version;
    this.at = at;
  }

  get paused(): boolean {
    return this.#state.caps.paused;
  }

  get isReady(): boolean {
    return this.#state.isOpen;
  }

  get isDiskShort(): boolean {
    return this.#state.isDiskShort;
  }

  get global(): UserCounts {
    const { running, sessions, caps } = this.#state;
    return { running: running.size, max: caps.globalMax, queued: sessions.size - running.size };
  }

  get perUserMax(): number {
    return this.#state.caps.perUserMax;
  }

  get limits(): Iterable<readonly [UserId, number]> {
    return this.#state.userCaps;
  }

  *users(): IterableIterator<readonly [UserId, UserCounts]> {
    for (const [userId, line] of this.#state.lines) yield [userId, this.#counts(line)];
  }

  *held(): IterableIterator<readonly [UserId, number]> {
    for (const [userId, { held }] of this.#state.lines) if (held.size > 0) yield [userId, held.size];
  }

  heldOf(id: UserId): number {
    return this.#line(id).held.size;
  }

  user(id: UserId): UserCounts {
    return this.#counts(this.#line(id));
  }

  line(id: UserId): readonly LiveSession[] {
    const line = this.#line(id);
    const running = Array.from(line.running, (row) => this.#session(row, 0, line));
    const waiting = Array.from(line.line, (row, i) => this.#session(row, i + 1, line));
    return [...running, ...waiting, ...Array.from(line.held, (row) => this.#session(row, null, line))];
  }

  session(id: SessionId): LiveSession | undefined {
    const row = this.#state.sessions.get(id);
    return row && this.#look(row);
  }

  position(id: SessionId): number | null {
    const row = this.#state.sessions.get(id);
    return row ? placeOf(row, this.#line(row.userId)) : null;
  }

  ofTask(id: TaskId): LiveSession | undefined {
    const sessionId = this.#state.tasks.get(id);
    return sessionId === undefined ? undefined : this.session(sessionId);
  }

  sessions(limit: number): readonly LiveSession[] {
    const rows: LiveRow[] = [];
    const running = Array.from(this.#state.running, ([, row]) => row).sort((a, b) => a.seat - b.seat);
    for (const row of running) if (rows.length < limit) rows.push(row);
    const seen = new Set<SessionId>();
    for (const row of upcoming(this.#state)) {
      if (rows.length >= limit) break;
      rows.push(row);
      seen.add(row.id);
    }
    for (const row of this.#blocked(seen, limit - rows.length)) rows.push(row);
    return rows.map((row) => this.#look(row));
  }

  foreseen(): Iterable<SessionId> {
    return this.#foreseen.keys();
  }

  /** Those whom their own limit or a hold keeps back, oldest first. */
  #blocked(seen: ReadonlySet<SessionId>, limit: number): QueuedRow[] {
    const rows: QueuedRow[] = [];
    if (limit <= 0) return rows;
    for (const [, line] of this.#state.lines) {
      for (const row of line.line) if (rows.length < limit && !seen.has(row.id)) rows.push(row);
      for (const row of line.held) if (rows.length < limit) rows.push(row);
      if (rows.length >= limit) break;
    }
    return rows.sort(compareInLine);
  }

  #line(id: UserId): UserLine {
    return this.#state.lines.get(id) ?? emptyLine(id);
  }

  #counts(line: UserLine): UserCounts {
    return { running: line.running.size, max: capOf(this.#state, line.userId), queued: queuedOf(line) };
  }

  #look(row: LiveRow): LiveSession {
    const line = this.#line(row.userId);
    return this.#session(row, placeOf(row, line), line);
  }

  #session(row: LiveRow, position: number | null, line: UserLine): LiveSession {
    const { id, taskId, projectId, userId, agentId, attempt, queuedAt } = row;
    const isQueued = row.status === "queued";
    const waitingFor = isQueued ? this.#waitingFor(row, position ?? 0, line) : null;
    // Spelled out, because it is made for everybody in line: spreading costs many times as much.
    return {
      id,
      taskId,
      projectId,
      userId,
      agentId,
      attempt,
      queuedAt,
      position,
      status: row.status,
      phase: isQueued ? null : row.phase,
      seat: isQueued ? null : row.seat,
      startedAt: isQueued ? null : row.startedAt,
      waitingFor,
      ahead: isQueued ? this.#aheadOf(row) : null,
      startsIn: isQueued && waitingFor ? this.#startsIn(row, waitingFor) : null,
    };
  }

  /** How many would be granted earlier if the global cap rose one by one (P15); null behind one's own limit or a hold. */
  #aheadOf(row: QueuedRow): number | null {
    this.#ahead ??= placesIn(upcoming(this.#state), MAX_AHEAD);
    return this.#ahead.get(row.id) ?? null;
  }

  /** Null as well while nobody can know: nothing is granted, a hold, or a cap of 0 (P15). */
  #startsIn(row: QueuedRow, { reason }: WaitingFor): StartsIn | null {
    if (reason !== "your-limit" && reason !== "pool-limit") return null;
    if (this.#state.caps.globalMax === 0 || capOf(this.#state, row.userId) === 0) return null;
    return this.#foreseen.get(row.id) ?? null;
  }

  /** The first reason that applies, in the order of P14. */
  #waitingFor(row: QueuedRow, position: number, line: UserLine): WaitingFor {
    if (!this.isReady) return because("pool-starting");
    if (this.paused) return because("paused");
    if (row.hold) {
      const { reason, until, detail } = row.hold;
      return { reason, ...(until === null ? {} : { until }), ...(detail === null ? {} : { detail }) };
    }
    if (this.#state.isDiskShort) return because("disk");
    if (line.running.size + position <= capOf(this.#state, row.userId)) return because("pool-limit");
    return { reason: "your-limit", sessions: goingFirst(line, position) };
  }
}

/** From 1; 0 with a slot, null when stepping aside. */
function placeOf(row: LiveRow, line: UserLine): number | null {
  if (row.status === "running") return 0;
  return row.hold ? null : line.line.indexOf(row) + 1;
}

function because(reason: WaitReason): WaitingFor {
  return { reason };
}

/** The user's sessions that run or stand before this position. */
function goingFirst(line: UserLine, position: number): SessionId[] {
  const ids = Array.from(line.running, (row) => row.id).slice(0, MAX_NAMED);
  for (let i = 0; i < position - 1 && ids.length < MAX_NAMED; i += 1) {
    const row = line.line.at(i);
    if (row) ids.push(row.id);
  }
  return ids;
}

function placesIn(rows: Iterable<QueuedRow>, limit: number): ReadonlyMap<SessionId, number> {
  const places = new Map<SessionId, number>();
  for (const row of rows) {
    if (places.size >= limit) break;
    places.set(row.id, places.size);
  }
  return places;
}
