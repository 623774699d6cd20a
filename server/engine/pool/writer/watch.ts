/**
 * Watches the waiter of every attempt that holds a slot (P8, P10): whatever way its promise ends, the attempt does not keep
 * its slot after it. Remembers an attempt until its release is written, so that none is ever attended twice.
 */
import type { LiveSession } from "../../../core/pool/picture";
import { type Ended, NOTHING_LEFT } from "../../../core/session/lifecycle";
import { reasonOf } from "../../../core/text/reason";
import type { AttemptRef } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { Waiter } from "../../pool";

const NOT_STARTED = { kind: "could-not-start", detail: "The server met an error while starting it." } as const;
const NOT_WATCHED = { kind: "runner-lost", detail: "The server met an error while watching it." } as const;

export interface WatchOptions {
  readonly waiter: Waiter;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
  /** The attempt as the pool holds it now; null when it does not. */
  readonly held: (run: AttemptRef) => LiveSession | null;
  /** Resolves when the ending is written, or when the attempt was not held any more. */
  readonly settle: (run: AttemptRef, ended: Ended) => Promise<void>;
}

export class PoolWatch {
  readonly #options: WatchOptions;
  readonly #watched = new Map<string, AttemptRef>();
  #isOver = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#watched.size;
  }

  isWatched(run: AttemptRef): boolean {
    return this.#watched.has(keyOf(run));
  }

  attend(session: LiveSession, entry: "granted" | "adopted"): void {
    const run = { sessionId: session.id, attempt: session.attempt };
    if (this.#isOver || this.isWatched(run)) return;
    this.#watched.set(keyOf(run), run);
    void this.#follow(run, session, entry);
  }

  /** In a later turn, so that it never overtakes the `attend` it belongs to. */
  stop(run: AttemptRef): void {
    setImmediate(() => {
      try {
        this.#options.waiter.stop(run);
      } catch (error) {
        this.#options.log.warn(`session ${run.sessionId}: could not be told to stop: ${reasonOf(error)}`);
      }
    });
  }

  declareLost(run: AttemptRef): void {
    this.#options.waiter.declareLost(run);
  }

  /** Attempts that are watched although the rows say that they are held no longer are told to stop. */
  stopStrangers(): void {
    for (const run of this.#watched.values()) if (!this.#options.held(run)) this.stop(run);
  }

  /** Another server watches them from now on; what their waiters still do is nothing to us. */
  async handOver(): Promise<void> {
    this.#watched.clear();
    await this.#options.waiter.letGo();
  }

  /** From now on a waiter that ends has only been told to let go; its session goes on without us (R5). */
  letGo(): void {
    this.#isOver = true;
  }

  async #follow(run: AttemptRef, session: LiveSession, entry: "granted" | "adopted"): Promise<void> {
    const reason = await this.#attended(session, entry);
    if (this.#isOver || this.#watched.get(keyOf(run)) !== run) return;
    const held = this.#options.held(run);
    if (held) {
      this.#options.log.warn(`session ${run.sessionId}: its watcher ended while it held a slot: ${reason}`);
      await this.#options.settle(run, this.#endingOf(held)).catch(() => undefined);
    }
    if (this.#watched.get(keyOf(run)) === run) this.#watched.delete(keyOf(run));
  }

  /** Begins in a later turn: whatever a waiter does first, it does not do it inside the commit's turn (P20). */
  async #attended(session: LiveSession, entry: "granted" | "adopted"): Promise<string> {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await this.#options.waiter.attend(session, entry);
      return "it did not say how the session ended";
    } catch (error) {
      return reasonOf(error);
    }
  }

  #endingOf(held: LiveSession): Ended {
    const failure = held.phase === "starting" ? NOT_STARTED : NOT_WATCHED;
    return { ...NOTHING_LEFT, status: "failed", failure, endedAt: this.#options.clock.now() };
  }
}

function keyOf(run: AttemptRef): string {
  return `${run.sessionId}/${run.attempt}`;
}
