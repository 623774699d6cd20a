/** Counts crashes in a sliding window: some are survived, too many in a short time mean that going on is no use (P18). */
export class CrashCount {
  readonly #most: number;
  readonly #windowMs: number;
  #at: number[] = [];

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Notes a crash at this monotonic time; true when it was one too many. */
  add(now: number): boolean {
    this.#at = [...this.#at.filter((at) => at >= now - this.#windowMs), now];
    return this.#at.length > this.#most;
  }
}
