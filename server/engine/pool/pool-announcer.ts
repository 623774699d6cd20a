/**
 * What the world may know of the pool: the last picture and who wants to hear of the next (P13). Only told after the commit
 * that makes it true (P11); a listener that throws hurts nobody else.
 */
import { stateFrom } from "../../core/pool/load";
import type { PoolChange, PoolSnapshot } from "../../core/pool/picture";
import type { Caps } from "../../core/pool/rows";
import { pictureOf } from "../../core/pool/snapshot";
import type { Clock } from "../../ports/clock";

export class PoolAnnouncer {
  snapshot: PoolSnapshot;
  caps: Caps;
  readonly #log: { error(message: string): void };
  readonly #listeners = new Set<(change: PoolChange) => void>();
  #version = 0;

  constructor(firstCaps: Caps, clock: Clock, log: { error(message: string): void }) {
    this.#log = log;
    this.caps = firstCaps;
    this.snapshot = pictureOf(stateFrom({ caps: firstCaps, users: [], live: [] }, false), 0, 0, clock.now());
  }

  /** Rises for as long as this process lives, whatever the epoch. */
  nextVersion(): number {
    this.#version += 1;
    return this.#version;
  }

  /** The picture that is read from now on; who listens hears of it once the replies are out. */
  hold(snapshot: PoolSnapshot, caps: Caps): void {
    this.snapshot = snapshot;
    this.caps = caps;
  }

  publish(change: PoolChange, caps: Caps): void {
    this.hold(change.snapshot, caps);
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#log.error(`somebody who listens to the pool failed: ${error}`);
      }
    }
  }

  subscribe(listener: (change: PoolChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
