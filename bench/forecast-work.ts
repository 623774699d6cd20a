/** Made-up work for `bench/forecast.ts`: who dispatches how much when, with which agent, and how long it takes. */
import type { UserId } from "../server/core/words";

const PEOPLE = 40;
const DAYS = 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Work that is dispatched in each hour of a day, as a share of what 20 slots can do. */
const LOAD_BY_HOUR = [0.5, 1.1, 1.3, 0.9, 0.7, 1.2, 1.4, 1, 0.6, 0.3, 0.1, 0.1];
const BURST_MEAN = 4;
const LARGE_BURST = { share: 0.04, size: 25 };

/** Medians and spreads of the two kinds of tasks; `isLong` of an agent is how many of its tasks are of the second. */
const SHORT = { medianMs: 2 * MINUTE_MS, sigma: 0.7 };
const LONG = { medianMs: 18 * MINUTE_MS, sigma: 0.8 };
export const AGENTS = [
  { id: "quick", isLong: 0.15 },
  { id: "thorough", isLong: 0.6 },
];
/** Over in a moment: could not start, or failed at once. */
const AT_ONCE = { share: 0.05, ms: 10_000 };
/** Cancelled somewhere on the way. */
const CUT_SHORT_SHARE = 0.05;

/** Of some days, in the order of time; `slots`: what the load is measured by. */
export function* bursts(slots: number, chance: () => number): Generator<{ at: number; userId: UserId; size: number }> {
  const meanMs = AGENTS.reduce((sum, { isLong }) => sum + meanOf(isLong), 0) / AGENTS.length;
  const meanSize = BURST_MEAN * (1 - LARGE_BURST.share) + LARGE_BURST.size * LARGE_BURST.share;
  for (let hour = 0; hour < DAYS * LOAD_BY_HOUR.length; hour += 1) {
    const load = LOAD_BY_HOUR[hour % LOAD_BY_HOUR.length] ?? 0;
    const everyMs = (meanMs * meanSize) / (slots * load);
    for (let at = hour * HOUR_MS; ; ) {
      at += -Math.log(1 - chance()) * everyMs;
      if (at >= (hour + 1) * HOUR_MS) break;
      // Some people dispatch much more than others.
      const userId = `person ${Math.floor(PEOPLE * chance() ** 2)}`;
      const isLarge = chance() < LARGE_BURST.share;
      const size = isLarge ? LARGE_BURST.size : 1 + Math.floor(Math.log(1 - chance()) / Math.log(1 - 1 / BURST_MEAN));
      yield { at, userId, size };
    }
  }
}

/** How long one session takes, ms. */
export function timeOf(isLong: number, chance: () => number): number {
  if (chance() < AT_ONCE.share) return AT_ONCE.ms;
  const { medianMs, sigma } = chance() < isLong ? LONG : SHORT;
  // Box and Muller's way from two even chances to a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
  const ms = medianMs * Math.exp(sigma * normal);
  return chance() < CUT_SHORT_SHARE ? ms * chance() : ms;
}

function meanOf(isLong: number): number {
  const mean = ({ medianMs, sigma }: typeof SHORT) => medianMs * Math.exp(sigma ** 2 / 2);
  return (1 - AT_ONCE.share) * ((1 - isLong) * mean(SHORT) + isLong * mean(LONG));
}

/** Even chances from 0 to 1, the same for the same seed (mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
