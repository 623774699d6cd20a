/**
 * The writer's life, term after term (P18, P19): lease → rows → boot pass → batches, until something throws; then what memory
 * holds is dropped and the next term begins from rows. Letters that must not be lost stay in the mailbox throughout. Too many
 * crashes in a short time end the process, for its parent to start it afresh.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolSnapshot } from "../../../core/pool/picture";
import { isRunning } from "../../../core/pool/state";
import { reasonOf } from "../../../core/text/reason";
import type { Clock } from "../../../ports/clock";
import type { PoolStore } from "../../../ports/pool-store";
import type { Caps, WriterState } from "../../pool";
import type { Counters } from "../beside/counters";
import type { Log } from "../pool-options";
import type { PoolAside } from "../servers/aside";
import type { PoolFollower } from "../servers/follower";
import type { PoolRole } from "../servers/role";
import type { PoolScout } from "../servers/scout";
import type { PoolTeller } from "../servers/teller";
import type { PoolAnnouncer } from "./announcer";
import type { PoolBoot } from "./boot";
import type { Lease } from "./lease";
import { failImpatient, restarting } from "./letter";
import type { Letter, Mailbox } from "./mailbox";
import type { PoolSupervision } from "./supervision";
import { LeaseLost, LoopCrashed, OutcomeUnknown, RebuildAsked } from "./troubles";
import type { PoolWatch } from "./watch";
import { PoolWriter } from "./writer";

const RETRY_FIRST_MS = 50;
const RETRY_MOST_MS = 1_000;
/** After so many vain tries to read back what one commit touched, everything is read. */
const RECOVER_TRIES = 20;
/** How long an ordinary stop waits for what is still to be written (R5). */
const DRAIN_MS = 2_000;

export interface LifeParts {
  readonly store: PoolStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailbox: Mailbox;
  readonly lease: Lease;
  readonly watch: PoolWatch;
  readonly boot: PoolBoot;
  readonly aside: PoolAside;
  readonly scout: PoolScout;
  readonly teller: PoolTeller;
  readonly follower: PoolFollower;
  readonly role: PoolRole;
  readonly announcer: PoolAnnouncer;
  readonly counters: Counters;
  readonly firstCaps: Caps;
  readonly supervision: PoolSupervision;
  readonly isDiskShort: () => boolean;
  readonly isLeaving: () => boolean;
  /** Grants may begin: the boot pass is over. */
  readonly open: () => void;
}

export class PoolLife {
  readonly #parts: LifeParts;
  readonly #leaving = new AbortController();
  #rebuilds: ((snapshot: PoolSnapshot) => void)[] = [];
  #writer: PoolWriter | null = null;
  #state: WriterState = "waiting-for-lease";
  #isCrashWanted = false;
  #batchUnderWay: Promise<void> = Promise.resolve();
  #life: Promise<void> = Promise.resolve();

  constructor(parts: LifeParts) {
    this.#parts = parts;
    parts.lease.onLost = () => parts.mailbox.poke();
  }

  get state(): WriterState {
    return this.#state;
  }

  /** Null while nobody here may decide. */
  get writer(): PoolWriter | null {
    return this.#writer;
  }

  start(): void {
    this.#life = this.#live();
  }

  rebuild(): Promise<PoolSnapshot> {
    return new Promise((resolve) => {
      this.#rebuilds.push(resolve);
      this.#parts.mailbox.poke();
    });
  }

  crashAtNextBatch(): void {
    this.#isCrashWanted = true;
    this.#parts.mailbox.poke();
  }

  /** Resolves when the batch that is under way is over, however it ends. */
  batchOver(): Promise<void> {
    return this.#batchUnderWay.catch(() => undefined);
  }

  async stop(): Promise<void> {
    const { mailbox, watch, scout, follower, lease, log } = this.#parts;
    this.#leaving.abort();
    scout.stop();
    follower.end();
    watch.letGo();
    mailbox.poke();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([this.#life, late]);
    this.#state = "stopped";
    mailbox.failAll(restarting(), () => true);
    const kept = (error: unknown) => log.warn(`the lease was not given up: ${reasonOf(error)}`);
    await Promise.race([lease.giveUp(), late]).catch(kept);
    clearTimeout(timer);
  }

  async #live(): Promise<void> {
    const { supervision, scout } = this.#parts;
    let pauseMs = RETRY_FIRST_MS;
    while (!this.#leaving.signal.aborted) {
      try {
        await this.#term();
      } catch (error) {
        const wasWriting = this.#writer !== null;
        this.#writer = null;
        scout.stop();
        this.#state = "waiting-for-lease";
        if (this.#leaving.signal.aborted || !supervision.mayGoOn(error)) return;
        pauseMs = wasWriting ? RETRY_FIRST_MS : Math.min(pauseMs * 2, RETRY_MOST_MS);
        if (!(error instanceof RebuildAsked)) await this.#pause(pauseMs);
      }
    }
  }

  /** One term, from the lease to whatever ends it. */
  async #term(): Promise<void> {
    const { store, mailbox, firstCaps, boot, aside, scout, announcer, counters, role } = this.#parts;
    const epoch = await role.becomeWriter(this.#leaving.signal, () => {
      this.#state = "following";
    });
    this.#state = "loading";
    await store.ensureSettings(firstCaps);
    const rows = await store.load();
    const isAllKnown = rows.live.filter(isRunning).every((row) => !boot.isStranger(row));
    const writer = new PoolWriter(this.#writerParts(), epoch, rows, isAllKnown);
    this.#writer = writer;
    this.#state = "booting";
    await aside.takenInBy(writer);
    scout.watch(writer);
    this.#resume(writer);
    if (this.#rebuilds.length > 0) counters.rebuilds += 1;
    for (const resolve of this.#rebuilds.splice(0)) resolve(announcer.snapshot);
    mailbox.poke();
    while (!this.#leaving.signal.aborted || mailbox.depth > 0) {
      await mailbox.due();
      if (this.#rebuilds.length > 0) throw new RebuildAsked();
      if (!this.#parts.lease.isTrusted) throw new LeaseLost("the lease could not be renewed");
      this.#batchUnderWay = this.#batch(writer);
      await this.#batchUnderWay;
    }
  }

  async #batch(writer: PoolWriter): Promise<void> {
    const { mailbox, log } = this.#parts;
    const letters = mailbox.take();
    try {
      if (this.#isCrashWanted) {
        this.#isCrashWanted = false;
        throw new Error("a test asked the pool's loop to crash");
      }
      await writer.run(letters);
    } catch (error) {
      const unsettled = letters.filter((letter) => !letter.isSettled);
      const isOutside = error instanceof OutcomeUnknown || error instanceof LeaseLost;
      mailbox.putBack(unsettled.filter((letter) => isOutside || letter.isPatient));
      if (error instanceof LeaseLost) throw error;
      if (!(error instanceof OutcomeUnknown)) {
        failImpatient(unsettled);
        throw new LoopCrashed(reasonOf(error), { cause: error });
      }
      log.warn(`the outcome of a commit is unknown, rows are read back: ${reasonOf(error.cause)}`);
      await this.#recover(writer, error);
    }
  }

  /** A new epoch first: what is still on its way under the old one is waited for or fenced. Then rows are the truth. */
  async #recover(writer: PoolWriter, unknown: OutcomeUnknown): Promise<void> {
    const { store, mailbox, lease, boot } = this.#parts;
    this.#state = "recovering";
    let pauseMs = RETRY_FIRST_MS;
    for (let tries = 1; ; tries += 1) {
      if (this.#leaving.signal.aborted) throw unknown;
      try {
        const taken = await lease.take();
        if (taken.kind === "held") throw new LeaseLost("another server has become the writer");
        boot.begins(taken.epoch);
        const { rows, userIds } = await store.loadUsers([...unknown.userIds], unknown.taskIds);
        writer.reload(taken.epoch, userIds, rows);
        this.#resume(writer);
        mailbox.poke();
        return;
      } catch (error) {
        if (error instanceof LeaseLost || tries >= RECOVER_TRIES) throw error;
        await this.#pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, RETRY_MOST_MS);
      }
    }
  }

  #resume(writer: PoolWriter): void {
    const { boot, open } = this.#parts;
    const lookedAt = boot.resume(writer);
    this.#state = writer.state.isOpen ? "writing" : "booting";
    if (writer.state.isOpen) return;
    void lookedAt.then(() => {
      if (this.#writer === writer) open();
    });
  }

  #writerParts() {
    const { store, clock, counters, announcer, mailbox, watch, teller, isDiskShort, isLeaving } = this.#parts;
    return {
      store,
      isDiskShort,
      isLeaving,
      teller,
      clock,
      counters,
      announcer,
      watch,
      putBack: (letters: readonly Letter[]) => mailbox.putBack(letters),
      opened: () => {
        this.#state = "writing";
      },
    };
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#leaving.signal }).catch(() => undefined);
  }
}
