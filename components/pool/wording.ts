/**
 * The pool in words for people: one wording per reason, the same on card, task page, profile and pool page (P14). Pure.
 * Everything is read from one picture of the pool, so two sentences on one screen cannot contradict each other.
 */
import type { PoolPicture, PoolSession } from "@/server/contract/pool";
import { firstNameOf } from "../ui/person";
import { until } from "../ui/time";
import { inSentence } from "../ui/written";

/** How many session numbers a sentence names before it counts the rest. */
const NAMED_MAX = 3;

export interface PoolReader {
  readonly pool: PoolPicture;
  readonly meId: string;
  readonly nameOf: (userId: string) => string;
  /** The task's number of a session, if its card is known here; otherwise it is "elsewhere" (L4). */
  readonly numberOf: (sessionId: string) => number | null;
}

/** `your limit 2/2 · #12, #14 are running` and its siblings. */
export function reasonOf(session: PoolSession, reader: PoolReader): string {
  const waiting = session.waitingFor;
  if (waiting === null) return "";
  switch (waiting.reason) {
    case "pool-starting":
      return "the pool is starting · your place is kept";
    case "paused":
      return "pool paused · starts after it is resumed";
    case "your-limit":
      return limitReason(session, reader);
    case "pool-limit": {
      const { running, max } = reader.pool.global;
      const ahead = aheadOf(session);
      return `pool full ${running}/${max}${ahead === null ? "" : ` · ${ahead}`}`;
    }
    case "budget":
      return withUntil(waiting.detail ?? "your budget is used up", waiting.until, reader);
    case "agent-unusable":
      return withUntil(waiting.detail ?? "the agent cannot be used now", waiting.until, reader);
    case "repository-unusable":
      return withUntil(waiting.detail ?? "the repository cannot be used now", waiting.until, reader);
    case "disk":
      return waiting.detail ?? "less than 1 GB free on the server";
    default:
      return waiting.reason satisfies never;
  }
}

/** Most sentences say it themselves. */
function withUntil(detail: string, end: string | undefined, { pool }: PoolReader): string {
  return end === undefined || detail.includes("until")
    ? detail
    : `${detail} · until ${until(end, Date.parse(pool.at))}`;
}

/** `12 ahead`, `next`, or null when one's own limit or a hold blocks (P15). */
export function aheadOf(session: PoolSession): string | null {
  if (session.ahead === null) return null;
  return session.ahead === 0 ? "next" : `${session.ahead} ahead`;
}

function limitReason(session: PoolSession, reader: PoolReader): string {
  const { running, max } = countsOf(reader.pool, session.userId);
  const isMine = session.userId === reader.meId;
  const name = inSentence(firstNameOf(reader.nameOf(session.userId)));
  // While names are on their way it is somebody's limit all the same.
  const whose = isMine ? "your limit" : `${name === "" ? "their" : `${name}’s`} limit`;
  if (max === 0) return `${whose} is 0 · ask an administrator`;
  const ids = session.waitingFor?.sessions ?? [];
  const isRunning = (id: string) => reader.pool.sessions[id]?.status === "running";
  const runners = namesOf(
    ids.filter((id) => isRunning(id)),
    running,
    reader,
  );
  if (running >= max) return withTail(`${whose} ${running}/${max}`, said(runners, "is running", "are running"));
  const first = namesOf(
    ids.filter((id) => !isRunning(id)),
    0,
    reader,
  );
  const tail = [said(runners, "runs", "run"), said(first, "goes first", "go first")].filter(Boolean).join(", ");
  return withTail(`${whose} ${max}`, tail);
}

interface Names {
  readonly shown: readonly string[];
  readonly elsewhere: number;
}

/** `atLeast`: how many there are in truth; those nobody may see here are "elsewhere". */
function namesOf(ids: readonly string[], atLeast: number, { numberOf }: PoolReader): Names {
  const numbers = ids.map(numberOf).filter((number) => number !== null);
  const shown = numbers.slice(0, NAMED_MAX).map((number) => `#${number}`);
  const isListCut = ids.length >= 10;
  const all = isListCut ? ids.length : Math.max(ids.length, atLeast);
  if (numbers.length > NAMED_MAX) shown.push(`${numbers.length - NAMED_MAX} more`);
  return { shown, elsewhere: all - numbers.length };
}

function said({ shown, elsewhere }: Names, one: string, many: string): string {
  if (shown.length === 0) return elsewhere === 0 ? "" : `${elsewhere} elsewhere`;
  const verb = shown.length === 1 ? one : many;
  return `${shown.join(", ")} ${verb}${elsewhere === 0 ? "" : `, ${elsewhere} elsewhere`}`;
}

function withTail(head: string, tail: string): string {
  return tail === "" ? head : `${head} · ${tail}`;
}

/** A card's estimate: `about 16 min`, `no estimate yet` (too little history), `no estimate` (nobody can know). */
export function estimateOf(session: PoolSession, reader: PoolReader): string {
  if (session.startsIn !== null) return `about ${roughly(session.startsIn.p50)}`;
  const reason = session.waitingFor?.reason;
  const hasNoRoom = countsOf(reader.pool, session.userId).max === 0 || reader.pool.global.max === 0;
  const isStopped = reason === "paused" || reason === "pool-starting" || reason === "disk";
  return isStopped || hasNoRoom ? "no estimate" : "no estimate yet";
}

/** Pages have room for the range: `about 16 to 24 min`. */
export function estimateRangeOf(session: PoolSession, reader: PoolReader): string {
  if (session.startsIn === null) return estimateOf(session, reader);
  return `about ${rangeOf(session.startsIn, " to ", " to ")}`;
}

/** In rows and tables: `16–24 min`. */
export function shortRangeOf(session: PoolSession, reader: PoolReader): string {
  if (session.startsIn === null) return estimateOf(session, reader);
  return rangeOf(session.startsIn, "–", " – ");
}

/** The unit once when both have it; `between` stands between figures, `apart` between figures with units of their own. */
function rangeOf({ p50, p80 }: NonNullable<PoolSession["startsIn"]>, between: string, apart: string): string {
  const [from, to] = [roughly(p50), roughly(p80)];
  if (from === to) return from;
  const [[figure, unit], [, toUnit]] = [from.split(" "), to.split(" ")];
  return unit === toUnit ? `${figure}${between}${to}` : `${from}${apart}${to}`;
}

function roughly(seconds: number): string {
  if (seconds < 60) return `${Math.max(5, Math.round(seconds / 5) * 5)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}

export function isHeld(session: PoolSession): boolean {
  return session.status === "queued" && session.position === null;
}

/** `Queued · position 3` or `Queued · held`. */
export function queuedWord(session: PoolSession): string {
  return isHeld(session) ? "Queued · held" : `Queued · position ${session.position}`;
}

/** Counts of one user in the same picture, also of somebody the pool has nothing of. */
export function countsOf(pool: PoolPicture, userId: string) {
  return pool.users[userId] ?? { running: 0, queued: 0, max: pool.limits[userId] ?? pool.perUserMax };
}

/** Why seats are free, or who gets the next one; true also for readers who see few of those who wait. */
export function seatsSentence({ pool, meId, nameOf, numberOf }: PoolReader): string {
  const free = pool.global.max - pool.global.running;
  if (pool.paused) return "Nothing starts until the pool is resumed";
  if (!pool.isReady) return "The pool is starting";
  if (pool.isDiskShort) return "Nothing starts while the server is short of disk";
  if (free <= 0) {
    const next = Object.entries(pool.sessions).find(([, session]) => session.ahead === 0);
    if (next === undefined) return "All seats taken";
    const [id, { userId }] = next;
    const who = userId === meId ? "you" : inSentence(firstNameOf(nameOf(userId)));
    const number = numberOf(id);
    return `All seats taken · the next free one goes to ${who}${number === null ? "" : ` (#${number})`}`;
  }
  const seats = free === 1 ? "1 seat free" : `${free} seats free`;
  const why = whyNobodyStarts(pool);
  return why === null ? seats : `${seats} · ${why}`;
}

/** Read from people's counts, which everybody sees of everybody; null: somebody may start at any moment. */
function whyNobodyStarts(pool: PoolPicture): string | null {
  if (pool.global.queued === 0) return "nobody waits";
  const inLine = Object.entries(pool.users).filter(([id, { queued }]) => queued > (pool.held[id] ?? 0));
  if (inLine.some(([, { running, max }]) => running < max)) return null;
  if (inLine.length === 0) return "everyone who waits is held";
  const isAnyHeld = Object.keys(pool.held).length > 0;
  return isAnyHeld ? "everyone who waits is held or at their own limit" : "everyone who waits is at their own limit";
}
