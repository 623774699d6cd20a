/**
 * One term of the writer: batch → core → one commit → memory → messages, in this order and never another (P11). Holds the
 * only reference to the confirmed state. When a commit's outcome is unknown, nothing is announced: a new epoch fences what
 * may still be on its way, the touched users are read back from rows, and the letters are decided again.
 */

import { type Decision, decide, withRealNumbers } from "../../../core/pool";
import type { AnswerTo, Order, OrderKind } from "../../../core/pool/events";
import { stateFrom, withUsersFromRows } from "../../../core/pool/load";
import type { PoolChange, PoolSnapshot, SessionOver, SessionTouched } from "../../../core/pool/picture";
import { isNothing, type LiveRow, type PoolRows, type PoolWrites } from "../../../core/pool/rows";
import { pictureOf } from "../../../core/pool/snapshot";
import type { PoolState } from "../../../core/pool/state";
import type { Ended } from "../../../core/session/lifecycle";
import type { Epoch, Millis, SessionId, UserId } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import { CommitRefused, type Committed, type PoolStore } from "../../../ports/pool-store";
import { PoolUnavailable } from "../../pool";
import type { Counters } from "../beside/counters";
import type { PoolTeller } from "../servers/teller";
import type { PoolAnnouncer } from "./announcer";
import type { Letter } from "./mailbox";
import { LeaseLost, OutcomeUnknown } from "./troubles";
import type { PoolWatch } from "./watch";

/** After so many batches that could not settle a letter, its sender is told to try again. */
const MAX_TRIES = 5;

const EVERYTHING = { touched: "all", ended: [], moved: [] } as const;

export interface WriterParts {
  readonly store: PoolStore;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly announcer: PoolAnnouncer;
  readonly watch: PoolWatch;
  readonly teller: PoolTeller;
  readonly putBack: (letters: readonly Letter[]) => void;
  /** Whether the machine is short of room right now (R14). */
  readonly isDiskShort: () => boolean;
  /** Whether this server leaves: nothing is granted any more (R5). */
  readonly isLeaving: () => boolean;
  /** Grants are given from now on. */
  readonly opened: () => void;
}

export class PoolWriter {
  epoch: Epoch;
  state: PoolState;
  snapshot: PoolSnapshot;
  readonly #parts: WriterParts;
  #idleSince: number;
  #idleSlots = 0;

  constructor(parts: WriterParts, epoch: Epoch, rows: PoolRows, isOpen: boolean) {
    this.#parts = parts;
    this.epoch = epoch;
    this.state = { ...stateFrom(rows, isOpen), isDiskShort: parts.isDiskShort() };
    parts.teller.reread(rows.newcomers);
    this.snapshot = this.#picture(parts.clock.now());
    this.#idleSince = parts.clock.monotonic();
    this.#announce(EVERYTHING);
  }

  /** Decides and commits a batch. When it throws, the letters that are not settled have not been dealt with. */
  async run(letters: readonly Letter[]): Promise<void> {
    const { store, clock, counters, announcer, teller, isDiskShort, isLeaving } = this.#parts;
    const orders = letters.map((letter) => letter.order);
    const moment = { at: clock.now(), epoch: this.epoch, isDiskShort: isDiskShort(), isLeaving: isLeaving() };
    const decision = decide(this.state, orders, moment);
    const change = changeOf(this.state, orders, decision);
    const picture = change ? { version: announcer.comingVersion, at: moment.at } : this.snapshot;
    const beside = teller.beside({ letters, decision, answerOf, change, picture });
    const startedAt = clock.monotonic();
    let numbers: ReadonlyMap<SessionId, number> = new Map();
    if (beside || !isNothing(decision.writes)) {
      let committed: Committed;
      try {
        committed = await store.commit(this.epoch, decision.writes, beside);
      } catch (error) {
        if (error instanceof CommitRefused) return this.#halve(letters, error);
        this.#keepTentative(letters, decision);
        throw new OutcomeUnknown(decision, { cause: error });
      }
      if (committed.kind === "fenced") throw new LeaseLost("another server is the writer");
      counters.committed(letters.length, clock.monotonic() - startedAt);
      if (!isAsExpected(decision.writes, committed)) {
        this.#keepTentative(letters, decision);
        throw new OutcomeUnknown(decision, { cause: new Error("the rows were not as memory thought") });
      }
      numbers = committed.inserted;
      teller.done(beside);
    }
    this.#confirm(letters, decision, numbers, change, moment.at);
  }

  /** Replaces what memory holds of these users by what their rows say. */
  reload(epoch: Epoch, userIds: ReadonlySet<UserId>, rows: PoolRows): void {
    this.epoch = epoch;
    this.state = withUsersFromRows(this.state, userIds, rows);
    this.#parts.teller.reread(rows.newcomers);
    this.snapshot = this.#picture(this.#parts.clock.now());
    this.#announce(EVERYTHING);
  }

  #confirm(
    letters: readonly Letter[],
    decision: Decision,
    numbers: ReadonlyMap<SessionId, number>,
    change: Omit<PoolChange, "snapshot"> | null,
    at: Millis,
  ): void {
    const { watch, putBack, opened } = this.#parts;
    const before = this.state;
    this.state = withRealNumbers(decision, numbers);
    if (change) this.snapshot = this.#picture(at);
    this.#count(letters.length, decision);
    const waiting: Letter[] = [];
    if (change) this.#parts.announcer.hold(this.snapshot, this.state);
    letters.forEach((letter, i) => {
      const answer = decision.answers[i];
      if (answer === undefined) waiting.push(letter);
      else letter.answer(answerOf(letter, answer));
    });
    putBack(waiting);
    for (const row of decision.granted) {
      const session = this.snapshot.session(row.id);
      if (session) watch.attend(session, "granted");
    }
    for (const run of decision.stops) watch.stop(run);
    if (change) this.#announce(change);
    if (this.state.isOpen && !before.isOpen) opened();
  }

  #count(batchSize: number, decision: Decision): void {
    const { counters } = this.#parts;
    counters.ordersTotal += batchSize;
    counters.staleMessages += decision.staleCount;
    counters.releases += decision.writes.ends.filter((end) => end.from === "running").length;
    counters.grants += decision.granted.length;
    for (const row of decision.granted) counters.waitMsTotal += Math.max(0, row.startedAt - row.queuedAt);
    this.#countIdleSlots();
  }

  #announce(change: Omit<PoolChange, "snapshot">): void {
    this.#parts.announcer.publish({ snapshot: this.snapshot, ...change }, this.state);
  }

  /** A refused statement changed nothing: the halves are tried by themselves until only the poisoned letter fails. */
  async #halve(letters: readonly Letter[], error: CommitRefused): Promise<void> {
    const [only] = letters;
    if (!only) throw new Error(`the database refused to grant: ${error.message}`, { cause: error });
    if (letters.length === 1) {
      this.#parts.counters.refused += 1;
      if (error.isPassing && only.isPatient) this.#parts.putBack([only]);
      else only.fail(error);
      return;
    }
    const middle = letters.length >> 1;
    await this.run(letters.slice(0, middle));
    await this.run(letters.slice(middle));
  }

  #keepTentative(letters: readonly Letter[], decision: Decision): void {
    this.#parts.counters.unknownOutcomes += 1;
    letters.forEach((letter, i) => {
      letter.tentative ??= decision.answers[i];
      letter.tries += 1;
      if (letter.tries > MAX_TRIES && !letter.isPatient) {
        letter.fail(new PoolUnavailable("The pool could not find out what became of this. Try again."));
      }
    });
  }

  #picture(at: Millis): PoolSnapshot {
    const { announcer } = this.#parts;
    return pictureOf(this.state, this.epoch, announcer.nextVersion(), at, announcer.foreseen);
  }

  /** What stood free since the last commit while somebody eligible waited (P7): should stay at nothing. */
  #countIdleSlots(): void {
    const { counters, clock } = this.#parts;
    const now = clock.monotonic();
    counters.idleSlotSeconds += (this.#idleSlots * (now - this.#idleSince)) / 1000;
    const { isOpen, isDiskShort, caps, running, order } = this.state;
    const free = isOpen && !isDiskShort && !caps.paused ? Math.max(0, caps.globalMax - running.size) : 0;
    this.#idleSlots = Math.min(free, order.size);
    this.#idleSince = now;
  }
}

function isAsExpected(writes: PoolWrites, committed: Extract<Committed, { kind: "done" }>): boolean {
  return (
    writes.ends.every((end) => committed.ended.has(end.sessionId)) &&
    writes.changes.every((change) => committed.changed.has(change.row.id)) &&
    writes.inserts.every((insert) => committed.inserted.has(insert.row.id))
  );
}

/** What a letter is answered that was decided twice, because the first commit's outcome was unknown: what it did then. */
function answerOf({ order, tentative }: Letter, answer: AnswerTo<OrderKind>): AnswerTo<OrderKind> {
  if (tentative === undefined) return answer;
  const isOver = typeof answer === "object" && answer !== null && "kind" in answer && answer.kind === "over";
  if (order.kind === "cancel" && isOver) return tentative;
  const isGivenBack = order.kind === "requeue" || order.kind === "hand-back";
  return isGivenBack && answer === "stale" ? tentative : answer;
}

/** Null when no picture differs: only details of rows were written. */
function changeOf(
  before: PoolState,
  orders: readonly Order[],
  decision: Decision,
): Omit<PoolChange, "snapshot"> | null {
  const { state: after } = decision;
  const { ends, inserts, changes } = decision.writes;
  const ended = ends.flatMap((end) => over(before.sessions.get(end.sessionId), end.ended));
  const moved = [
    ...inserts.flatMap(({ row }) => whose(row)),
    ...orders.flatMap((order) => (order.kind === "take-in" ? whose(after.sessions.get(order.row.id)) : [])),
    ...changes.filter((change) => isMoved(before.sessions.get(change.row.id), change)).flatMap(({ row }) => whose(row)),
  ];
  const isAll =
    before.caps !== after.caps || before.isOpen !== after.isOpen || before.isDiskShort !== after.isDiskShort;
  if (!isAll && decision.touched.size === 0 && moved.length === 0) return null;
  const granted = decision.granted.map(({ id, queuedAt, startedAt }) => ({ sessionId: id, queuedAt, startedAt }));
  return { touched: isAll ? "all" : decision.touched, ended, moved, granted };
}

function isMoved(before: LiveRow | undefined, change: PoolWrites["changes"][number]): boolean {
  const { lastAction, lastOutputAt, adoptedAt, question } = change;
  const isTold = [lastAction, lastOutputAt, adoptedAt, question].some((told) => told !== null);
  if (!before || isTold || before.status !== change.row.status) return true;
  return before.status === "running" && change.row.status === "running" && before.phase !== change.row.phase;
}

function over(row: LiveRow | undefined, { endedAt, status }: Ended): SessionOver[] {
  const startedAt = row?.status === "running" ? row.startedAt : null;
  return row ? whose(row).map((session) => ({ ...session, agentId: row.agentId, startedAt, endedAt, status })) : [];
}

function whose(row: LiveRow | undefined): SessionTouched[] {
  return row ? [{ sessionId: row.id, taskId: row.taskId, projectId: row.projectId, userId: row.userId }] : [];
}
