/**
 * The pool's figures as people may see them (P22): numbers and nothing else. Grants of the last minute are taken from what the
 * counter said when the pool last changed; nothing runs while nobody asks and nothing changes.
 */
import type { PoolHealth } from "../contract/pool";
import type { Pool, Vitals } from "../engine/pool";

export type WatchedPool = Pick<Pool, "snapshot" | "subscribe"> & { vitals(): Vitals };

const WINDOW_MS = 60_000;
/** Between two notes of the counter, ms; a busy pool changes far more often. */
const NOTE_EVERY_MS = 1_000;

/** Subscribes for as long as the pool lives. */
export function createPoolHealth(pool: WatchedPool, monotonic: () => number = () => performance.now()) {
  const notes = [{ at: monotonic(), grants: pool.vitals().grants }];

  /** The first note stays the newest of those that are older than the window. */
  function forget(now: number): void {
    while (notes[1] !== undefined && notes[1].at <= now - WINDOW_MS) notes.shift();
  }

  pool.subscribe(() => {
    const now = monotonic();
    const last = notes.at(-1);
    if (last !== undefined && now - last.at < NOTE_EVERY_MS) return;
    notes.push({ at: now, grants: pool.vitals().grants });
    forget(now);
  });

  return function health(): PoolHealth {
    const vitals = pool.vitals();
    const { epoch, version, isReady } = pool.snapshot();
    forget(monotonic());
    const { commits, grants, idleSlotSeconds, crashes, rebuilds, staleMessages } = vitals;
    return {
      epoch,
      version,
      isReady,
      isWriter: vitals.state === "writing",
      mailbox: { depth: vitals.mailboxDepth, oldestMs: vitals.oldestLetterMs },
      commits: {
        count: commits,
        lastSize: vitals.lastBatchSize,
        largestSize: vitals.largestBatchSize,
        lastMs: vitals.lastCommitMs,
        meanMs: commits === 0 ? null : vitals.commitMsTotal / commits,
      },
      grants: {
        count: grants,
        lastMinute: grants - (notes[0]?.grants ?? 0),
        meanWaitMs: grants === 0 ? null : vitals.waitMsTotal / grants,
      },
      idleSlotSeconds,
      crashes,
      rebuilds,
      staleMessages,
    };
  };
}
