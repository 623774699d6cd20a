/**
 * Hears what servers say to each other about the pool (P19) and looks by itself once a second, because words may be lost. Reads
 * one after the other, answers before the picture: whoever gets an answer finds it in the picture.
 */
import type { PoolLink, PoolWord } from "../../../ports/pool-link";
import type { Lease } from "../writer/lease";
import type { PoolAsker } from "./asker";
import type { PoolFollower } from "./follower";
import type { PoolScout } from "./scout";

const LOOK_EVERY_MS = 1_000;

export interface EarsParts {
  readonly link: PoolLink;
  readonly lease: Lease;
  readonly scout: PoolScout;
  readonly asker: PoolAsker;
  readonly follower: PoolFollower;
}

export class PoolEars {
  readonly #parts: EarsParts;
  #isReading = false;
  #isDue = false;
  #stop: () => void = () => {};

  constructor(parts: EarsParts) {
    this.#parts = parts;
  }

  start(): void {
    const unhear = this.#parts.link.hear((word) => this.#heard(word));
    const timer = setInterval(() => this.#catchUp(), LOOK_EVERY_MS);
    timer.unref();
    this.#stop = () => {
      unhear();
      clearInterval(timer);
    };
  }

  stop(): void {
    this.#stop();
  }

  /** Looks now. */
  wake(): void {
    this.#catchUp();
  }

  #heard(word: PoolWord): void {
    if (word === "asked") this.#parts.scout.wake();
    else if (word === "resigned") this.#parts.lease.wake();
    else this.#catchUp();
  }

  #catchUp(): void {
    this.#isDue = true;
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    const { asker, follower } = this.#parts;
    this.#isReading = true;
    while (this.#isDue) {
      this.#isDue = false;
      try {
        const answers = await asker.collect();
        await follower.refresh();
        asker.deliver(answers);
      } catch {
        // The database is away; the next look makes up for this one.
      }
    }
    this.#isReading = false;
  }
}
