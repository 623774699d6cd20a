/** Something that is looked after again and again by whichever server drives what runs, beside everything else. */

/** While no server drives yet, it is asked again after this many ms. */
const NOT_YET_MS = 1_000;

export interface Beat {
  /** A look under way is let go: what it leaves, the next server finds. */
  stop(): void;
}

/** Begins at once. `look` never rejects, and says after how many ms it wants to look again. */
export function startBeat(pool: { mayDrive(): boolean }, look: (isStopped: () => boolean) => Promise<number>): Beat {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const beat = async () => {
    const waitMs = pool.mayDrive() ? await look(() => isStopped) : NOT_YET_MS;
    if (isStopped) return;
    timer = setTimeout(() => void beat(), waitMs);
    timer.unref();
  };
  void beat();

  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
