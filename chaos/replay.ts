/**
 * Plays the transitions of the rows again, one transaction after the other, and holds every grant against the rules: caps
 * (P4), order within a line (P5), fairness between users (P6), no idle slot (P7), one grant per attempt (P8). Pure, and
 * written from the rules alone: it shares nothing with the pool that it judges.
 */
import { type Caps, type Dispatch, isGrant, type Transition } from "./evidence";
import { groupsOf } from "./groups";

export interface Replayed {
  readonly grants: number;
  /** Pairs of sessions whose order was looked at. */
  readonly pairs: number;
  readonly overCap: readonly string[];
  readonly outOfOrder: readonly string[];
  readonly unfair: readonly string[];
  readonly idle: readonly string[];
  readonly twice: readonly string[];
}

/**
 * A row that was inserted beside the writer (while there was none, or by another server) is news to the writer for at most
 * this long, microseconds: it looks for such rows every second.
 */
const NEWS_FOR = 3_000_000;

interface Waiting {
  readonly sessionId: string;
  readonly order: number;
  readonly insertedAt: number;
  readonly insertedBy: number;
  readonly isHeld: boolean;
}

interface Line {
  readonly cap: number;
  readonly waiting: Map<string, Waiting>;
  readonly running: Set<string>;
  lastGrant: number;
}

export function replay(transitions: readonly Transition[], dispatches: readonly Dispatch[], caps: Caps): Replayed {
  const asked = new Map(dispatches.flatMap((one) => [...one.sessionIds].map((id) => [id, one] as const)));
  const lines = new Map<string, Line>();
  const granted = new Set<string>();
  const found = { overCap: [], outOfOrder: [], unfair: [], idle: [], twice: [] } as Record<
    "overCap" | "outOfOrder" | "unfair" | "idle" | "twice",
    string[]
  >;
  let grants = 0;
  let pairs = 0;

  const lineOf = (userId: string): Line => {
    const known = lines.get(userId);
    if (known) return known;
    const line = { cap: caps.users.get(userId) ?? 0, waiting: new Map(), running: new Set<string>(), lastGrant: -1 };
    lines.set(userId, line);
    return line;
  };
  const runningInAll = () => [...lines.values()].reduce((sum, { running }) => sum + running.size, 0);
  const isEligible = (line: Line, by: Transition) =>
    line.running.size < line.cap && [...line.waiting.values()].some((one) => !one.isHeld && isKnown(one, by));

  function settle(change: Transition): void {
    const line = lineOf(change.userId);
    const before = line.waiting.get(change.sessionId);
    line.running.delete(change.sessionId);
    // Handed back by a server that left, before it had asked any host for it (R2): the same attempt may be granted again.
    if (change.is === "queued" && change.attempt === change.wasAttempt)
      granted.delete(`${change.sessionId}.${change.attempt}`);
    line.waiting.delete(change.sessionId);
    if (change.is === "running" && !isGrant(change)) line.running.add(change.sessionId);
    const waits = change.is === "queued" || isGrant(change);
    if (!waits) return;
    line.waiting.set(change.sessionId, {
      sessionId: change.sessionId,
      order: change.order,
      insertedAt: before?.insertedAt ?? change.at,
      insertedBy: before?.insertedBy ?? change.backend,
      isHeld: change.isHeld,
    });
  }

  function grant(change: Transition): void {
    grants += 1;
    const { sessionId, userId, attempt } = change;
    const line = lineOf(userId);
    const attemptName = `${sessionId}.${attempt}`;
    if (granted.has(attemptName)) found.twice.push(`[P8] ${attemptName} was granted twice.`);
    granted.add(attemptName);
    for (const [otherId, other] of lines) {
      if (otherId === userId || !isEligible(other, change)) continue;
      // running ÷ cap, without rounding.
      const difference = line.running.size * other.cap - other.running.size * line.cap;
      if (difference > 0 || (difference === 0 && line.lastGrant > other.lastGrant))
        found.unfair.push(`[P6] ${sessionId} of ${userId} was granted although it was the turn of ${otherId}.`);
    }
    for (const other of line.waiting.values()) {
      if (other.sessionId === sessionId || other.isHeld) continue;
      const isWronged = precedes(asked, other.sessionId, sessionId);
      if (isWronged || precedes(asked, sessionId, other.sessionId)) pairs += 1;
      if (isWronged && other.order < change.order)
        found.outOfOrder.push(`[P5] ${sessionId} was granted before ${other.sessionId} of the same line.`);
    }
    line.waiting.delete(sessionId);
    line.running.add(sessionId);
    line.lastGrant = change.grantSeq ?? -1;
    if (line.running.size > line.cap)
      found.overCap.push(`[P4] ${sessionId}: ${userId} has ${line.running.size} slots of ${line.cap}.`);
    if (runningInAll() > caps.globalMax)
      found.overCap.push(`[P4] ${sessionId}: ${runningInAll()} slots are taken of ${caps.globalMax}.`);
  }

  for (const changes of transactionsOf(transitions)) {
    for (const change of changes) settle(change);
    const given = changes.filter(isGrant).sort((one, other) => (one.grantSeq ?? 0) - (other.grantSeq ?? 0));
    for (const change of given) grant(change);
    const last = given.at(-1);
    const free = caps.globalMax - runningInAll();
    if (last && free > 0)
      for (const [userId, line] of lines)
        if (isEligible(line, last)) found.idle.push(`[P7] after ${last.sessionId}: ${free} free, and ${userId} waits.`);
  }
  return { grants, pairs, ...found, outOfOrder: [...found.outOfOrder, ...numbersOutOfOrder(transitions, dispatches)] };
}

/** In the order in which they became true: the writer's transactions are one after the other, by its lease. */
function transactionsOf(transitions: readonly Transition[]): Transition[][] {
  const inOrder = [...transitions].sort((one, other) => one.id - other.id);
  return [...groupsOf(inOrder, ({ tx }) => tx).values()];
}

function isKnown(waiting: Waiting, by: Transition): boolean {
  return waiting.insertedBy === by.backend || by.at - waiting.insertedAt > NEWS_FOR;
}

/** P5 binds dispatches whose answer preceded the other's request. */
function precedes(asked: ReadonlyMap<string, Dispatch>, first: string, second: string): boolean {
  const [one, other] = [asked.get(first), asked.get(second)];
  return one?.answeredAt != null && other !== undefined && one.answeredAt <= other.askedAt;
}

/** Numbers of a line rise with its dispatches. */
function numbersOutOfOrder(transitions: readonly Transition[], dispatches: readonly Dispatch[]): string[] {
  const orders = new Map(transitions.filter(({ was }) => was === null).map((row) => [row.sessionId, row.order]));
  const numbered = dispatches.flatMap((dispatch) =>
    [...dispatch.sessionIds].flatMap((id) => ({ id, dispatch, order: orders.get(id) ?? Number.NaN })),
  );
  const wrong: string[] = [];
  for (const line of groupsOf(numbered, ({ dispatch }) => dispatch.userId).values()) {
    line.sort((one, other) => one.dispatch.askedAt - other.dispatch.askedAt);
    for (const [index, one] of line.entries())
      for (const other of line.slice(index + 1)) {
        const isBound = one.dispatch.answeredAt !== null && one.dispatch.answeredAt <= other.dispatch.askedAt;
        if (isBound && !(one.order < other.order))
          wrong.push(
            `[P5] ${other.id} has a smaller number than ${one.id}, which was answered before it was asked for.`,
          );
      }
  }
  return wrong;
}
