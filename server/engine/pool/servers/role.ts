/**
 * Writer or follower (P19): what changes hands when this server becomes the one or the other. Order not to break: what runs is let
 * go of before anything else is done as a follower, and nothing is taken back before all hands are off it.
 */
import type { Epoch } from "../../../core/words";
import type { Counters } from "../beside/counters";
import type { Log } from "../pool-options";
import type { PoolBoot } from "../writer/boot";
import type { Lease } from "../writer/lease";
import type { Mailbox } from "../writer/mailbox";
import { WriterElsewhere } from "../writer/troubles";
import type { PoolWatch } from "../writer/watch";
import type { PoolEars } from "./ears";
import type { PoolFollower } from "./follower";
import type { PoolTeller } from "./teller";

export interface RoleParts {
  readonly lease: Lease;
  readonly mailbox: Mailbox;
  readonly boot: PoolBoot;
  readonly watch: PoolWatch;
  readonly follower: PoolFollower;
  readonly teller: PoolTeller;
  readonly ears: PoolEars;
  readonly counters: Counters;
  readonly log: Log;
}

export class PoolRole {
  readonly #parts: RoleParts;
  /** Nobody else has been the writer since this server was. */
  #isStillOurs = false;

  constructor(parts: RoleParts) {
    this.#parts = parts;
  }

  /** Waits until this server is the writer; until then it follows, which `follows` is told. */
  async becomeWriter(signal: AbortSignal, follows: () => void): Promise<Epoch> {
    const { log, lease, boot, follower, teller, counters } = this.#parts;
    let handedOver = Promise.resolve();
    const epoch = await lease.await(signal, () => {
      follows();
      handedOver = this.#stepAside();
    });
    follower.end();
    await handedOver;
    if (!this.#isStillOurs) {
      counters.takeovers += 1;
      log.info("this server is the pool's writer from now on");
    }
    this.#isStillOurs = true;
    boot.begins(epoch);
    teller.begin();
    return epoch;
  }

  /** What runs is the writer's to watch, what people want is its to grant. */
  async #stepAside(): Promise<void> {
    const { log, mailbox, boot, watch, follower, ears } = this.#parts;
    log.info("another server is the pool's writer; this one follows it");
    this.#isStillOurs = false;
    const handedOver = watch.handOver();
    mailbox.failAll(new WriterElsewhere(), () => true);
    boot.forget();
    follower.begin();
    // Where others follow already, there is a picture at once.
    ears.wake();
    await handedOver;
  }
}
