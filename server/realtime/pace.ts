/**
 * "The first change at once, then at most one every so often, later ones joined" (L2), for work that may take time: never two
 * runs at once, and a change told while one runs makes another one.
 */
export interface Pace {
  /** Something changed. */
  told(): void;
  stop(): void;
}

export function createPace(everyMs: number, work: () => void | Promise<void>): Pace {
  let isDue = false;
  let isResting = false;
  let timer: NodeJS.Timeout | null = null;

  async function run(): Promise<void> {
    isDue = false;
    isResting = true;
    try {
      await work();
    } finally {
      timer = setTimeout(() => {
        isResting = false;
        if (isDue) void run();
      }, everyMs);
    }
  }

  return {
    told() {
      isDue = true;
      if (!isResting) void run();
    },
    stop() {
      isDue = false;
      isResting = true;
      if (timer) clearTimeout(timer);
    },
  };
}
