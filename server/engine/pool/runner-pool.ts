/**
 * The pool (P21): the verbs everybody else sees. Each verb is a letter to the writer and resolves after the commit that made
 * its answer true (P11). Reads come from the last snapshot and cost no turn of the writer. The writer's terms, their crashes
 * and rebuilds are in `pool-life.ts`; deciding is in `core/pool`.
 */
import { randomUUID } from "node:crypto";
import { withoutDetails } from "../../core/pool/coming-back";
import type { AnswerTo, Order, OrderKind, RequeueAnswer } from "../../core/pool/events";
import type { LiveSession, PoolChange, PoolSnapshot } from "../../core/pool/picture";
import type { Ended } from "../../core/session/lifecycle";
import { reasonOf } from "../../core/text/reason";
import type { AttemptRef, Millis, SessionId, UserId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import { CommitRefused } from "../../ports/pool-store";
import { isProvablyDead, selfAsHolder } from "../../system/holder";
import {
  type CancelAnswer,
  type Caps,
  type Enqueued,
  type Hold,
  type NewSession,
  PoolRefused,
  type Progress,
  type ReorderAnswer,
  type Vitals,
} from "../pool";
import { Lease } from "./lease";
import { Mailbox } from "./mailbox";
import { PoolAnnouncer } from "./pool-announcer";
import { PoolAside } from "./pool-aside";
import { PoolBoot } from "./pool-boot";
import { Counters } from "./pool-counters";
import { PoolForecast } from "./pool-forecast";
import { PATIENCE_MS, PendingLetter, refusal, restarting, unavailable, within } from "./pool-letter";
import { PoolLife } from "./pool-life";
import type { Log, PoolOptions, RunningPool } from "./pool-options";
import { PoolScout } from "./pool-scout";
import { PoolSupervision } from "./pool-supervision";
import { PoolWatch } from "./pool-watch";

/** A million rows are read in less; whoever waits longer is told that there is no writer. */
const REBUILD_MS = 30_000;

export function createPool(options: PoolOptions): RunningPool {
  const pool = new RunnerPool(options);
  return options.testHooks ? Object.assign(pool, { crashNext: () => pool.crashAtNextBatch() }) : pool;
}

class RunnerPool implements RunningPool {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #mailbox = new Mailbox();
  readonly #counters = new Counters();
  readonly #announcer: PoolAnnouncer;
  readonly #watch: PoolWatch;
  readonly #aside: PoolAside;
  readonly #life: PoolLife;
  readonly #forecast: PoolForecast;
  readonly #ready: Promise<void>;
  #stopped: Promise<void> | null = null;
  #isDiskShort = false;
  #isLeaving = false;

  constructor(options: PoolOptions) {
    const { store, clock, log, waiter, firstCaps, onFatal } = options;
    this.#clock = clock;
    this.#log = log;
    const announcer = new PoolAnnouncer(firstCaps, clock, log);
    const release = (run: AttemptRef, ended: Ended) => this.release(run, ended).catch(() => undefined);
    const watch = new PoolWatch({ waiter, clock, log, held: (run) => this.#held(run), settle: release });
    const boot = new PoolBoot({
      ...{ watch, clock, log, release },
      probe: options.probe ?? (async () => ({ kind: "adopt" })),
      requeue: (run) => this.requeue(run).catch(() => undefined),
    });
    const aside = new PoolAside(store);
    const scout = new PoolScout({ store, clock, takeIn: (row) => this.#tell({ kind: "take-in", row }) });
    const lease = new Lease({
      ...{ store: options.lease, clock },
      holder: options.holder ?? selfAsHolder(),
      isProvablyDead: options.isProvablyDead ?? isProvablyDead,
    });
    this.#announcer = announcer;
    this.#watch = watch;
    this.#aside = aside;
    const [mailbox, counters] = [this.#mailbox, this.#counters];
    this.#life = new PoolLife({
      ...{ store, clock, log, mailbox, lease, watch, boot, aside, scout, announcer, counters, firstCaps },
      supervision: new PoolSupervision({ clock, log, counters, onFatal }),
      open: () => this.#tell({ kind: "open" }),
      isDiskShort: () => this.#isDiskShort,
      isLeaving: () => this.#isLeaving,
    });
    this.#forecast = new PoolForecast({ store, clock, log, announcer });
    this.#ready = announcer.ready();
  }

  start(): void {
    this.#life.start();
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  stopGranting(): Promise<void> {
    this.#isLeaving = true;
    return this.#life.batchOver();
  }

  stop(): Promise<void> {
    this.#forecast.stop();
    this.#stopped ??= this.#life.stop();
    return this.#stopped;
  }

  vitals(): Vitals {
    const oldestAt = this.#mailbox.oldestAt;
    return {
      ...this.#counters,
      state: this.#life.state,
      epoch: this.snapshot().epoch,
      mailboxDepth: this.#mailbox.depth,
      oldestLetterMs: oldestAt === null ? 0 : this.#clock.monotonic() - oldestAt,
      watchedSessions: this.#watch.size,
    };
  }

  setDiskShort(isShort: boolean): void {
    if (isShort === this.#isDiskShort) return;
    this.#isDiskShort = isShort;
    this.#mailbox.poke();
  }

  crashAtNextBatch(): void {
    this.#life.crashAtNextBatch();
  }

  snapshot(): PoolSnapshot {
    return this.#announcer.snapshot;
  }

  caps(): Caps {
    return this.#announcer.caps;
  }

  subscribe(listener: (change: PoolChange) => void): () => void {
    return this.#announcer.subscribe(listener);
  }

  rebuild(): Promise<PoolSnapshot> {
    return within(this.#life.rebuild(), REBUILD_MS);
  }

  async enqueue(session: NewSession): Promise<Enqueued> {
    const at = this.#clock.now();
    if (this.#life.writer === null && this.#life.state !== "stopped") return this.#insertAside(session, at);
    const answer = await this.#ask({ kind: "enqueue", sessionId: session.id ?? randomUUID(), session, at });
    const snapshot = this.snapshot();
    const position = snapshot.session(answer.sessionId)?.position ?? null;
    return { ...answer, position, version: snapshot.version };
  }

  cancel(sessionId: SessionId, by: UserId): Promise<CancelAnswer> {
    return this.#ask({ kind: "cancel", sessionId, by, at: this.#clock.now() });
  }

  reorder(sessionId: SessionId, by: UserId, before: SessionId | null): Promise<ReorderAnswer> {
    return this.#ask({ kind: "reorder", sessionId, by, before });
  }

  setCaps(change: Partial<Caps>): Promise<Caps> {
    return this.#ask({ kind: "set-caps", change });
  }

  async setUserCap(userId: UserId, max: number | null): Promise<void> {
    await this.#ask({ kind: "set-user-cap", userId, max });
  }

  async hold(sessionId: SessionId, hold: Hold | null): Promise<void> {
    await this.#ask({ kind: "hold", sessionId, hold });
  }

  async progress(run: AttemptRef, progress: Progress): Promise<void> {
    const isLazy = progress.phase === undefined;
    await this.#ask({ kind: "progress", run, progress }, { isPatient: true, isLazy }).catch((error) => {
      this.#log.warn(`session ${run.sessionId}: its progress could not be stored: ${reasonOf(error)}`);
    });
  }

  async release(run: AttemptRef, ended: Ended): Promise<void> {
    try {
      await this.#ask({ kind: "release", run, ended }, { isPatient: true });
    } catch (error) {
      if (!(error instanceof PoolRefused)) throw error;
      // The slot must come back whatever the database thinks of the details.
      this.#log.error(`session ${run.sessionId}: its ending is stored without details: ${reasonOf(error)}`);
      await this.#ask({ kind: "release", run, ended: withoutDetails(ended) }, { isPatient: true });
    }
  }

  requeue(run: AttemptRef): Promise<RequeueAnswer> {
    return this.#ask({ kind: "requeue", run, at: this.#clock.now() }, { isPatient: true });
  }

  async handBack(run: AttemptRef): Promise<void> {
    this.#isLeaving = true;
    await this.#ask({ kind: "hand-back", run, at: this.#clock.now() }, { isPatient: true });
  }

  /** No writer yet: the row waits in the database, whoever becomes the writer finds it (P1, P12). */
  async #insertAside(session: NewSession, at: Millis): Promise<Enqueued> {
    const inserting = this.#aside.insert(session, at).catch((error) => {
      throw error instanceof CommitRefused ? refusal(error) : unavailable(error);
    });
    const inserted = await within(inserting, PATIENCE_MS);
    return { ...inserted, version: this.snapshot().version + 1 };
  }

  /** For orders of the pool to itself: nobody waits for the answer. */
  #tell(order: Order): void {
    const failed = (error: unknown) => this.#log.warn(`${order.kind} came to nothing: ${reasonOf(error)}`);
    this.#ask(order, { isPatient: true }).catch(failed);
  }

  #held(run: AttemptRef): LiveSession | null {
    const session = this.snapshot().session(run.sessionId);
    return session?.status === "running" && session.attempt === run.attempt ? session : null;
  }

  async #ask<K extends OrderKind>(
    order: Extract<Order, { kind: K }>,
    how: { isPatient?: boolean; isLazy?: boolean } = {},
  ): Promise<AnswerTo<K>> {
    if (this.#life.state === "stopped") throw restarting();
    const letter = new PendingLetter(order, this.#clock.monotonic(), how);
    if (!letter.isPatient) {
      letter.watchOver(
        () => this.#clock.monotonic(),
        () => this.#life.state === "writing" || this.#life.state === "booting",
        () => {
          this.#mailbox.withdraw(letter);
          letter.fail(unavailable(null));
        },
      );
    }
    this.#mailbox.post(letter);
    return (await letter.settled) as AnswerTo<K>;
  }
}
