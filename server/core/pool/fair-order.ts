/**
 * Who is next (P6): the eligible users in the order of their turns, and the order in which everything would be granted.
 * A turn is a pure function of one user's line, cap and last grant, so it can be taken out again without being looked for.
 */
import type { UserId } from "../words";
import type { QueuedRow } from "./rows";
import type { PoolState, Turn, UserLine } from "./state";

export function compareTurns(a: Turn, b: Turn): number {
  return (
    a.share - b.share ||
    a.lastGrant - b.lastGrant ||
    a.head - b.head ||
    (a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0)
  );
}

/** The user's turn, or null when not eligible: nothing waits, or everything the cap allows is running. */
export function turnOf(line: UserLine, cap: number, lastGrant: number): Turn | null {
  return turnFrom(line, 0, line.running.size, cap, lastGrant);
}

/** The turn of a user of whose line so many are granted already and of whom so many run: the turns that are to come. */
export function turnFrom(
  { userId, line }: { readonly userId: UserId; readonly line: { at(index: number): QueuedRow | undefined } },
  granted: number,
  running: number,
  cap: number,
  lastGrant: number,
): Turn | null {
  const next = line.at(granted);
  if (!next || running >= cap) return null;
  return { userId, share: running / cap, lastGrant, head: next.place ?? next.seq };
}

export function turnIn(state: PoolState, userId: UserId): Turn | null {
  const line = state.lines.get(userId);
  return line ? turnOf(line, capOf(state, userId), state.lastGrants.get(userId) ?? 0) : null;
}

export function capOf(state: Pick<PoolState, "caps" | "userCaps">, userId: UserId): number {
  return state.userCaps.get(userId) ?? state.caps.perUserMax;
}

/**
 * The sessions in the order in which they would be granted if the global cap rose one by one, personal caps standing and
 * nobody ending (P15). Sessions whose own limit or hold blocks them do not appear.
 */
export function* upcoming(state: PoolState): IterableIterator<QueuedRow> {
  let order = state.order;
  let grantSeq = state.lastGrantSeq;
  const granted = new Map<UserId, number>();
  for (let turn = order.first(); turn; turn = order.first()) {
    order = order.without(turn);
    const line = state.lines.get(turn.userId);
    const before = granted.get(turn.userId) ?? 0;
    const next = line?.line.at(before);
    if (!line || !next) continue;
    yield next;
    grantSeq += 1;
    granted.set(turn.userId, before + 1);
    const running = line.running.size + before + 1;
    const again = turnFrom(line, before + 1, running, capOf(state, turn.userId), grantSeq);
    if (again) order = order.with(again);
  }
}
