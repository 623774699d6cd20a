/**
 * The pool (P21): the verbs everybody else sees. Each verb is a letter to the writer and resolves after the commit that made
 * its answer true (P11). Reads come from the last snapshot and cost no turn of the writer. The writer's terms, their crashes
 * and rebuilds are in `writer/life.ts`; deciding is in `core/pool`.
 */
import { randomUUID } from "node:crypto";
import { withoutDetails } from "../../core/pool/coming-back";
import type { AnswerTo, Order, OrderKind, RequeueAnswer } from "../../core/pool/events";
import type { LiveSession, PoolChange, PoolSnapshot } from "../../core/pool/picture";
import type { Ended } from "../../core/session/lifecycle";
import { reasonOf } from "../../core/text/reason";
import type { AttemptRef, SessionId, UserId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { WishOrder } from "../../ports/pool-link";
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
  type WrittenDown,
} from "../pool";
import type { Log, PoolOptions, RunningPool } from "./pool-options";
import { makeParts, type PoolParts } from "./pool-parts";
import { enqueueAside } from "./servers/enqueue-aside";
import { PendingLetter, restarting, unavailable, within } from "./writer/letter";
import { WriterElsewhere } from "./writer/troubles";

/** A million rows are read in less; whoever waits longer is told that there is no writer. */
const REBUILD_MS = 30_000;
const WRITTEN_DOWN = { kind: "written-down" } as const;

export function createPool(options: PoolOptions): RunningPool {
  const pool = new RunnerPool(options);
  return options.testHooks ? Object.assign(pool, { crashNext: () => pool.crashAtNextBatch() }) : pool;
}

class RunnerPool implements RunningPool {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #parts: PoolParts;
  readonly #ready: Promise<void>;
  #stopped: Promise<void> | null = null;
  #isDiskShort = false;
  #isLeaving = false;

  constructor(options: PoolOptions) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#parts = makeParts(options, {
      held: (run) => this.#held(run),
      release: (run, ended) => this.release(run, ended),
      requeue: (run) => this.requeue(run),
      tell: (order) => this.#tell(order),
      decide: (order, wishId) => this.#post(order, { isPatient: true, wishId }),
      isDiskShort: () => this.#isDiskShort,
      isLeaving: () => this.#isLeaving,
    });
    const { announcer, life } = this.#parts;
    this.#ready = announcer.ready(() => life.state !== "following");
  }

  start(): void {
    this.#parts.ears.start();
    this.#parts.life.start();
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  stopGranting(): Promise<void> {
    this.#isLeaving = true;
    return this.#parts.life.batchOver();
  }

  stop(): Promise<void> {
    const { forecast, life, ears } = this.#parts;
    forecast.stop();
    this.#stopped ??= life.stop().finally(() => ears.stop());
    return this.#stopped;
  }

  mayDrive(): boolean {
    return this.#parts.lease.isTrusted;
  }

  vitals(): Vitals {
    const oldestAt = this.#parts.mailbox.oldestAt;
    return {
      ...this.#parts.counters,
      state: this.#parts.life.state,
      epoch: this.snapshot().epoch,
      mailboxDepth: this.#parts.mailbox.depth,
      oldestLetterMs: oldestAt === null ? 0 : this.#clock.monotonic() - oldestAt,
      watchedSessions: this.#parts.watch.size,
    };
  }

  setDiskShort(isShort: boolean): void {
    if (isShort === this.#isDiskShort) return;
    this.#isDiskShort = isShort;
    this.#parts.mailbox.poke();
  }

  crashAtNextBatch(): void {
    this.#parts.life.crashAtNextBatch();
  }

  snapshot(): PoolSnapshot {
    return this.#parts.announcer.snapshot;
  }

  caps(): Caps {
    return this.#parts.announcer.caps;
  }

  subscribe(listener: (change: PoolChange) => void): () => void {
    return this.#parts.announcer.subscribe(listener);
  }

  async rebuild(): Promise<PoolSnapshot> {
    if (this.#parts.life.state !== "following") return within(this.#parts.life.rebuild(), REBUILD_MS);
    await this.#parts.asker.ask({ kind: "rebuild" }, REBUILD_MS);
    return this.snapshot();
  }

  async enqueue(session: NewSession): Promise<Enqueued> {
    const at = this.#clock.now();
    const sessionId = session.id ?? randomUUID();
    const decide = async () => {
      const answer = await this.#post({ kind: "enqueue", sessionId, session, at });
      const snapshot = this.snapshot();
      const position = snapshot.position(answer.sessionId);
      return { ...answer, position, version: snapshot.version };
    };
    return this.#here(decide, () => enqueueAside(this.#parts, { ...session, id: sessionId }, at));
  }

  async cancel(sessionId: SessionId, by: UserId): Promise<CancelAnswer | WrittenDown> {
    return (await this.#ask({ kind: "cancel", sessionId, by, at: this.#clock.now() })) ?? WRITTEN_DOWN;
  }

  async reorder(sessionId: SessionId, by: UserId, before: SessionId | null): Promise<ReorderAnswer | WrittenDown> {
    return (await this.#ask({ kind: "reorder", sessionId, by, before })) ?? WRITTEN_DOWN;
  }

  async setCaps(change: Partial<Caps>): Promise<Caps> {
    return (await this.#ask({ kind: "set-caps", change })) ?? { ...this.caps(), ...change };
  }

  async setUserCap(userId: UserId, max: number | null): Promise<void> {
    await this.#ask({ kind: "set-user-cap", userId, max });
  }

  async hold(sessionId: SessionId, hold: Hold | null): Promise<void> {
    await this.#ask({ kind: "hold", sessionId, hold });
  }

  async declareLost(run: AttemptRef): Promise<void> {
    if (this.#parts.life.state === "following") await this.#parts.asker.ask({ kind: "declare-lost", ...run });
    else this.#parts.watch.declareLost(run);
  }

  async progress(run: AttemptRef, progress: Progress): Promise<void> {
    const isLazy = progress.phase === undefined;
    await this.#post({ kind: "progress", run, progress }, { isPatient: true, isLazy }).catch((error) => {
      this.#log.warn(`session ${run.sessionId}: its progress could not be stored: ${reasonOf(error)}`);
    });
  }

  async release(run: AttemptRef, ended: Ended): Promise<void> {
    try {
      await this.#post({ kind: "release", run, ended }, { isPatient: true });
    } catch (error) {
      if (!(error instanceof PoolRefused)) throw error;
      // The slot must come back whatever the database thinks of the details.
      this.#log.error(`session ${run.sessionId}: its ending is stored without details: ${reasonOf(error)}`);
      await this.#post({ kind: "release", run, ended: withoutDetails(ended) }, { isPatient: true });
    }
  }

  requeue(run: AttemptRef): Promise<RequeueAnswer> {
    return this.#post({ kind: "requeue", run, at: this.#clock.now() }, { isPatient: true });
  }

  async handBack(run: AttemptRef): Promise<void> {
    this.#isLeaving = true;
    await this.#post({ kind: "hand-back", run, at: this.#clock.now() }, { isPatient: true });
  }

  /** For orders of the pool to itself: nobody waits for the answer. */
  async #tell(order: Order): Promise<void> {
    const failed = (error: unknown) => this.#log.warn(`${order.kind} came to nothing: ${reasonOf(error)}`);
    await this.#post(order, { isPatient: true }).catch(failed);
  }

  #held(run: AttemptRef): LiveSession | null {
    const session = this.snapshot().session(run.sessionId);
    return session?.status === "running" && session.attempt === run.attempt ? session : null;
  }

  /** What people wish, of the writer wherever it is; null: written down for it. */
  #ask<K extends WishOrder["kind"]>(order: Extract<WishOrder, { kind: K }>): Promise<AnswerTo<K> | null> {
    return this.#here<AnswerTo<K> | null>(
      () => this.#post<K>(order),
      async () => (await this.#parts.asker.ask(order)) as AnswerTo<K> | null,
    );
  }

  /** By this server's writer, or beside it while there is none, also when that turns out on the way. */
  async #here<T>(decide: () => Promise<T>, beside: () => Promise<T>): Promise<T> {
    if (this.#parts.life.writer === null && this.#parts.life.state !== "stopped") return beside();
    try {
      return await decide();
    } catch (error) {
      if (error instanceof WriterElsewhere) return beside();
      throw error;
    }
  }

  async #post<K extends OrderKind>(
    order: Extract<Order, { kind: K }>,
    how: { isPatient?: boolean; isLazy?: boolean; wishId?: string } = {},
  ): Promise<AnswerTo<K>> {
    if (this.#parts.life.state === "stopped") throw restarting();
    // What was let go of has nothing to say here any more: whoever attends to it now says it to the writer.
    if (this.#parts.life.state === "following") throw new WriterElsewhere();
    const letter = new PendingLetter(order, this.#clock.monotonic(), how);
    if (!letter.isPatient) {
      letter.watchOver(
        () => this.#clock.monotonic(),
        () => this.#parts.life.state === "writing" || this.#parts.life.state === "booting",
        () => {
          this.#parts.mailbox.withdraw(letter);
          letter.fail(unavailable(null));
        },
      );
    }
    this.#parts.mailbox.post(letter);
    return (await letter.settled) as AnswerTo<K>;
  }
}
