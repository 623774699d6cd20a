/**
 * What a server that is not the writer asks of it (P19): the wish is written down, so it is granted whatever happens, also by the
 * next writer; its answer is waited for, but not long.
 */
import { randomUUID } from "node:crypto";
import type { PoolLink, Wish, WishAnswer } from "../../../ports/pool-link";
import { PoolRefused } from "../../pool";
import { PATIENCE_MS, unavailable, within } from "../writer/letter";

/** How long a caller waits for the writer's answer. */
export const ANSWER_WITHIN_MS = 1_000;

export class PoolAsker {
  readonly #link: PoolLink;
  readonly #asked = new Map<string, (answer: WishAnswer) => void>();

  constructor(link: PoolLink) {
    this.#link = link;
  }

  /** Resolves with the answer; null: it is written down and not answered yet. */
  async ask(wish: Wish, answerWithinMs = ANSWER_WITHIN_MS): Promise<unknown> {
    const id = randomUUID();
    const answered = new Promise<WishAnswer>((resolve) => this.#asked.set(id, resolve));
    let timer: NodeJS.Timeout | undefined;
    try {
      const asking = this.#link.ask({ id, wish }).catch((error) => {
        throw unavailable(error);
      });
      await within(asking, PATIENCE_MS);
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), answerWithinMs);
      });
      const answer = await Promise.race([answered, late]);
      if (answer?.kind === "refused") throw new PoolRefused(answer.message);
      return answer?.answer ?? null;
    } finally {
      clearTimeout(timer);
      this.#asked.delete(id);
    }
  }

  /** What has been answered so far; handed over by `deliver` once the picture is as new as the answers. */
  async collect(): Promise<ReadonlyMap<string, WishAnswer>> {
    return this.#asked.size === 0 ? new Map() : this.#link.answers([...this.#asked.keys()]);
  }

  deliver(answers: ReadonlyMap<string, WishAnswer>): void {
    for (const [id, answer] of answers) this.#asked.get(id)?.(answer);
  }
}
