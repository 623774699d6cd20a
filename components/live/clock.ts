/**
 * What time it is at the server. Every time the server tells is a lower bound of "now" there, so the largest difference to
 * our own steady clock is the best guess: late messages and old snapshots cannot push it back, and no clock runs backwards.
 */
import { createContext, useContext, useSyncExternalStore } from "react";

/** How often clocks on the screen move. */
const TICK_MS = 1_000;

let ahead: number | null = null;
let tick = 0;
let timer: ReturnType<typeof setInterval> | null = null;
const listeners = new Set<() => void>();

/** Told by whoever hears a time from the server. */
export function heardServerTime(millis: number): void {
  if (!Number.isFinite(millis)) return;
  const difference = millis - performance.now();
  if (ahead === null || difference > ahead) ahead = difference;
}

export function serverNow(): number {
  return ahead === null ? Date.now() : performance.now() + ahead;
}

/** For tests only: forget what was heard. */
export function forgetServerTime(): void {
  ahead = null;
  tick = 0;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    // What was read last may be from long ago: nobody looked meanwhile.
    tick = 0;
    timer = setInterval(() => {
      tick = 0;
      for (const each of listeners) each();
    }, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** The same value for every reader until the next tick, so that one picture has one "now". */
function current(): number {
  if (tick === 0) tick = serverNow();
  return tick;
}

/** When the page was made: what clocks show on the server's own render and until the browser has taken over. */
export const PageMoment = createContext<number>(0);

/** The server's time, moving once a second. */
export function useServerNow(): number {
  const moment = useContext(PageMoment);
  return useSyncExternalStore(subscribe, current, () => moment);
}
