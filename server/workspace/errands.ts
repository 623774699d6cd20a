/**
 * What waits for another machine on behalf of a call: cloning, looking at a new address, pushing. Whoever asked may give it
 * up, and a server that leaves ends all of it, so that no git outlives the server and nothing half made stays (R5).
 */
import { WorkspaceProblem } from "./git/git-problem";

const GIVEN_UP = "This was given up before it was done.";
const LEAVING = "The server is restarting, so this was given up. Try again in a moment.";

export class Errands {
  private readonly leaving = new AbortController();
  private readonly underWay = new Set<Promise<unknown>>();

  /** `work` gets a signal whose reason is a sentence for people. `givenUp`: by who asked. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, givenUp?: AbortSignal): Promise<T> {
    const over = new AbortController();
    const unheard = [
      whenAborted(this.leaving.signal, () => over.abort(new WorkspaceProblem(LEAVING))),
      whenAborted(givenUp, () => over.abort(new WorkspaceProblem(GIVEN_UP))),
    ];
    const working = work(over.signal);
    this.underWay.add(working);
    try {
      return await working;
    } finally {
      this.underWay.delete(working);
      for (const stop of unheard) stop();
    }
  }

  /** Resolves when all of it has ended and tidied up after itself; what is begun later ends at once. */
  async end(): Promise<void> {
    this.leaving.abort();
    await Promise.allSettled(this.underWay);
  }
}

/** The answer stops listening. */
function whenAborted(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  signal?.addEventListener("abort", act, { once: true });
  return () => signal?.removeEventListener("abort", act);
}
