/**
 * Whether the pool goes on after what ended a term (P18). A database that is away is waited for and a lost lease taken again;
 * a loop that keeps crashing ends the process, for its parent to start it afresh.
 */
import { reasonOf } from "../../../core/text/reason";
import type { Clock } from "../../../ports/clock";
import type { Counters } from "../beside/counters";
import type { Log } from "../pool-options";
import { LoopCrashed, RebuildAsked } from "./troubles";

const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 5_000;

export interface SupervisionParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly counters: Counters;
  readonly onFatal: (reason: string) => void;
}

export class PoolSupervision {
  readonly #parts: SupervisionParts;
  #crashedAt: number[] = [];

  constructor(parts: SupervisionParts) {
    this.#parts = parts;
  }

  mayGoOn(error: unknown): boolean {
    const { log, clock, counters, onFatal } = this.#parts;
    if (error instanceof RebuildAsked) return true;
    if (!(error instanceof LoopCrashed)) {
      log.warn(`the pool has no writer here: ${reasonOf(error)}`);
      return true;
    }
    counters.crashes += 1;
    log.error(`the pool's loop crashed and is rebuilt from rows: ${reasonOf(error)}`);
    const now = clock.monotonic();
    this.#crashedAt = [...this.#crashedAt.filter((at) => at >= now - CRASH_WINDOW_MS), now];
    if (this.#crashedAt.length <= MAX_CRASHES) return true;
    const often = `more than ${MAX_CRASHES} times within ${CRASH_WINDOW_MS / 1000} s`;
    onFatal(`the pool's loop crashed ${often}: ${reasonOf(error)}`);
    return false;
  }
}
