/**
 * Who is the writer (P19). Taken with a new epoch each time, renewed on a connection of its own, trusted locally until a
 * second before it could expire, counted on the monotonic clock from before the question was sent. The database's check
 * inside every commit is what really fences; the local trust only keeps an old writer from answering.
 */
import type { Epoch } from "../core/words";
import type { Clock } from "../ports/clock";
import type { LeaseStore, LeaseTaken } from "../ports/pool-store";

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
  #epoch: Epoch | null = null;
  #trustedUntil = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get isTrusted(): boolean {
    return this.#epoch !== null && this.#options.clock.monotonic() < this.#trustedUntil;
  }

  /** One try. Every success is a new epoch; `lost` is called at most once for it. */
  async take(lost: () => void): Promise<LeaseTaken> {
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
      this.#renewIn(RENEW_EVERY_MS, taken.epoch, lost);
    }
    return taken;
  }

  /** So that the next server takes over at once (R5). Harmless when it is not ours. */
  async giveUp(): Promise<void> {
    const epoch = this.#epoch;
    this.#forget();
    if (epoch !== null) await this.#options.store.giveUp(this.#options.holder, epoch);
  }

  #forget(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#epoch = null;
  }

  #trust(sentAt: number): void {
    this.#trustedUntil = sentAt + LEASE_TTL_MS - TRUST_MARGIN_MS;
  }

  #renewIn(ms: number, epoch: Epoch, lost: () => void): void {
    this.#timer = setTimeout(() => void this.#renew(epoch, lost), ms);
    this.#timer.unref();
  }

  async #renew(epoch: Epoch, lost: () => void): Promise<void> {
    const { store, holder, clock } = this.#options;
    const sentAt = clock.monotonic();
    const isOurs = await store.renew(holder, epoch, LEASE_TTL_MS).catch(() => null);
    if (this.#epoch !== epoch) return;
    if (isOurs === true) this.#trust(sentAt);
    if (isOurs === false) {
      this.#forget();
      lost();
    } else this.#renewIn(isOurs ? RENEW_EVERY_MS : RETRY_MS, epoch, lost);
  }
}
