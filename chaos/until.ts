/** Waits for what is so, not for time to pass. */
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_EVERY_MS = 20;

/** Looks again and again; throws what it waited for when that takes longer than `ms`. */
export async function until(
  look: () => boolean | Promise<boolean>,
  what: string,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`Waited ${ms / 1_000} s in vain for ${what}.`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
