/**
 * An agent whose turn is over and that goes on by itself once what it started in the background has come to its end. It keeps
 * its seat meanwhile, but not for ever: a server that was left running never ends.
 */
import { createRunClock, tickFor } from "../run-clock";

/**
 * So long it may tell nothing of what runs, ms: longer than the 10 minutes that Claude Code lets a command of its own
 * have in the foreground.
 */
const QUIET_WITHIN_MS = 15 * 60_000;
/** What it waited for is over: by then it has begun to go on, ms, on a busy machine too. */
const GOES_ON_WITHIN_MS = 30_000;

export interface Background {
  readonly isWaiting: boolean;
  /** The turn is over, and this still runs; empty: the next turn is about to begin. Again: its time begins anew. */
  wait(running: readonly string[]): void;
  /** A turn has begun, or nothing is waited for any more. */
  end(): void;
}

/**
 * `waits` hears of everything that is waited for anew; `tooLong`, once, that nothing was told for too long, with what still
 * runs. It still waits then: whoever hears it ends that.
 */
export function createBackground(
  waits: (running: readonly string[]) => void,
  tooLong: (running: readonly string[]) => void,
  quietWithinMs = QUIET_WITHIN_MS,
): Background {
  let running: readonly string[] = [];
  let timer: NodeJS.Timeout | null = null;

  const stop = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const start = () => {
    stop();
    const limitMs = running.length > 0 ? quietWithinMs : Math.min(quietWithinMs, GOES_ON_WITHIN_MS);
    const tickMs = tickFor(limitMs);
    // Time that the machine slept is nobody's silence.
    const clock = createRunClock(performance.now(), limitMs, tickMs);
    const own = setInterval(() => {
      if (!clock.tick(performance.now())) return;
      clearInterval(own);
      tooLong(running);
    }, tickMs);
    timer = own;
  };

  return {
    get isWaiting() {
      return timer !== null;
    },
    wait(now) {
      const isNew = timer === null || now.join("\n") !== running.join("\n");
      running = now;
      if (isNew && now.length > 0) waits(now);
      start();
    },
    end: stop,
  };
}
