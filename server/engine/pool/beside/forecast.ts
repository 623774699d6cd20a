/**
 * Keeps the estimates in the pool's picture fresh (P15): once a second for as long as somebody waits, for what runs grows older.
 * Who has come to wait in between gets a first one at once, the others keep theirs. Learns from every ending, beginning with those
 * in the rows. Works in short slices beside the writer, whose turns it never takes; its result is a picture of the same version.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Durations, ENDINGS_MAX, ENDINGS_MAX_AGE_MS, type SlotTime } from "../../../core/pool/durations";
import { type Forecast, forecasting } from "../../../core/pool/forecast";
import type { PoolChange } from "../../../core/pool/picture";
import type { Epoch, SessionId } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { PoolStore } from "../../../ports/pool-store";
import type { PoolAnnouncer } from "../writer/announcer";

/** An estimate that was told changes at most this often (L2). */
const EVERY_MS = 1_000;
/** So much longer than it took it rests: at most a tenth of one processor goes into estimates. */
const REST_PER_WORK = 10;
/** After so long everything else has its turn; one more step may follow, which is about a millisecond (P20). */
const SLICE_MS = 8;
/** The dice fall the same at every refresh, so that figures move only when something happens. */
const SEED = 1;

export interface ForecastParts {
  readonly store: Pick<PoolStore, "recentEndings">;
  readonly clock: Clock;
  readonly log: { warn(message: string): void };
  readonly announcer: PoolAnnouncer;
}

export class PoolForecast {
  readonly #parts: ForecastParts;
  readonly #unsubscribe: () => void;
  /** The newest last. */
  #endings = new Map<SessionId, SlotTime>();
  /** In which term the rows were read. */
  #readIn: Epoch = 0;
  #isUnderWay = false;
  /** Somebody was told that it does not work: not again every second. */
  #isTold = false;
  #isStopped = false;
  /** Somebody has come to wait since the last look at the lines. */
  #isSomebodyNew = false;
  /** When the estimates of all were made last, monotonic ms. */
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #isResting = false;
  #alarm: NodeJS.Timeout | null = null;

  constructor(parts: ForecastParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.announcer.subscribe((change) => this.#look(change));
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    if (this.#alarm) clearTimeout(this.#alarm);
  }

  #look({ ended, moved, snapshot }: PoolChange): void {
    for (const { sessionId, projectId, agentId, startedAt, endedAt } of ended) {
      if (startedAt !== null) this.#learn({ sessionId, projectId, agentId, startedAt, endedAt });
    }
    this.#isSomebodyNew ||= moved.some(({ sessionId }) => snapshot.session(sessionId)?.status === "queued");
    this.#goOn();
  }

  /** Begins a round if there is a reason for one, or sets the alarm for when there will be. */
  #goOn(): void {
    if (this.#isUnderWay || this.#isResting || !this.#isWanted()) return;
    const dueInMs = this.#isSomebodyNew ? 0 : this.#refreshedAt + EVERY_MS - this.#parts.clock.monotonic();
    if (dueInMs <= 0) void this.#round();
    else this.#wakeIn(dueInMs);
  }

  #wakeIn(ms: number): void {
    if (this.#alarm) clearTimeout(this.#alarm);
    this.#alarm = setTimeout(() => {
      this.#isResting = false;
      this.#goOn();
    }, ms).unref();
  }

  #learn(ending: SlotTime): void {
    this.#endings.set(ending.sessionId, ending);
    for (const oldest of this.#endings.keys()) {
      if (this.#endings.size <= ENDINGS_MAX) return;
      this.#endings.delete(oldest);
    }
  }

  /** Somebody waits, somebody waited when it was told last, or the rows are to be read. */
  #isWanted(): boolean {
    const { state, foreseen, snapshot } = this.#parts.announcer;
    return state.sessions.size > state.running.size || foreseen.size > 0 || this.#readIn !== snapshot.epoch;
  }

  async #round(): Promise<void> {
    const { clock, log, announcer } = this.#parts;
    this.#isUnderWay = true;
    let workMs = 0;
    try {
      // Whoever told of the change has other things to do first.
      await nextTurn();
      await this.#read();
      this.#isSomebodyNew = false;
      const startedAt = clock.monotonic();
      const isRefresh = startedAt >= this.#refreshedAt + EVERY_MS;
      const made = await this.#foresee();
      workMs = clock.monotonic() - startedAt;
      if (isRefresh) this.#refreshedAt = startedAt;
      const foreseen = isRefresh || made === null ? made : new Map([...made, ...announcer.foreseen]);
      if (foreseen !== null && !isSame(foreseen, announcer.foreseen)) announcer.foresee(foreseen);
      this.#isTold = false;
    } catch (error) {
      if (!this.#isTold) log.warn(`when sessions start could not be foreseen: ${error}`);
      this.#isTold = true;
      this.#refreshedAt = clock.monotonic();
      this.#isSomebodyNew = false;
    }
    this.#isUnderWay = false;
    if (this.#isStopped) return;
    this.#isResting = true;
    this.#wakeIn(REST_PER_WORK * workMs);
  }

  /** Once in every term: another server may have been the writer meanwhile. */
  async #read(): Promise<void> {
    const { store, clock, announcer } = this.#parts;
    const { epoch } = announcer.snapshot;
    if (this.#readIn === epoch) return;
    const since = clock.now() - ENDINGS_MAX_AGE_MS;
    const rows = await store.recentEndings({ since, limit: ENDINGS_MAX });
    const learnt = this.#endings;
    this.#endings = new Map(rows.toReversed().map((ending) => [ending.sessionId, ending]));
    for (const ending of learnt.values()) this.#learn(ending);
    this.#readIn = epoch;
  }

  /** Null: left in the middle of it. */
  async #foresee(): Promise<Forecast | null> {
    const { clock, announcer } = this.#parts;
    const now = clock.now();
    const steps = forecasting(announcer.state, now, new Durations(this.#endings.values(), now), SEED);
    for (;;) {
      const startedAt = clock.monotonic();
      do {
        const step = steps.next();
        if (step.done) return step.value;
      } while (clock.monotonic() - startedAt < SLICE_MS);
      await nextTurn();
      if (this.#isStopped) return null;
    }
  }
}

function isSame(one: Forecast, other: Forecast): boolean {
  if (one.size !== other.size) return false;
  for (const [id, { p50, p80 }] of one) {
    const before = other.get(id);
    if (before?.p50 !== p50 || before.p80 !== p80) return false;
  }
  return true;
}
