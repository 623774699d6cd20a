/**
 * Ends what lives without a right: sessions whose task, project, membership or account has ended (S6). Whoever takes the
 * right away ends them at once; this finds what a crash in between left, so that no agent runs that nobody can see.
 */
import { reasonOf } from "../../core/text/reason";
import type { SessionStore } from "../../ports/session-store";
import { cancelAll } from "../desk/ending-sessions";
import type { Pool } from "../pool";

const SWEEP_EVERY_MS = 60_000;
/** A pool that is starting is asked again after this many ms. */
const NOT_READY_MS = 1_000;
/** Sessions ended in one sweep; the rest waits for the next one. */
const PAGE = 500;

export interface RightSweepParts {
  readonly sessions: Pick<SessionStore, "withoutRight">;
  readonly pool: Pick<Pool, "snapshot" | "cancel">;
  readonly log: { warn(line: string): void };
}

export interface RightSweep {
  /** One look, now; null while the pool is starting. Never rejects: what fails is tried in the next one. */
  sweep(): Promise<number | null>;
  stop(): void;
}

/** Begins as soon as the pool is ready. */
export function startRightSweep({ sessions, pool, log }: RightSweepParts): RightSweep {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const sweep = async () => {
    if (!pool.snapshot().isReady) return null;
    try {
      const found = await sessions.withoutRight(PAGE);
      // Nobody is left to be named: they end as if their own person had asked.
      for (const session of found) await cancelAll(pool, [session], session.userId);
      if (found.length > 0) log.warn(`ended ${found.length} sessions whose right to run had ended before`);
      return found.length;
    } catch (error) {
      log.warn(`sessions without a right could not be looked for: ${reasonOf(error)}`);
      return 0;
    }
  };
  const beat = async () => {
    const ended = await sweep();
    if (isStopped) return;
    timer = setTimeout(() => void beat(), ended === null ? NOT_READY_MS : SWEEP_EVERY_MS);
    timer.unref();
  };
  void beat();

  return {
    sweep,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
