/**
 * Counts what the pool announces, and writes a row a minute of it (P22, B9): beside the writer, which never waits for it. Only
 * the server that is the writer counts, and only what happens while it is; a row is written whole and by source, so that no
 * restart, retry or change of writer counts anything twice. A crash loses what was not written: two minutes at most.
 */
import type { PoolChange } from "../../../core/pool/picture";
import { addWait } from "../../../core/session/wait-spread";
import { reasonOf } from "../../../core/text/reason";
import type { Millis } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { HistoryMinute, PoolHistoryStore } from "../../../ports/pool-history";
import type { Pool, Vitals, WriterState } from "../../pool";

const MINUTE_MS = 60_000;
/** Minutes that wait for the database; older ones are let go of. */
const UNWRITTEN_MOST = 60;
/** Who looks again after longer than this was asleep, and knows nothing of the time between. */
const ASLEEP_MS = 2 * MINUTE_MS;
/** How long an ordinary stop waits for the last row (R5). */
const STOP_WITHIN_MS = 500;

/** The states in which this server decides, or has decided a moment ago. */
const WRITER_STATES = new Set<WriterState>(["loading", "booting", "writing", "recovering"]);
/** Who has just stopped was the writer until then. */
const COUNTED_STATES = new Set<WriterState>([...WRITER_STATES, "stopped"]);

export interface HistoryParts {
  readonly pool: Pick<Pool, "snapshot" | "subscribe"> & { vitals(): Pick<Vitals, "state" | "commits"> };
  readonly store: Pick<PoolHistoryStore, "keep">;
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
  /** Another one at each start of a server. */
  readonly source: string;
}

export interface PoolHistory {
  /** Looks at the clock, and writes the minutes that are over. Never rejects: what fails is tried again a minute later. */
  beat(): Promise<void>;
  /** Writes what was counted so far. */
  stop(): Promise<void>;
}

type Counting = { -readonly [Key in keyof HistoryMinute]: Key extends "waits" ? number[] : HistoryMinute[Key] };
/** What was so when it was looked at last. */
interface Look {
  /** Monotonic, ms. */
  readonly at: number;
  readonly running: number;
  readonly max: number;
  readonly queued: number;
  readonly commits: number;
}

/** Begins at once, with a beat at the end of every minute. */
export function startPoolHistory(parts: HistoryParts): PoolHistory {
  const { pool, clock } = parts;
  let minute = emptyMinute(minuteOf(clock.now()), parts.source);
  let last: Look | null = null;
  let unwritten: HistoryMinute[] = [];
  let isTold = false;
  let alarm: NodeJS.Timeout | undefined;

  /** Adds what has passed since the last look. Answers whether this server is the writer. */
  function look(): boolean {
    const at = clock.monotonic();
    const { state, commits } = pool.vitals();
    if (last !== null && COUNTED_STATES.has(state)) {
      minute.commits += commits - last.commits;
      if (at - last.at <= ASLEEP_MS) addTime(minute, last, (at - last.at) / 1_000);
    }
    const now = minuteOf(clock.now());
    // A clock that is set back stays in its minute: a row that was written is not begun again.
    if (now > minute.at) {
      if (!isEmpty(minute)) unwritten = [...unwritten, minute].slice(-UNWRITTEN_MOST);
      minute = emptyMinute(now, parts.source);
    }
    const isWriter = WRITER_STATES.has(state);
    const { running, max, queued } = pool.snapshot().global;
    last = isWriter ? { at, running, max, queued, commits } : null;
    return isWriter;
  }

  function hear({ ended, granted = [] }: PoolChange): void {
    if (!look()) return;
    for (const { queuedAt, startedAt } of granted) {
      minute.grants += 1;
      addWait(minute.waits, startedAt - queuedAt);
    }
    for (const { startedAt, status } of ended) {
      if (startedAt === null) continue;
      minute.ended += 1;
      if (status === "failed") minute.failed += 1;
    }
  }

  async function write(minutes: readonly HistoryMinute[]): Promise<void> {
    if (minutes.length === 0) return;
    try {
      await parts.store.keep(minutes);
      unwritten = unwritten.filter((one) => !minutes.includes(one));
      isTold = false;
    } catch (error) {
      if (!isTold) parts.log.warn(`the pool's history could not be written: ${reasonOf(error)}`);
      isTold = true;
    }
  }

  function beat(): Promise<void> {
    look();
    return write(unwritten);
  }

  function wake(): void {
    const untilNext = MINUTE_MS - (clock.now() % MINUTE_MS);
    alarm = setTimeout(() => {
      void beat();
      wake();
    }, untilNext).unref();
  }

  const unsubscribe = pool.subscribe(hear);
  look();
  wake();
  return {
    beat,
    async stop() {
      clearTimeout(alarm);
      look();
      unsubscribe();
      const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref());
      await Promise.race([write(isEmpty(minute) ? unwritten : [...unwritten, minute]), late]);
    },
  };
}

function minuteOf(now: Millis): Millis {
  return now - (now % MINUTE_MS);
}

function emptyMinute(at: Millis, source: string): Counting {
  const time = { seconds: 0, seatSeconds: 0, capSeconds: 0, waitingSeconds: 0 };
  return { at, source, ...time, grants: 0, ended: 0, failed: 0, commits: 0, waits: [] };
}

function isEmpty({ seconds, grants, ended, commits }: Counting): boolean {
  return seconds === 0 && grants === 0 && ended === 0 && commits === 0;
}

function addTime(minute: Counting, { running, max, queued }: Look, seconds: number): void {
  minute.seconds += seconds;
  minute.seatSeconds += running * seconds;
  minute.capSeconds += max * seconds;
  minute.waitingSeconds += queued * seconds;
}
