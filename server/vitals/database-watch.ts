/**
 * Notices that the database does not answer, so that open pages do not stand still in silence (B13). One question at a time:
 * a question that hangs holds one connection and no more. A single cut connection is no news.
 */

/** Between two looks, ms. */
const LOOK_EVERY_MS = 1_000;
/** An answer that takes longer counts as none, ms. */
const ANSWER_MS = 2_000;
/** Looks in a row without an answer that make it news. */
const MISSES_MAX = 2;

export interface DatabaseWatchParts {
  readonly pingDatabase: () => Promise<unknown>;
  /** Wall clock, ms. */
  readonly now: () => number;
  /** The last moment at which it answered, ms; null: it answers again. Told once per change. */
  readonly told: (answeredAt: number | null) => void;
}

/** Looks at once, then on a beat, until it is stopped. */
export function watchDatabase({ pingDatabase, now, told }: DatabaseWatchParts): { stop(): void } {
  let answeredAt = now();
  let misses = 0;
  let isStopped = false;
  let asked: Promise<boolean> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    asked ??= pingDatabase()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = null;
      });
    const hasAnswered = await within(asked, ANSWER_MS);
    if (isStopped) return;
    if (hasAnswered) {
      answeredAt = now();
      if (misses >= MISSES_MAX) told(null);
      misses = 0;
    } else {
      misses += 1;
      if (misses === MISSES_MAX) told(answeredAt);
    }
    timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    timer.unref();
  };
  void look();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** False when it takes longer. */
async function within(answer: Promise<boolean>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const first = await Promise.race([answer, late]);
  clearTimeout(timer);
  return first;
}
