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

/** How often this machine's runners are compared with the rows. */
const SWEEP_EVERY_MS = 10_000;
const STOP_WITHIN_MS = 500;

export interface ReconcilerParts {
  readonly runner: Pick<Runner, "list" | "probe" | "giveUp" | "endTree">;
  readonly record: Pick<SessionRecord, "runningAttempts">;
  readonly log: { warn(line: string): void };
  readonly sweepEveryMs?: number;
}

export interface Reconciler {
  /** One comparison: how many runners without a row were stopped. Rows out of reach: none, next time. */
  sweep(): Promise<number>;
  /** Ends the beat; a sweep under way is waited for, but not long: the next server sweeps again (R5). */
  stop(): Promise<void>;
}

/** Begins to beat at once. To be started after the pool has read its rows. */
export function startReconciler(parts: ReconcilerParts): Reconciler {
  const { runner, record, log } = parts;
  /** Runs that are over for good: they are not looked at again. Holds no more than there are run folders. */
  let settled = new Set<string>();
  let sweeping: Promise<number> | null = null;

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

  const sweep = () => {
    sweeping ??= sweepOnce()
      .catch((error: unknown) => {
        log.warn(`runners and rows could not be compared: ${reasonOf(error)}`);
        return 0;
      })
      .finally(() => {
        sweeping = null;
      });
    return sweeping;
  };

  const beat = setInterval(() => void sweep(), parts.sweepEveryMs ?? SWEEP_EVERY_MS);
  beat.unref();
  void sweep();

  return {
    sweep,
    async stop() {
      clearInterval(beat);
      await Promise.race([sweeping, new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())]);
    },
  };
}

function nameOf({ sessionId, attempt }: AttemptRef): string {
  return `${sessionId}.${attempt}`;
}
