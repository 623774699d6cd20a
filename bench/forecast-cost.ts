/** What forecasts cost, for `bench/forecast.ts`. */
import { Durations, ENDINGS_MAX, type SlotTime } from "../server/core/pool/durations";
import { forecasting } from "../server/core/pool/forecast";
import type { StartsIn } from "../server/core/pool/picture";
import type { PoolState } from "../server/core/pool/state";
import type { SessionId } from "../server/core/words";

/** Processor time (ms) of forecasts, the engine's helpers included; nothing else has a turn within one step. */
export interface Work {
  readonly forecasts: number;
  readonly meanMs: number;
  /** 99 of 100 steps take no longer. */
  readonly stepP99Ms: number;
  readonly longestStepMs: number;
}

/** Makes forecasts step by step, as the server does, and looks at its watch at each. */
export class Stopwatch {
  #forecasts = 0;
  readonly #stepsMs: number[] = [];

  foresee(state: PoolState, at: number, endings: readonly SlotTime[]): ReadonlyMap<SessionId, StartsIn> {
    const steps = forecasting(state, at, new Durations(endings.slice(-ENDINGS_MAX), at), 1);
    for (;;) {
      const before = process.cpuUsage();
      const step = steps.next();
      const { user, system } = process.cpuUsage(before);
      this.#stepsMs.push((user + system) / 1_000);
      if (!step.done) continue;
      this.#forecasts += 1;
      return step.value;
    }
  }

  work(): Work {
    const inOrder = this.#stepsMs.toSorted((a, b) => a - b);
    const meanMs = inOrder.reduce((sum, ms) => sum + ms, 0) / Math.max(1, this.#forecasts);
    const stepP99Ms = inOrder[Math.floor(inOrder.length * 0.99)] ?? 0;
    return { forecasts: this.#forecasts, meanMs, stepP99Ms, longestStepMs: inOrder.at(-1) ?? 0 };
  }
}

/** For the terminal. */
export function inRound({ forecasts, meanMs, stepP99Ms, longestStepMs }: Work) {
  const [mean, p99, longest] = [meanMs, stepP99Ms, longestStepMs].map((ms) => ms.toFixed(1));
  return { forecasts, "mean ms": mean, "step p99 ms": p99, "longest step ms": longest };
}
