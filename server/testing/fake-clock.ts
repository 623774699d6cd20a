/** A clock that stands still until a test moves it. */
import type { Clock } from "../ports/clock";

export interface FakeClock extends Clock {
  forward(ms: number): void;
}

export function fakeClock(startAt = Date.UTC(2026, 0, 1)): FakeClock {
  let elapsedMs = 0;
  return {
    now: () => startAt + elapsedMs,
    monotonic: () => elapsedMs,
    forward: (ms) => {
      elapsedMs += ms;
    },
  };
}
