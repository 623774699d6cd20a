/**
 * What ends a run from outside its agent: a stop order, SIGTERM to the host, the longest run, a disk that takes no more. The
 * first one counts; it stays what it was when others follow.
 */
import { join } from "node:path";
import type { Ending } from "../../ports/runner";
import { watchOrders } from "./orders";
import { createRunClock, tickFor } from "./run-clock";
import { ORDERS_FOLDER, readRunFile, STOP_ORDER_FILE } from "./run-folder";

type Interrupt = Extract<Ending["cause"], "stopped" | "timed-out" | "disk-full" | "no-answer">;

export interface Interrupts {
  /** Resolves with the first one; never, when there is none. */
  readonly first: Promise<Interrupt>;
  /** The first one so far. */
  readonly current: Interrupt | null;
  raise(interrupt: Interrupt): void;
  close(): void;
}

export async function listenForInterrupts(folder: string, longestRunMs: number): Promise<Interrupts> {
  let current: Interrupt | null = null;
  let resolveFirst: (interrupt: Interrupt) => void = () => {};
  const first = new Promise<Interrupt>((resolve) => {
    resolveFirst = resolve;
  });
  const raise = (interrupt: Interrupt) => {
    current ??= interrupt;
    resolveFirst(current);
  };
  const look = () => lookForStop(folder, raise);
  const stops = [watchOrders(folder, look), tickRunClock(longestRunMs, () => raise("timed-out"))];
  // Ctrl-C in the server's terminal and a closed terminal are not meant for us; a polite end is.
  process.on("SIGHUP", () => {});
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => raise("stopped"));
  await look();
  return {
    first,
    get current() {
      return current;
    },
    raise,
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** That the file is there is the order; what stands in it only says why. */
async function lookForStop(folder: string, raise: (interrupt: Interrupt) => void): Promise<void> {
  const reading = await readRunFile(join(folder, ORDERS_FOLDER, STOP_ORDER_FILE)).catch(() => null);
  if (reading === null || reading.kind === "absent") return;
  raise(reading.kind === "read" && reading.fields.because === "no-answer" ? "no-answer" : "stopped");
}

function tickRunClock(limitMs: number, over: () => void): () => void {
  const tickMs = tickFor(limitMs);
  const clock = createRunClock(performance.now(), limitMs, tickMs);
  const timer = setInterval(() => {
    if (clock.tick(performance.now())) over();
  }, tickMs);
  return () => clearInterval(timer);
}
