/** The pool's history in memory, for tests: `pool-history.suite.ts` keeps it equal to the real one. */
import type { HistoryMinute, HistoryStep, PoolHistoryStore } from "../ports/pool-history";

export function memoryPoolHistory(): PoolHistoryStore {
  const minutes = new Map<string, HistoryMinute>();
  return {
    async keep(written) {
      for (const minute of written) minutes.set(`${minute.at} ${minute.source}`, structuredClone(minute));
    },
    async read({ from, to, stepMs }) {
      const steps = new Map<number, HistoryStep>();
      for (const { source: _, ...minute } of minutes.values()) {
        if (minute.at < from || minute.at >= to) continue;
        const at = Math.floor(minute.at / stepMs) * stepMs;
        const before = steps.get(at);
        steps.set(at, before === undefined ? { ...minute, at } : sumOf(before, minute));
      }
      return [...steps.values()].sort((one, other) => one.at - other.at);
    },
    async forget(before) {
      for (const [key, { at }] of minutes) if (at < before) minutes.delete(key);
    },
  };
}

function sumOf(one: HistoryStep, other: HistoryStep): HistoryStep {
  const ranges = Math.max(one.waits.length, other.waits.length);
  return {
    at: one.at,
    seconds: one.seconds + other.seconds,
    seatSeconds: one.seatSeconds + other.seatSeconds,
    capSeconds: one.capSeconds + other.capSeconds,
    waitingSeconds: one.waitingSeconds + other.waitingSeconds,
    grants: one.grants + other.grants,
    ended: one.ended + other.ended,
    failed: one.failed + other.failed,
    commits: one.commits + other.commits,
    waits: Array.from({ length: ranges }, (_, range) => (one.waits[range] ?? 0) + (other.waits[range] ?? 0)),
  };
}
