/** A limit per person and minute that no honest use reaches (P1). Counts in whole minutes; remembers this minute only. */
import type { UserId } from "../../core/words";
import type { Clock } from "../../ports/clock";

const MINUTE_MS = 60_000;

export interface Rate {
  /** False: over the limit, nothing is counted. */
  admits(userId: UserId): boolean;
}

export function createRate(clock: Pick<Clock, "monotonic">, perMinute: number): Rate {
  let minute = 0;
  let counts = new Map<UserId, number>();
  return {
    admits(userId) {
      const now = Math.floor(clock.monotonic() / MINUTE_MS);
      if (now !== minute) {
        minute = now;
        counts = new Map();
      }
      const count = (counts.get(userId) ?? 0) + 1;
      if (count > perMinute) return false;
      counts.set(userId, count);
      return true;
    },
  };
}
