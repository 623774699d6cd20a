/**
 * When each waiting session will start (P15): the lines are played to their end many times with times drawn from recent endings,
 * by the pool's own comparison of turns, personal caps standing, as if nobody dispatched anything more. What runs goes on for
 * what is left of a time longer than its age. Pure: the same state, endings, moment and seed foresee the same.
 */
import type { Millis, SessionId, UserId } from "../words";
import { chanceFrom, hashOf, mixed } from "./chance";
import { type Circles, type Durations, drawRest } from "./durations";
import { compareTurns } from "./fair-order";
import { Heap } from "./heap";
import type { StartsIn } from "./picture";
import { type Claim, PlayedLine } from "./played-line";
import type { RunningRow } from "./rows";
import type { PoolState } from "./state";

/** Of each waiting session whose start can be told. */
export type Forecast = ReadonlyMap<SessionId, StartsIn>;

export const NOTHING_FORESEEN: Forecast = new Map();

/** How often the lines are played at most. */
const RUNS_MAX = 100;
/** Grants of one run; who does not start within them is too far away to be told. */
const GRANTS_PER_RUN = 2_000;
/** Grants of all runs together: with long lines there are fewer runs, for many times in a row even each other out. */
const GRANTS_MAX = 60_000;
/** Grants of one step. */
const GRANTS_PER_STEP = 500;
/** A session that is stopping or saving gives its slot back within this: the steps of R7, then a minute to save. */
const LEAVING_MAX_MS = 75_000;

/** To be carried on step by step, so that nobody has to wait for all of it: one step is 500 grants at most. */
export function* forecasting(
  state: PoolState,
  now: Millis,
  durations: Durations,
  seed: number,
): Generator<undefined, Forecast, undefined> {
  const { isOpen, isDiskShort, caps } = state;
  if (!isOpen || isDiskShort || caps.paused || caps.globalMax === 0 || !durations.isEnough) return NOTHING_FORESEEN;
  const table = laidOut(state, now, durations);
  const depth = Math.min(table.waiting, GRANTS_PER_RUN);
  const runs = Math.min(RUNS_MAX, Math.floor(GRANTS_MAX / Math.max(depth, 1)));
  for (let run = 0; run < runs && depth > 0; run += 1) {
    // A session's chance in one run hangs on its id: at the next refresh it is the same, so that a figure moves because
    // something happened and not because the dice fell differently.
    yield* play(table, depth, mixed(seed, run));
  }
  return summedUp(table, runs);
}

/** All steps at once. */
export function forecast(state: PoolState, now: Millis, durations: Durations, seed: number): Forecast {
  const steps = forecasting(state, now, durations, seed);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** As people are told: 5 s under a minute, then steps that nobody would miss, so that figures rest while nothing happens. */
export function inSteps(ms: number): number {
  const seconds = ms / 1_000;
  const step = seconds < 60 ? 5 : seconds < 600 ? 15 : seconds < 5_400 ? 60 : 300;
  return Math.round(seconds / step) * step;
}

interface Sitting {
  readonly line: PlayedLine;
  readonly hash: number;
  readonly age: number;
  readonly circles: Circles;
  readonly isLeaving: boolean;
}

interface Ending {
  readonly at: number;
  readonly line: PlayedLine;
}

interface Table {
  readonly lines: readonly PlayedLine[];
  readonly sitting: readonly Sitting[];
  readonly waiting: number;
  readonly free: number;
  readonly lastGrantSeq: number;
}

/**
 * Everybody who can be granted anything in a run: whoever has something running, and the first 2,000 turns. A later turn never
 * becomes the first one within 2,000 grants, for a turn gets better by an ending only.
 */
function laidOut(state: PoolState, now: Millis, durations: Durations): Table {
  const lines = new Map<UserId, PlayedLine>();
  const lineOf = (userId: UserId): PlayedLine => {
    const line = lines.get(userId) ?? new PlayedLine(state, userId, durations);
    lines.set(userId, line);
    return line;
  };
  const sitting = Array.from(state.running, ([, row]) => sittingFrom(row, lineOf(row.userId), now, durations));
  let turns = 0;
  for (const { userId } of state.order) {
    if (turns === GRANTS_PER_RUN) break;
    turns += 1;
    lineOf(userId);
  }
  const all = [...lines.values()];
  const waiting = all.reduce((sum, line) => sum + line.size, 0);
  const { caps, running, lastGrantSeq } = state;
  return { lines: all, sitting, waiting, free: caps.globalMax - running.size, lastGrantSeq };
}

function sittingFrom(row: RunningRow, line: PlayedLine, now: Millis, durations: Durations): Sitting {
  return {
    line,
    hash: hashOf(row.id),
    age: Math.max(0, now - row.startedAt),
    circles: durations.of(row.projectId, row.agentId),
    isLeaving: row.phase === "stopping" || row.phase === "saving",
  };
}

/** One run: slots come back in the order of the endings, all of one moment together, then every free one is granted. */
function* play(
  { lines, sitting, free: freeNow, lastGrantSeq }: Table,
  depth: number,
  seed: number,
): Generator<undefined> {
  const claims = new Heap<Claim>((a, b) => compareTurns(a.turn, b.turn));
  const endings = new Heap<Ending>((a, b) => a.at - b.at);
  for (const line of lines) {
    line.begin();
    if (line.claim) claims.push(line.claim);
  }
  for (const { line, hash, age, circles, isLeaving } of sitting) {
    const rest = drawRest(circles, age, chanceFrom(seed, hash));
    endings.push({ line, at: isLeaving ? Math.min(rest, LEAVING_MAX_MS) : rest });
  }
  let at = 0;
  let free = freeNow;
  let granted = 0;
  for (;;) {
    while (free > 0 && granted < depth) {
      const line = nextOf(claims);
      if (line === null) break;
      granted += 1;
      free -= 1;
      const { starts, circles, hash } = line.grant(lastGrantSeq + granted);
      starts.push(at);
      endings.push({ line, at: at + drawRest(circles, 0, chanceFrom(seed, hash)) });
      if (line.claim) claims.push(line.claim);
      if (granted % GRANTS_PER_STEP === 0) yield;
    }
    const next = endings.first();
    if (granted === depth || next === undefined || next.at === Number.POSITIVE_INFINITY) break;
    ({ at } = next);
    while (endings.first()?.at === at) {
      const line = endings.pop()?.line;
      line?.release();
      free += 1;
      if (line?.claim) claims.push(line.claim);
    }
  }
  yield;
}

/** Whose turn it is; claims that stand no longer are thrown away. */
function nextOf(claims: Heap<Claim>): PlayedLine | null {
  for (let claim = claims.pop(); claim; claim = claims.pop()) {
    if (claim.line.claim === claim) return claim.line;
  }
  return null;
}

/** Who started in too few runs for a range starts at a time that is not known: nothing is told of it. */
function summedUp({ lines }: Table, runs: number): Forecast {
  const [half, most] = [Math.ceil(runs * 0.5) - 1, Math.ceil(runs * 0.8) - 1];
  const told = new Map<SessionId, StartsIn>();
  for (const { waiting } of lines) {
    for (const { id, starts } of waiting) {
      const inOrder = new Float64Array(starts).sort();
      const [p50, p80] = [inOrder[half], inOrder[most]];
      if (p50 !== undefined && p80 !== undefined) told.set(id, { p50: inSteps(p50), p80: inSteps(p80) });
    }
  }
  return told;
}
