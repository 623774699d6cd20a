/**
 * The other half of "rows and runners agree" (R3): every running row is attended by the supervisor; here every runner that no
 * running row holds is found and stopped. Its folder stays until retention removes it (R14).
 * Order not to break: runners are listed before the rows are read, because a row runs before its runner exists.
 */
import { mustBeStopped } from "../../core/session/recovery";
import { reasonOf } from "../../core/text/reason";
import type { AttemptRef } from "../../core/words";
import type { Runner } from "../../ports/runner";
import type { SessionRecord } from "../../ports/session-record";
import { type Sweeps, startSweeps } from "./sweeps";

/** How often this machine's runners are compared with the rows. */
const SWEEP_EVERY_MS = 10_000;

export interface ReconcilerParts {
  readonly runner: Pick<Runner, "list" | "probe" | "giveUp" | "endTree">;
  readonly record: Pick<SessionRecord, "runningAttempts">;
  readonly log: { warn(line: string): void };
  readonly sweepEveryMs?: number;
}

/** A round answers how many runners without a row were stopped. Rows out of reach: none, next time. */
export type Reconciler = Sweeps<number>;

/** Begins to beat at once. To be started after the pool has read its rows. */
export function startReconciler(parts: ReconcilerParts): Reconciler {
  const { runner, record, log } = parts;
  /** Runs that are over for good: they are not looked at again. Holds no more than there are run folders. */
  let settled = new Set<string>();

  const isStray = async (run: AttemptRef) => {
    const seen = await runner.probe(run);
    if (!mustBeStopped(seen)) {
      if (seen.kind !== "unknown") settled.add(nameOf(run));
      return false;
    }
    log.warn(`session ${run.sessionId}, attempt ${run.attempt}: runs here but holds no slot; it is stopped`);
    await runner.giveUp(run);
    await runner.endTree(run);
    return true;
  };

  const sweepOnce = async () => {
    const runs = await runner.list();
    const held = new Set((await record.runningAttempts()).map(nameOf));
    settled = new Set(runs.map(nameOf).filter((name) => settled.has(name)));
    let stopped = 0;
    for (const run of runs) {
      const name = nameOf(run);
      if (!held.has(name) && !settled.has(name) && (await isStray(run))) stopped += 1;
    }
    return stopped;
  };

  return startSweeps(
    () =>
      sweepOnce().catch((error: unknown) => {
        log.warn(`runners and rows could not be compared: ${reasonOf(error)}`);
        return 0;
      }),
    parts.sweepEveryMs ?? SWEEP_EVERY_MS,
  );
}

function nameOf({ sessionId, attempt }: AttemptRef): string {
  return `${sessionId}.${attempt}`;
}
