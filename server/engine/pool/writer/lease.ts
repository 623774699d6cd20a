/**
 * Who is the writer (P19). Taken with a new epoch each time, renewed on a connection of its own, trusted locally until a
 * second before it could expire, counted on the monotonic clock from before the question was sent. The database's check
 * inside every commit is what really fences; the local trust only keeps an old writer from answering.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Epoch } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { LeaseStore, LeaseTaken } from "../../../ports/pool-store";

export const LEASE_TTL_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
const RETRY_MS = 1_000;
const TRUST_MARGIN_MS = 1_000;

export interface LeaseOptions {
  readonly store: LeaseStore;
  readonly holder: string;
  /** Whether a holder's process is certainly over; then its lease need not be waited for. */
  readonly isProvablyDead: (holder: string) => boolean;
  readonly clock: Clock;
}

export class Lease {
  readonly #options: LeaseOptions;
  /** Told once for each epoch that turned out not to be ours any more. */
  onLost: () => void = () => {};
  #epoch: Epoch | null = null;
  #trustedUntil = 0;
  #wake: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get isTrusted(): boolean {
    return this.#epoch !== null && this.#options.clock.monotonic() < this.#trustedUntil;
  }

  /** Tries until it is ours; throws when the signal comes first. `waits` is told once, when somebody else holds it. */
  async await(signal: AbortSignal, waits: () => void): Promise<Epoch> {
    for (let tries = 0; ; tries += 1) {
      const taken = await this.take();
      if (taken.kind === "taken") return taken.epoch;
      if (tries === 0) waits();
      await this.#rest(signal);
    }
  }

  /** It may be free now: the next try is made at once. */
  wake(): void {
    this.#wake?.();
  }

  /** One try. Every success is a new epoch. */
  async take(): Promise<LeaseTaken> {
    const { store, holder, isProvablyDead } = this.#options;
    this.#forget();
    let sentAt = this.#options.clock.monotonic();
    let taken = await store.take(holder, LEASE_TTL_MS, null);
    if (taken.kind === "held" && isProvablyDead(taken.holder)) {
      sentAt = this.#options.clock.monotonic();
      taken = await store.take(holder, LEASE_TTL_MS, taken.holder);
    }
    if (taken.kind === "taken") {
      this.#epoch = taken.epoch;
      this.#trust(sentAt);
      this.#renewIn(RENEW_EVERY_MS, taken.epoch);
    }
    return taken;
  }

  /** So that the next server takes over at once (R5). Harmless when it is not ours. */
  async giveUp(): Promise<void> {
    const epoch = this.#epoch;
    this.#forget();
    if (epoch !== null) await this.#options.store.giveUp(this.#options.holder, epoch);
  }

  async #rest(signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const over = new AbortController();
    const late = sleep(RETRY_MS, undefined, { signal: AbortSignal.any([signal, over.signal]) });
    try {
      await Promise.race([late, woken]);
    } finally {
      this.#wake = null;
      over.abort();
      late.catch(() => undefined);
    }
  }

  #forget(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#epoch = null;
  }

  #trust(sentAt: number): void {
    this.#trustedUntil = sentAt + LEASE_TTL_MS - TRUST_MARGIN_MS;
  }

  #renewIn(ms: number, epoch: Epoch): void {
    this.#timer = setTimeout(() => void this.#renew(epoch), ms);
    this.#timer.unref();
  }

  async #renew(epoch: Epoch): Promise<void> {
    const { store, holder, clock } = this.#options;
    const sentAt = clock.monotonic();
    const isOurs = await store.renew(holder, epoch, LEASE_TTL_MS).catch(() => null);
    if (this.#epoch !== epoch) return;
    if (isOurs === true) this.#trust(sentAt);
    if (isOurs === false) {
      this.#forget();
      this.onLost();
    } else this.#renewIn(isOurs ? RENEW_EVERY_MS : RETRY_MS, epoch);
  }
}
