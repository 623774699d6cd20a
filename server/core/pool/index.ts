/**
 * Decides who holds a slot and who waits: orders on the confirmed state in, the new state, what to write and what to tell out.
 * No I/O, no clock, no chance. The order inside a batch is fixed: slots come back, wishes are applied, then every slot that
 * is free is granted (P7). Nothing decided here is true before the commit of `writes` (P11).
 */
import type { AttemptRef, Millis, SessionId, UserId } from "../words";
import { cancelledAt, type Deciding, handBack, heldRow, type Moment, release, requeue } from "./coming-back";
import { Draft, type Told } from "./draft";
import { type AnswerTo, type NewSession, ORDER_OF_KINDS, type Order, type OrderKind, type Progress } from "./events";
import { turnIn } from "./fair-order";
import type { PoolWrites, QueuedRow, RunningRow } from "./rows";
import { inLineOrder, type PoolState, type Turn } from "./state";

export interface Decision {
  readonly state: PoolState;
  readonly writes: PoolWrites;
  /** Same places as the orders; undefined: not decided, belongs in the next batch. */
  readonly answers: readonly (AnswerTo<OrderKind> | undefined)[];
  readonly touched: ReadonlySet<UserId>;
  readonly granted: readonly RunningRow[];
  /** Attempts whose agents are to stop. */
  readonly stops: readonly AttemptRef[];
  /** Orders for attempts that are not held (R1). */
  readonly staleCount: number;
}

export function decide(state: PoolState, orders: readonly Order[], moment: Moment): Decision {
  const deciding: Deciding = { ...moment, draft: new Draft(foundNow(state, moment)), stops: [], staleCount: 0 };
  const answers = new Array<AnswerTo<OrderKind> | undefined>(orders.length);
  const inOrder = orders.map((order, place) => ({ order, place }));
  inOrder.sort((a, b) => ORDER_OF_KINDS[a.order.kind] - ORDER_OF_KINDS[b.order.kind] || a.place - b.place);
  for (const { order, place } of inOrder) answers[place] = apply(deciding, order);
  const granted = grantAll(deciding);
  const { draft, stops, staleCount } = deciding;
  const isHeld = (run: AttemptRef) => heldRow(draft, run) !== null;
  return {
    state: draft.state,
    writes: draft.writes(),
    answers,
    touched: draft.touched,
    granted,
    stops: stops.filter(isHeld),
    staleCount,
  };
}

function foundNow(state: PoolState, { isDiskShort = false }: Moment): PoolState {
  return state.isDiskShort === isDiskShort ? state : { ...state, isDiskShort };
}

/** After the commit: gives new sessions their real numbers. They are behind all others and in the same order as before. */
export function withRealNumbers(decision: Decision, numbers: ReadonlyMap<SessionId, number>): PoolState {
  const { state, writes } = decision;
  const userIds = new Set(writes.inserts.map(({ row }) => row.userId));
  let { order } = state;
  // A turn is found by its head's number: out with the old ones first.
  for (const userId of userIds) order = withoutTurn(order, turnIn(state, userId));
  let { lastSeq } = state;
  for (const { row } of writes.inserts) {
    row.seq = numbers.get(row.id) ?? row.seq;
    lastSeq = Math.max(lastSeq, row.seq);
  }
  for (const userId of userIds) order = withTurn(order, turnIn(state, userId));
  return { ...state, order, lastSeq };
}

function withoutTurn(order: PoolState["order"], turn: Turn | null): PoolState["order"] {
  return turn ? order.without(turn) : order;
}

function withTurn(order: PoolState["order"], turn: Turn | null): PoolState["order"] {
  return turn ? order.with(turn) : order;
}

function apply(deciding: Deciding, order: Order): AnswerTo<OrderKind> | undefined {
  const { draft } = deciding;
  switch (order.kind) {
    case "enqueue":
      return enqueue(deciding, order.sessionId, order.session, order.at);
    case "cancel":
      return cancel(deciding, order.sessionId, order.by, order.at);
    case "reorder":
      return reorder(draft, order.sessionId, order.by, order.before);
    case "set-caps":
      draft.setCaps({ ...draft.state.caps, ...order.change });
      return draft.state.caps;
    case "set-user-cap":
      draft.setUserCap(order.userId, order.max);
      return null;
    case "hold":
      return hold(draft, order);
    case "progress":
      return progress(deciding, order);
    case "release":
      return release(deciding, order);
    case "requeue":
      return requeue(deciding, order.run, order.at);
    case "hand-back":
      return handBack(deciding, order.run, order.at);
    case "take-in":
      if (!draft.state.sessions.has(order.row.id)) draft.takeIn(order.row);
      return null;
    case "open":
      draft.open();
      return null;
    default:
      return order satisfies never;
  }
}

function enqueue(deciding: Deciding, sessionId: SessionId, session: NewSession, at: Millis) {
  const { draft } = deciding;
  const existing = draft.state.tasks.get(session.taskId);
  if (existing !== undefined) return { sessionId: existing, existing: existing !== sessionId };
  // One statement cannot end a task's session and insert its next one: the unique index would still see the old row.
  if (draft.endedTasks.has(session.taskId)) return undefined;
  const { taskId, projectId, userId, agentId, mode, message } = session;
  const row: QueuedRow = {
    id: sessionId,
    taskId,
    projectId,
    userId,
    agentId,
    attempt: 1,
    seq: draft.nextSeq(),
    place: null,
    queuedAt: at,
    status: "queued",
    hold: session.hold ?? null,
  };
  draft.add(row, { mode, message });
  return { sessionId, existing: false };
}

function cancel(deciding: Deciding, sessionId: SessionId, by: UserId, at: Millis): AnswerTo<"cancel"> {
  const { draft, stops } = deciding;
  const row = draft.state.sessions.get(sessionId);
  if (!row) return { kind: "over" };
  if (row.status === "queued") {
    draft.leaveTheLine(row, cancelledAt(at), by);
    return { kind: "left-the-line" };
  }
  if (row.cancelledBy === null) draft.change(row, { ...row, phase: "stopping", cancelledBy: by });
  stops.push({ sessionId, attempt: row.attempt });
  return { kind: "stopping" };
}

function reorder(draft: Draft, sessionId: SessionId, by: UserId, before: SessionId | null): AnswerTo<"reorder"> {
  const row = draft.state.sessions.get(sessionId);
  if (row?.status !== "queued") return { kind: "refused", reason: "not-queued" };
  const line = draft.state.lines.get(by);
  if (row.userId !== by || !line) return { kind: "refused", reason: "not-your-line" };
  if (before === sessionId) return { kind: "reordered" };
  const inOrder = inLineOrder(line);
  const others = inOrder.filter((other) => other.id !== sessionId);
  const index = before === null ? others.length : others.findIndex((other) => other.id === before);
  if (index < 0) return { kind: "refused", reason: "not-before-that" };
  const wanted = [...others.slice(0, index), row, ...others.slice(index)];
  const numbers = inOrder.map((other) => other.place ?? other.seq);
  const moves = wanted.flatMap((other, i) => {
    const number = numbers[i] ?? other.seq;
    return (other.place ?? other.seq) === number ? [] : [{ from: other, to: { ...other, place: number } }];
  });
  draft.moveWithinLine(by, moves);
  return { kind: "reordered" };
}

function hold(draft: Draft, order: Order<"hold">): null {
  const row = draft.state.sessions.get(order.sessionId);
  if (row?.status === "queued" && (row.hold || order.hold)) draft.change(row, { ...row, hold: order.hold });
  return null;
}

function progress(deciding: Deciding, order: Order<"progress">): null {
  const { draft } = deciding;
  const row = heldRow(draft, order.run);
  if (!row) {
    deciding.staleCount += 1;
    return null;
  }
  const { phase } = order.progress;
  // Once it is stopping, only the saving that follows may be told.
  const isTold = phase !== undefined && phase !== row.phase && (row.cancelledBy === null || phase === "saving");
  if (isTold) draft.change(row, { ...row, phase });
  const told = toldBy(order.progress, deciding.at);
  if (Object.values(told).some((value) => value !== null)) draft.tell(row.id, told);
  return null;
}

function toldBy({ lastAction, outputBytes, lastOutputAt, isAdopted, question }: Progress, at: Millis): Told {
  return {
    lastAction: lastAction ?? null,
    outputBytes: outputBytes ?? null,
    lastOutputAt: lastOutputAt ?? null,
    adoptedAt: isAdopted ? at : null,
    question: question === null ? "none" : (question ?? null),
  };
}

/** Fills all the room there is, one turn after the other (P4, P6, P7). */
function grantAll({ draft, at, epoch, isLeaving = false }: Deciding): RunningRow[] {
  const granted: RunningRow[] = [];
  if (isLeaving) return granted;
  for (;;) {
    const { isOpen, isDiskShort, caps, running, order, lines } = draft.state;
    if (!isOpen || isDiskShort || caps.paused || running.size >= caps.globalMax) break;
    const turn = order.first();
    const next = turn && lines.get(turn.userId)?.line.first();
    if (!next) break;
    granted.push(draft.grant(next, at, epoch));
  }
  return granted;
}
