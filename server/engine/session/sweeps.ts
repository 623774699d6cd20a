/** Work that is done at once and then on a beat, one round at a time; somebody who asks for a round joins the one under way. */

/** How long an ordinary stop waits for a round under way, milliseconds; what it leaves, the next server does (R5). */
const STOP_WITHIN_MS = 500;

export interface Sweeps<T> {
  /** One round. */
  sweep(): Promise<T>;
  /** Ends the beat, and waits for a round under way, but not long. */
  stop(): Promise<void>;
}

/** `once` must not reject. Begins at once. */
export function startSweeps<T>(once: () => Promise<T>, everyMs: number): Sweeps<T> {
  let sweeping: Promise<T> | null = null;
  const sweep = () => {
    sweeping ??= once().finally(() => {
      sweeping = null;
    });
    return sweeping;
  };
  const beat = setInterval(() => void sweep(), everyMs);
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
