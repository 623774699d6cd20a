/**
 * Slows down guessing (S1): counts failed logins per client and address, and per client alone. Attempts under way count
 * as failed until they have answered, so guessing side by side gains nothing. Right passwords cost nothing. Memory is
 * bounded; a restart forgets, which only ever helps people.
 */

/** How long a failure counts, ms. */
const WINDOW_MS = 60_000;
/** Failures per client and address within the window. */
const PER_ADDRESS_MAX = 10;
/** Failures per client within the window. */
const PER_CLIENT_MAX = 100;
/** Keys remembered at most; beyond, the oldest are forgotten. */
const KEYS_MAX = 20_000;

interface Count {
  failures: number;
  underWay: number;
  since: number;
}

type Attempt =
  | { readonly kind: "allowed"; settle(failed: boolean): void }
  | { readonly kind: "refused"; readonly retryAfterSeconds: number };

export interface Throttle {
  begin(client: string, address: string): Attempt;
}

export function createThrottle(monotonic: () => number): Throttle {
  const counts = new Map<string, Count>();

  function countOf(key: string): Count {
    const now = monotonic();
    const known = counts.get(key);
    if (known && (now - known.since < WINDOW_MS || known.underWay > 0)) return known;
    const fresh = { failures: 0, underWay: 0, since: now };
    counts.delete(key);
    counts.set(key, fresh);
    if (counts.size > KEYS_MAX) {
      const oldest = counts.keys().next();
      if (!oldest.done) counts.delete(oldest.value);
    }
    return fresh;
  }

  return {
    begin(client, address) {
      const limits = [
        { count: countOf(JSON.stringify([client, address])), max: PER_ADDRESS_MAX },
        { count: countOf(JSON.stringify([client])), max: PER_CLIENT_MAX },
      ];
      const full = limits.find(({ count, max }) => count.failures + count.underWay >= max);
      if (full) {
        const leftMs = full.count.since + WINDOW_MS - monotonic();
        return { kind: "refused", retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) };
      }
      for (const { count } of limits) count.underWay += 1;
      return {
        kind: "allowed",
        settle(failed) {
          for (const { count } of limits) {
            count.underWay -= 1;
            if (failed) count.failures += 1;
          }
        },
      };
    },
  };
}
