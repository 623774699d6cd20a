/**
 * How a slot comes back: with an ending (P9), given up before anything acted (R2), or handed back by a server that leaves (R5).
 * A cancel that was committed before wins over all three (P17).
 */
import { type Ended, NOTHING_LEFT } from "../session/lifecycle";
import type { AttemptRef, Epoch, Millis } from "../words";
import type { Draft } from "./draft";
import type { AnswerTo, Order } from "./events";
import type { LiveRow, RunningRow } from "./rows";

/** R2: how often an attempt may be given up and tried again. */
const MAX_REQUEUES = 3;

export interface Moment {
  readonly at: Millis;
  readonly epoch: Epoch;
  /** As the machine was found last (R14); absent: it has room. */
  readonly isDiskShort?: boolean;
  /** This server leaves, so it grants nothing that it could not start any more (R5). */
  readonly isLeaving?: boolean;
}

export interface Deciding extends Moment {
  readonly draft: Draft;
  readonly stops: AttemptRef[];
  staleCount: number;
}

export function release(deciding: Deciding, order: Order<"release">): AnswerTo<"release"> {
  const row = heldRow(deciding.draft, order.run);
  if (!row) {
    deciding.staleCount += 1;
    return "stale";
  }
  const { ended } = order;
  deciding.draft.end(row, row.cancelledBy === null ? ended : { ...ended, status: "cancelled", failure: null });
  return "released";
}

/** The ending alone, for rows that do not take what else is to be told. */
export function withoutDetails({ status, failure, endedAt }: Ended): Ended {
  return { ...NOTHING_LEFT, status, endedAt, failure: failure && { kind: failure.kind, detail: null } };
}

export function requeue(deciding: Deciding, run: AttemptRef, at: Millis): AnswerTo<"requeue"> {
  const { draft } = deciding;
  const row = giveableRow(deciding, run, at);
  if (!row) return "stale";
  if (row.attempt > MAX_REQUEUES) {
    const failure = { kind: "could-not-start", detail: `it was tried ${row.attempt} times` } as const;
    draft.end(row, { ...NOTHING_LEFT, status: "failed", failure, endedAt: at });
    return "tried-too-often";
  }
  backToTheLine(draft, row, row.attempt + 1);
  return "requeued";
}

/** The same attempt again: no host was asked for, so there is nothing to fence off and nothing was tried. */
export function handBack(deciding: Deciding, run: AttemptRef, at: Millis): AnswerTo<"hand-back"> {
  const row = giveableRow(deciding, run, at);
  if (!row) return "stale";
  backToTheLine(deciding.draft, row, row.attempt);
  return "handed-back";
}

/** Null: not held, or a cancel came first and wins; then this is what ends it. */
function giveableRow(deciding: Deciding, run: AttemptRef, at: Millis): RunningRow | null {
  const row = heldRow(deciding.draft, run);
  if (!row) deciding.staleCount += 1;
  else if (row.cancelledBy !== null) deciding.draft.end(row, cancelledAt(at));
  else return row;
  return null;
}

function backToTheLine(draft: Draft, row: RunningRow, attempt: number): void {
  const { id, taskId, projectId, userId, agentId, seq, place, queuedAt } = row;
  draft.change(row, {
    id,
    taskId,
    projectId,
    userId,
    agentId,
    seq,
    place,
    queuedAt,
    attempt,
    status: "queued",
    hold: null,
  });
}

export function heldRow(draft: Draft, run: AttemptRef): RunningRow | null {
  const row: LiveRow | undefined = draft.state.sessions.get(run.sessionId);
  return row?.status === "running" && row.attempt === run.attempt ? row : null;
}

export function cancelledAt(at: Millis): Ended {
  return { ...NOTHING_LEFT, status: "cancelled", failure: null, endedAt: at };
}
