/**
 * The history that an agent tells once more when it loads a conversation. The protocol says: before it answers. Gemini CLI goes
 * on with it after its answer, and nothing says where it ends. So the prompt waits until no more of it comes: what is told
 * from then on is this session's.
 */

/** Nothing came for so long: the history is told, ms. */
const QUIET_MS = 500;
/** An agent that never falls silent is prompted all the same, ms. */
const TOLD_WITHIN_MS = 20_000;

export interface Replay {
  /** The agent has said something. */
  heard(): void;
  /** The conversation is loaded: calls once its history is told. */
  whenOver(then: () => void): void;
}

export function createReplay(quietMs = QUIET_MS, toldWithinMs = TOLD_WITHIN_MS): Replay {
  let quiet: NodeJS.Timeout | null = null;

  return {
    heard() {
      quiet?.refresh();
    },
    whenOver(then) {
      const over = () => {
        if (quiet === null) return;
        clearTimeout(quiet);
        clearTimeout(late);
        quiet = null;
        then();
      };
      // Neither keeps the host from leaving when its agent is gone.
      quiet = setTimeout(over, quietMs).unref();
      const late = setTimeout(over, toldWithinMs).unref();
    },
  };
}
