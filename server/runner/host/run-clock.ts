/**
 * How long a run has lasted, without the time the machine slept (R9). Adds up small ticks: a gap between two of them that is
 * much longer than a tick was not a tick, the machine (or this program) stood still, so it counts as one.
 */
export interface RunClock {
  /** Tells the clock the time, monotonic milliseconds; true once the limit is reached. */
  tick(now: number): boolean;
}

/** A gap up to this many ticks is a busy machine, a longer one a pause. */
const BUSY_TICKS = 5;

export function createRunClock(start: number, limitMs: number, tickMs: number): RunClock {
  let last = start;
  let lastedMs = 0;
  return {
    tick(now) {
      const gapMs = Math.max(0, now - last);
      last = now;
      lastedMs += gapMs > BUSY_TICKS * tickMs ? tickMs : gapMs;
      return lastedMs >= limitMs;
    },
  };
}

export function tickFor(limitMs: number): number {
  return Math.min(1_000, Math.max(20, limitMs / 10));
}
