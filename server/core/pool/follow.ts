/**
 * Keeps another server's memory in step with the writer's (P13, P19): rows that changed in, the state that the writer had after
 * the commit that changed them out. Decides nothing. The law: whatever is followed equals what is read whole.
 */
import type { SessionId } from "../words";
import { Draft } from "./draft";
import { turnIn } from "./fair-order";
import { seatsOf } from "./load";
import type { Caps, LiveRow, UserRow } from "./rows";
import { isRunning, type PoolState } from "./state";

export interface FollowedRows {
  readonly caps: Caps;
  readonly isOpen: boolean;
  readonly isDiskShort: boolean;
  /** As they are now. */
  readonly live: readonly LiveRow[];
  readonly gone: readonly SessionId[];
  readonly users: readonly UserRow[];
}

export function followed(state: PoolState, rows: FollowedRows): PoolState {
  const draft = new Draft(state);
  for (const id of rows.gone) {
    const before = draft.state.sessions.get(id);
    if (before) draft.change(before, undefined);
  }
  // Out with all before any comes in: two may have swapped their places in a line.
  const before = rows.live.map((row) => draft.state.sessions.get(row.id));
  for (const row of before) if (row) draft.change(row, undefined);
  for (const row of rows.live) draft.change(undefined, row);
  for (const { userId, max } of rows.users) {
    if ((draft.state.userCaps.get(userId) ?? null) !== max) draft.setUserCap(userId, max);
  }
  if (!isSame(draft.state.caps, rows.caps)) draft.setCaps(rows.caps);
  const { isOpen, isDiskShort } = rows;
  const after = rows.users.reduce(withLastGrant, draft.state);
  const running = Array.from(after.running, ([, row]) => row).filter(isRunning);
  const lastSeq = rows.live.reduce((max, row) => Math.max(max, row.seq), after.lastSeq);
  return { ...after, isOpen, isDiskShort, lastSeq, ...seatsOf(running) };
}

/** A turn is found by the number of its user's last grant: out with it before that changes. */
function withLastGrant(state: PoolState, { userId, lastGrantSeq }: UserRow): PoolState {
  if (lastGrantSeq === null || lastGrantSeq === state.lastGrants.get(userId)) return state;
  const lastGrants = state.lastGrants.set(userId, lastGrantSeq);
  const next = { ...state, lastGrants, lastGrantSeq: Math.max(state.lastGrantSeq, lastGrantSeq) };
  const [before, after] = [turnIn(state, userId), turnIn(next, userId)];
  const order = before ? state.order.without(before) : state.order;
  return { ...next, order: after ? order.with(after) : order };
}

function isSame(a: Caps, b: Caps): boolean {
  return a.globalMax === b.globalMax && a.perUserMax === b.perUserMax && a.paused === b.paused;
}
