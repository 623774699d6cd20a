/**
 * One order on its way to the writer, and the promise of its answer. A caller is not kept waiting for a database that does not
 * answer; but as long as the writer is writing, waiting is only load and nobody is refused for it (P1).
 */
import type { AnswerTo, Order, OrderKind } from "../../../core/pool/events";
import { CommitRefused } from "../../../ports/pool-store";
import { PoolRefused, PoolUnavailable } from "../../pool";
import type { Letter } from "./mailbox";

/** How long a caller waits when nothing flows. */
export const PATIENCE_MS = 1_500;
const LONGEST_WAIT_MS = 15_000;

export class PendingLetter implements Letter {
  readonly order: Order;
  readonly arrivedAt: number;
  readonly isLazy: boolean;
  readonly isPatient: boolean;
  readonly wishId: string | null;
  readonly settled: Promise<AnswerTo<OrderKind>>;
  readonly answer: (answer: AnswerTo<OrderKind>) => void;
  readonly fail: (error: Error) => void;
  tries = 0;
  isSettled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(order: Order, arrivedAt: number, how: { isPatient?: boolean; isLazy?: boolean; wishId?: string }) {
    this.order = order;
    this.arrivedAt = arrivedAt;
    this.isLazy = how.isLazy ?? false;
    this.isPatient = how.isPatient ?? false;
    this.wishId = how.wishId ?? null;
    let resolve: (answer: AnswerTo<OrderKind>) => void = () => {};
    let reject: (error: Error) => void = () => {};
    this.settled = new Promise((yes, no) => {
      resolve = yes;
      reject = no;
    });
    this.answer = (answer) => {
      this.#settle();
      resolve(answer);
    };
    this.fail = (error) => {
      this.#settle();
      reject(error instanceof CommitRefused ? refusal(error) : error);
    };
  }

  /** Calls `giveUp` once the writer cannot commit any more, or after a time in which nobody still waits for an answer. */
  watchOver(now: () => number, isFlowing: () => boolean, giveUp: () => void): void {
    this.#timer = setTimeout(() => {
      if (isFlowing() && now() - this.arrivedAt < LONGEST_WAIT_MS) this.watchOver(now, isFlowing, giveUp);
      else giveUp();
    }, PATIENCE_MS);
  }

  #settle(): void {
    this.isSettled = true;
    clearTimeout(this.#timer);
  }
}

export function refusal(error: CommitRefused): Error {
  if (error.isPassing) return new PoolUnavailable("Somebody else is changing the same row. Try again.");
  return new PoolRefused(error.message, { cause: error });
}

export function restarting(): PoolUnavailable {
  return new PoolUnavailable("The server is restarting. Try again in a moment.");
}

export function unavailable(cause: unknown): PoolUnavailable {
  return Object.assign(new PoolUnavailable("The database does not answer. Try again in a moment."), { cause });
}

export async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error("no answer in time"))), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whoever can ask again is told to; what must be written waits for the next term. */
export function failImpatient(letters: readonly Letter[]): void {
  const again = new PoolUnavailable("The pool is being rebuilt. Try again in a moment.");
  for (const letter of letters) if (!letter.isPatient) letter.fail(again);
}
