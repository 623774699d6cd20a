/** The pool's history on any store: what is written, read and let go of, and how the pool that runs is counted in it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PoolHistory, startPoolHistory } from "../engine/pool/beside/history";
import type { HistoryMinute, PoolHistoryStore } from "../ports/pool-history";
import { type FakeClock, fakeClock } from "./fake-clock";
import { type PoolDatabase, PoolWorld, type Server } from "./pool-world";
import { endedWith } from "./scripted-waiter";
import { waitFor } from "./wait-for";

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);

export interface HistoryPlace {
  readonly store: PoolHistoryStore;
  readonly database: PoolDatabase;
}

const minuteAt = (minutes: number, source: string, changes: Partial<HistoryMinute> = {}): HistoryMinute => ({
  at: START + minutes * MINUTE_MS,
  source,
  seconds: 60,
  seatSeconds: 120,
  capSeconds: 1_200,
  waitingSeconds: 30,
  grants: 2,
  ended: 1,
  failed: 1,
  commits: 3,
  waits: [1, 0, 1],
  ...changes,
});

export function poolHistorySuite(kind: string, open: () => Promise<HistoryPlace>): void {
  describe(`the pool's history on ${kind}`, () => {
    let world: PoolWorld;
    let store: PoolHistoryStore;
    let clock: FakeClock;
    const counting: PoolHistory[] = [];

    beforeEach(async () => {
      const place = await open();
      store = place.store;
      world = new PoolWorld(place.database);
      clock = fakeClock(START);
    });
    afterEach(async () => {
      for (const history of counting.splice(0)) await history.stop();
      await world.close();
    });

    const count = ({ pool }: Server, source: string, changes: Partial<PoolHistoryStore> = {}) => {
      const history = startPoolHistory({ pool, store: { ...store, ...changes }, clock, log: { warn() {} }, source });
      counting.push(history);
      return history;
    };
    const readAll = (stepMs = MINUTE_MS) => store.read({ from: START, to: START + 86_400_000, stepMs });
    const pass = async (history: PoolHistory, minutes = 1) => {
      clock.forward(minutes * MINUTE_MS);
      await history.beat();
    };

    test("[P22] minutes add up per step, whoever counted them; steps that nobody watched are left out", async () => {
      await store.keep([minuteAt(0, "one"), minuteAt(1, "one"), minuteAt(1, "two", { waits: [0, 0, 0, 4] })]);
      await store.keep([minuteAt(10, "two", { grants: 0, waits: [] })]);
      expect(await readAll(5 * MINUTE_MS)).toEqual([
        {
          at: START,
          seconds: 180,
          seatSeconds: 360,
          capSeconds: 3_600,
          waitingSeconds: 90,
          grants: 6,
          ended: 3,
          failed: 3,
          commits: 9,
          waits: [2, 0, 2, 4],
        },
        {
          at: START + 10 * MINUTE_MS,
          seconds: 60,
          seatSeconds: 120,
          capSeconds: 1_200,
          waitingSeconds: 30,
          grants: 0,
          ended: 1,
          failed: 1,
          commits: 3,
          waits: [],
        },
      ]);
      const later = { from: START + MINUTE_MS, to: START + 10 * MINUTE_MS, stepMs: MINUTE_MS };
      expect((await store.read(later)).map(({ at }) => at)).toEqual([START + MINUTE_MS]);
    });

    test("[P22] a minute that is written again is replaced, and what is before a moment is removed", async () => {
      await store.keep([minuteAt(0, "one"), minuteAt(1, "one")]);
      await store.keep([minuteAt(1, "one", { grants: 5, waits: [5] })]);
      expect((await readAll()).map(({ grants, waits }) => [grants, waits])).toEqual([
        [2, [1, 0, 1]],
        [5, [5]],
      ]);
      await store.forget(START + MINUTE_MS);
      expect((await readAll()).map(({ at }) => at)).toEqual([START + MINUTE_MS]);
    });

    test("[P22] what the pool does is counted: seats over time, waits, grants, endings and commits", async () => {
      const [ann = ""] = await world.people(1);
      const server = await world.ready();
      const history = count(server, "one");
      const { commits } = server.pool.vitals();
      const [a = "", b = "", , d = ""] = await world.dispatch(server.pool, ann, 4);
      await waitFor(() => server.waiter.open.length === 2, "two to run");
      clock.forward(30_000);
      await server.waiter.finish(a);
      await server.waiter.finish(b, 1, endedWith({ status: "failed", exitCode: 1 }));
      await waitFor(() => server.waiter.open.length === 2, "the next two to run");
      clock.forward(MINUTE_MS - 1);
      await server.pool.cancel(d, ann);
      await waitFor(() => server.waiter.open.length === 1, "it to stop");
      await pass(history);
      const [first, second, ...more] = await readAll();
      expect(more).toEqual([]);
      expect(first).toMatchObject({ at: START, grants: 4, ended: 2, failed: 1 });
      expect(first?.waits.reduce((sum, one) => sum + one, 0)).toBe(4);
      expect((first?.commits ?? 0) + (second?.commits ?? 0)).toBe(server.pool.vitals().commits - commits);
      expect(second).toMatchObject({ at: START + MINUTE_MS, grants: 0, ended: 1, failed: 0, seconds: 60 });
      // The time until it is looked at counts as it was before: two seats, then one.
      expect(first?.seatSeconds).toBeCloseTo(2 * 89.999);
      expect([second?.seatSeconds, second?.capSeconds]).toEqual([60, 60 * 20]);
    });

    test("[P22] withdrawn sessions and a second ending of one are no throughput", async () => {
      const [ann = ""] = await world.people(1);
      const server = await world.ready();
      const history = count(server, "one");
      const [a = "", , c = ""] = await world.dispatch(server.pool, ann, 3);
      await waitFor(() => server.waiter.open.length === 2, "two to run");
      await server.pool.cancel(c, ann);
      await server.waiter.finish(a);
      await server.pool.release({ sessionId: a, attempt: 1 }, endedWith({ status: "failed" }));
      await pass(history);
      expect(await readAll()).toMatchObject([{ grants: 2, ended: 1, failed: 0 }]);
    });

    test("[P22][P19] a restart and a change of writer count nothing twice, and who is not the writer counts nothing", async () => {
      const [ann = ""] = await world.people(1);
      const first = await world.ready();
      const old = count(first, "one");
      const [a = "", b = ""] = await world.dispatch(first.pool, ann, 4);
      await waitFor(() => first.waiter.open.length === 2, "two to run");
      await first.waiter.finish(a);
      const second = world.serve();
      const next = count(second, "two");
      clock.forward(20_000);
      await waitFor(() => second.pool.vitals().state === "following", "the second to follow");
      await first.pool.stop();
      await old.stop();
      await second.pool.ready();
      await waitFor(() => second.waiter.open.length === 2, "the second to adopt both");
      await second.waiter.finish(b);
      await pass(next);
      await pass(old);
      const [minute, ...more] = await readAll();
      expect(more).toEqual([]);
      // Those it adopted were granted, and counted, by the first.
      expect(minute).toMatchObject({ at: START, grants: 4, ended: 2, failed: 0 });
      expect(minute?.waits.reduce((sum, one) => sum + one, 0)).toBe(4);
      // The first watched for 20 s, the second for the minute after it: nothing is watched by both.
      expect(minute?.seconds).toBe(80);
    });

    test("[P22][R10] a row that could not be written is written when the database is back, once", async () => {
      const [ann = ""] = await world.people(1);
      const server = await world.ready();
      let isAway = true;
      let writes = 0;
      const history = count(server, "one", {
        keep: async (minutes) => {
          writes += 1;
          // The reply of the third one is lost: it was written.
          if (!isAway || writes === 3) await store.keep(minutes);
          if (isAway) throw new Error("the database is away");
        },
      });
      await world.dispatch(server.pool, ann, 1);
      for (let minute = 0; minute < 3; minute += 1) await pass(history);
      isAway = false;
      await pass(history);
      expect((await readAll()).map(({ seconds, grants }) => [seconds, grants])).toEqual([
        [60, 1],
        [60, 0],
        [60, 0],
        [60, 0],
      ]);
    });

    test("[P22] a clock that is set back and a machine that slept make no false row", async () => {
      const server = await world.ready();
      const history = count(server, "one");
      await pass(history);
      let back = 0;
      const turned = { now: () => clock.now() - back, monotonic: clock.monotonic };
      const parts = { pool: server.pool, store, clock: turned, log: { warn() {} }, source: "two" };
      const other = startPoolHistory(parts);
      counting.push(other);
      await pass(other);
      back = 30 * MINUTE_MS;
      await pass(other);
      back = 0;
      clock.forward(10 * MINUTE_MS);
      await other.beat();
      await pass(other);
      const rows = await store.read({ from: START - 86_400_000, to: START + 86_400_000, stepMs: MINUTE_MS });
      expect(rows.map(({ at, seconds }) => [(at - START) / MINUTE_MS, seconds])).toEqual([
        [0, 60],
        [1, 60],
        [2, 60],
        [13, 60],
      ]);
    });
  });
}
