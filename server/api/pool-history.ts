/** From the sums of minutes to what charts show: means, waits, counts, in at most a hundred steps. */
import { iso } from "../contract/common";
import type { PoolHistory } from "../contract/pool-history";
import { waitOf } from "../core/session/wait-spread";
import type { Millis } from "../core/words";
import type { HistoryStep, PoolHistoryStore } from "../ports/pool-history";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const POINTS_MAX = 100;
const STEP_MINUTES = [1, 2, 5, 15, 30, 60, 120];

const HOURS_USUAL = 24;

export async function historyView(
  store: Pick<PoolHistoryStore, "read">,
  hours = HOURS_USUAL,
  now: Millis = Date.now(),
): Promise<PoolHistory> {
  const stepMs = stepFor(hours);
  const from = Math.ceil((now - hours * HOUR_MS) / stepMs) * stepMs;
  const steps = (await store.read({ from, to: now, stepMs })).filter(({ seconds }) => seconds > 0);
  return {
    from: iso(from),
    to: iso(now),
    stepSeconds: stepMs / 1_000,
    wait: waitView(steps.reduce<number[]>((sum, { waits }) => addSpread(sum, waits), [])),
    points: steps.map(pointOf),
  };
}

function stepFor(hours: number): Millis {
  const minutes = STEP_MINUTES.find((each) => (hours * 60) / each <= POINTS_MAX) ?? STEP_MINUTES.at(-1) ?? 1;
  return minutes * MINUTE_MS;
}

function pointOf({ at, seconds, seatSeconds, capSeconds, waitingSeconds, waits, ...counts }: HistoryStep) {
  const [running, max, waiting] = [seatSeconds, capSeconds, waitingSeconds].map((sum) => hundredths(sum / seconds));
  return { at: iso(at), running: running ?? 0, max: max ?? 0, waiting: waiting ?? 0, wait: waitView(waits), ...counts };
}

function waitView(spread: readonly number[]) {
  const [p50, p95] = [waitOf(spread, 0.5), waitOf(spread, 0.95)];
  return p50 === null || p95 === null ? null : { p50: hundredths(p50), p95: hundredths(p95) };
}

function addSpread(one: readonly number[], other: readonly number[]): number[] {
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return long.map((count, range) => count + (short[range] ?? 0));
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
