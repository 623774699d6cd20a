/**
 * The pool's memory while a batch is being decided: starts as the confirmed state and collects what must be written. It
 * keeps every index in step with the rows and holds no rule; the rules are in `index.ts`. Thrown away when the commit fails.
 */
import type { Ended } from "../session/lifecycle";
import type { Epoch, Millis, SessionId, TaskId, UserId } from "../words";
import { compareTurns, turnIn } from "./fair-order";
import { turnsOf } from "./load";
import type { Caps, ChangeWrite, EndWrite, InsertWrite, LiveRow, PoolWrites, QueuedRow, RunningRow } from "./rows";
import { SortedSet } from "./sorted-set";
import { emptyLine, isEmptyLine, joined, left, type PoolState, type Turn } from "./state";

export type Told = Pick<ChangeWrite, "lastAction" | "outputBytes" | "lastOutputAt" | "adoptedAt" | "question">;

const NOTHING_TOLD: Told = {
  lastAction: null,
  outputBytes: null,
  lastOutputAt: null,
  adoptedAt: null,
  question: null,
};

export class Draft {
  state: PoolState;
  readonly touched = new Set<UserId>();
  readonly endedTasks = new Set<TaskId>();
  readonly #before: PoolState;
  readonly #sessions = new Set<SessionId>();
  readonly #ended = new Map<SessionId, EndWrite>();
  readonly #new = new Map<SessionId, Omit<InsertWrite, "row">>();
  /** Rows that others inserted: there already, only what changes on top of them is written. */
  readonly #takenIn = new Map<SessionId, LiveRow>();
  readonly #told = new Map<SessionId, Told>();
  readonly #users = new Set<UserId>();

  constructor(state: PoolState) {
    this.#before = state;
    this.state = state;
  }

  add(row: LiveRow, rest: Omit<InsertWrite, "row">): void {
    this.#new.set(row.id, rest);
    this.#put(undefined, row);
  }

  takeIn(row: LiveRow): void {
    this.#takenIn.set(row.id, row);
    // Numbers that are still provisional must stay behind every real one, or the line would be out of order afterwards.
    this.state = { ...this.state, lastSeq: Math.max(this.state.lastSeq, row.seq) };
    this.#put(undefined, row);
  }

  change(before: LiveRow | undefined, after: LiveRow | undefined): void {
    this.#put(before, after);
  }

  /** The slot goes to the head of a line; returns the row as it runs. */
  grant(before: QueuedRow, at: Millis, epoch: Epoch): RunningRow {
    const { id, taskId, projectId, userId, agentId, attempt, seq, place, queuedAt } = before;
    const grantSeq = this.state.lastGrantSeq + 1;
    // Spelled out, because it is made for every grant: spreading costs many times as much.
    const row: RunningRow = {
      id,
      taskId,
      projectId,
      userId,
      agentId,
      attempt,
      seq,
      place,
      queuedAt,
      status: "running",
      phase: "starting",
      epoch,
      grantSeq,
      seat: this.#takeSeat(),
      startedAt: at,
      cancelledBy: null,
    };
    const ran = this.state.running.size;
    this.#users.add(userId);
    this.#put(before, row, grantSeq);
    // Never so, unless an order was broken: better a rebuild from rows than granting for ever.
    if (this.state.running.size === ran) throw new Error(`session ${id} was granted although it was running`);
    return row;
  }

  /** Gives rows of one user's line other places; out with all before any comes in, for two may swap numbers. */
  moveWithinLine(userId: UserId, moves: readonly { from: QueuedRow; to: QueuedRow }[]): void {
    this.#inTurn(userId, () => {
      let { sessions } = this.state;
      let line = this.state.lines.get(userId) ?? emptyLine(userId);
      for (const { from } of moves) line = left(line, from);
      for (const { to } of moves) {
        line = joined(line, to);
        sessions = sessions.set(to.id, to);
        this.#sessions.add(to.id);
      }
      this.state = { ...this.state, sessions, lines: this.state.lines.set(userId, line) };
    });
  }

  end(row: LiveRow, ended: Ended): void {
    const first = this.#firstSeen(row.id) ?? row;
    const cancelledBy = row.status === "running" ? row.cancelledBy : null;
    this.#ended.set(row.id, { sessionId: row.id, attempt: first.attempt, from: first.status, ended, cancelledBy });
    this.endedTasks.add(row.taskId);
    this.#put(row, undefined);
  }

  leaveTheLine(row: QueuedRow, ended: Ended, cancelledBy: UserId): void {
    this.end(row, ended);
    const write = this.#ended.get(row.id);
    if (write) this.#ended.set(row.id, { ...write, cancelledBy });
  }

  /** What the supervisor told about a session; goes into its row with the next change of it. */
  tell(sessionId: SessionId, told: Told): void {
    const before = this.#told.get(sessionId) ?? NOTHING_TOLD;
    this.#sessions.add(sessionId);
    this.#told.set(sessionId, {
      lastAction: told.lastAction ?? before.lastAction,
      outputBytes: told.outputBytes ?? before.outputBytes,
      lastOutputAt: told.lastOutputAt ?? before.lastOutputAt,
      adoptedAt: told.adoptedAt ?? before.adoptedAt,
      question: told.question ?? before.question,
    });
  }

  open(): void {
    this.state = { ...this.state, isOpen: true };
  }

  setCaps(caps: Caps): void {
    const samePerUser = caps.perUserMax === this.state.caps.perUserMax;
    this.state = { ...this.state, caps };
    if (!samePerUser) this.state = { ...this.state, order: turnsOf(this.state) };
  }

  setUserCap(userId: UserId, max: number | null): void {
    this.#users.add(userId);
    this.#inTurn(userId, () => {
      const { userCaps } = this.state;
      this.state = { ...this.state, userCaps: max === null ? userCaps.delete(userId) : userCaps.set(userId, max) };
    });
  }

  nextSeq(): number {
    this.state = { ...this.state, lastSeq: this.state.lastSeq + 1 };
    return this.state.lastSeq;
  }

  /** What the commit must do: the difference between the rows as they were and as they are to be. */
  writes(): PoolWrites {
    const changes: ChangeWrite[] = [];
    const inserts: InsertWrite[] = [];
    for (const id of this.#sessions) {
      const row = this.state.sessions.get(id);
      const rest = this.#new.get(id);
      const from = this.#firstSeen(id);
      if (!row) continue;
      if (rest) inserts.push({ row, ...rest });
      else if (from && (from !== row || this.#told.has(id))) {
        const told = this.#told.get(id) ?? NOTHING_TOLD;
        changes.push({ from: from.status, fromAttempt: from.attempt, row, ...told });
      }
    }
    const users = Array.from(this.#users, (userId) => ({
      userId,
      max: this.state.userCaps.get(userId) ?? null,
      lastGrantSeq: this.state.lastGrants.get(userId) ?? null,
    }));
    const caps = this.state.caps === this.#before.caps ? null : this.state.caps;
    return { ends: Array.from(this.#ended.values()), inserts, changes, users, caps };
  }

  /** The row of before the batch; a row taken in with it counts as having been there. */
  #firstSeen(id: SessionId): LiveRow | undefined {
    return this.#takenIn.get(id) ?? this.#before.sessions.get(id);
  }

  /** `grantSeq`: the number of the grant that this is, if it is one. */
  #put(before: LiveRow | undefined, after: LiveRow | undefined, grantSeq: number | null = null): void {
    const row = after ?? before;
    if (!row) return;
    this.#sessions.add(row.id);
    this.#inTurn(row.userId, () => {
      const { sessions, tasks, running, lines, lastGrants, lastGrantSeq } = this.state;
      const line = joined(left(lines.get(row.userId) ?? emptyLine(row.userId), before), after);
      this.state = {
        ...this.state,
        sessions: after ? sessions.set(row.id, after) : sessions.delete(row.id),
        tasks: after ? tasks.set(row.taskId, row.id) : tasks.delete(row.taskId),
        running: after?.status === "running" ? running.set(row.id, after) : running.delete(row.id),
        lines: isEmptyLine(line) ? lines.delete(row.userId) : lines.set(row.userId, line),
        lastGrantSeq: grantSeq ?? lastGrantSeq,
        lastGrants: grantSeq === null ? lastGrants : lastGrants.set(row.userId, grantSeq),
      };
    });
    const leaves = before?.status === "running" && after?.status !== "running" ? before.seat : null;
    if (leaves !== null) this.#freeSeat(leaves);
  }

  #takeSeat(): number {
    const { freeSeats, seatCount } = this.state;
    const seat = freeSeats.first();
    if (seat === undefined) this.state = { ...this.state, seatCount: seatCount + 1 };
    else this.state = { ...this.state, freeSeats: freeSeats.without(seat) };
    return seat ?? seatCount;
  }

  #freeSeat(seat: number): void {
    const isLast = this.state.running.size === 0;
    if (isLast) this.state = { ...this.state, freeSeats: SortedSet.empty((a, b) => a - b), seatCount: 0 };
    else this.state = { ...this.state, freeSeats: this.state.freeSeats.with(seat) };
  }

  /** Takes the user's turn out of the order, changes something, puts the new turn in. */
  #inTurn(userId: UserId, change: () => void): void {
    this.touched.add(userId);
    const before = this.#turn(userId);
    change();
    const after = this.#turn(userId);
    let order = this.state.order;
    if (before && after && compareTurns(before, after) === 0) return;
    if (before) order = order.without(before);
    if (after) order = order.with(after);
    this.state = { ...this.state, order };
  }

  #turn(userId: UserId): Turn | null {
    return turnIn(this.state, userId);
  }
}
