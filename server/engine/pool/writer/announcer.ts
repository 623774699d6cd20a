/**
 * What the world may know of the pool: the last picture and who wants to hear of the next (P13). Only told after the commit
 * that makes it true (P11); a listener that throws hurts nobody else.
 */
import { type Forecast, NOTHING_FORESEEN } from "../../../core/pool/forecast";
import { stateFrom } from "../../../core/pool/load";
import type { PoolChange, PoolSnapshot } from "../../../core/pool/picture";
import type { Caps } from "../../../core/pool/rows";
import { pictureOf } from "../../../core/pool/snapshot";
import type { PoolState } from "../../../core/pool/state";
import { reasonOf } from "../../../core/text/reason";
import type { Clock } from "../../../ports/clock";

export class PoolAnnouncer {
  snapshot: PoolSnapshot;
  /** What the snapshot is a picture of. */
  state: PoolState;
  /** Goes into every picture until there is a newer one. */
  foreseen = NOTHING_FORESEEN;
  readonly #log: { error(message: string): void };
  readonly #listeners = new Set<(change: PoolChange) => void>();
  #version = 0;

  constructor(firstCaps: Caps, clock: Clock, log: { error(message: string): void }) {
    this.#log = log;
    this.state = stateFrom({ caps: firstCaps, users: [], live: [] }, false);
    this.snapshot = pictureOf(this.state, 0, 0, clock.now());
  }

  get caps(): Caps {
    return this.state.caps;
  }

  /** Rises for as long as this process lives, whatever the epoch. */
  nextVersion(): number {
    this.#version += 1;
    return this.#version;
  }

  /** What `nextVersion` will answer. */
  get comingVersion(): number {
    return this.#version + 1;
  }

  /** The picture that is read from now on; who listens hears of it once the replies are out. */
  hold(snapshot: PoolSnapshot, state: PoolState): void {
    this.#version = Math.max(this.#version, snapshot.version);
    this.snapshot = snapshot;
    this.state = state;
  }

  /** Another picture of the same version, in which only the estimates differ (P15): nothing was decided. */
  foresee(foreseen: Forecast): void {
    const { epoch, version, at } = this.snapshot;
    this.foreseen = foreseen;
    const snapshot = pictureOf(this.state, epoch, version, at, foreseen);
    this.publish({ snapshot, touched: new Set(), ended: [], moved: [] }, this.state);
  }

  publish(change: PoolChange, state: PoolState): void {
    this.hold(change.snapshot, state);
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#log.error(`somebody who listens to the pool failed: ${reasonOf(error)}`);
      }
    }
  }

  /** Resolves with the first picture of a pool that gives grants; `isOurs`: it is this server that gives them. */
  ready(isOurs: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const unsubscribe = this.subscribe(({ snapshot }) => {
        if (!snapshot.isReady || !isOurs()) return;
        unsubscribe();
        resolve();
      });
    });
  }

  subscribe(listener: (change: PoolChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
