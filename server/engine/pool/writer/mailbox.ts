/**
 * Collects what arrives for the pool's writer and hands over whole batches (P20). Nothing here waits for anything but
 * letters. A lazy letter does not wake the writer by itself until it is old enough; it travels with the next batch.
 */
import type { AnswerTo, Order, OrderKind } from "../../../core/pool/events";

export interface Letter {
  readonly order: Order;
  /** Monotonic time of arrival. */
  readonly arrivedAt: number;
  readonly isLazy: boolean;
  /** Kept until it is done, however long the database is away: what has ended must be written (R10). */
  readonly isPatient: boolean;
  /** The wish of another server that it grants (P19); null: it came from here. */
  readonly wishId: string | null;
  /** What was answered by a commit whose outcome stayed unknown. */
  tentative?: AnswerTo<OrderKind>;
  /** How many batches could not settle it. */
  tries: number;
  /** Answered or failed: nobody waits for it any more. */
  readonly isSettled: boolean;
  answer(answer: AnswerTo<OrderKind>): void;
  fail(error: Error): void;
}

export const MAX_BATCH = 1_000;
const LAZY_MS = 250;

export class Mailbox {
  #letters: Letter[] = [];
  #wake: (() => void) | null = null;
  #isDue = false;
  #lazyTimer: NodeJS.Timeout | null = null;

  get depth(): number {
    return this.#letters.length;
  }

  /** Arrival of the oldest letter, if there is one. */
  get oldestAt(): number | null {
    return this.#letters[0]?.arrivedAt ?? null;
  }

  post(letter: Letter): void {
    this.#letters.push(letter);
    if (letter.isLazy) this.#lazyTimer ??= setTimeout(() => this.poke(), LAZY_MS);
    else this.poke();
  }

  /** Back to the front, in the order given; those that are here already stay where they are. */
  putBack(letters: readonly Letter[]): void {
    if (letters.length === 0) return;
    this.#letters = [...letters.filter((letter) => !this.#letters.includes(letter)), ...this.#letters];
    this.poke();
  }

  /** Takes a letter out again. False: it is on its way, or done. */
  withdraw(letter: Letter): boolean {
    const index = this.#letters.indexOf(letter);
    if (index >= 0) this.#letters.splice(index, 1);
    return index >= 0;
  }

  take(): Letter[] {
    const batch = this.#letters.splice(0, MAX_BATCH);
    this.#isDue = this.#letters.length > 0;
    if (this.#lazyTimer) clearTimeout(this.#lazyTimer);
    this.#lazyTimer = null;
    return batch;
  }

  /** Wakes the writer although nothing may have arrived. */
  poke(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  /** Resolves when a batch is due. One waiter at a time. */
  async due(): Promise<void> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    // What is being posted in this turn of the event loop goes into the same commit.
    await new Promise((resolve) => setImmediate(resolve));
  }

  failAll(error: Error, which: (letter: Letter) => boolean): void {
    const failing = this.#letters.filter(which);
    this.#letters = this.#letters.filter((letter) => !which(letter));
    for (const letter of failing) letter.fail(error);
  }
}
