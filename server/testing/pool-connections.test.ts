import { afterEach, beforeEach, expect, test } from "vitest";
import { appClient } from "../db/client";
import { createPoolStore } from "../db/pool-store";
import { PoolUnavailable } from "../engine/pool";
import { cuttingProxy, CUTS as MOMENTS } from "./cutting-proxy";
import { type PoolDatabase, PoolWorld, sessionOf } from "./pool-world";
import { type PostgresPoolDatabase, postgresPoolDatabase } from "./postgres-pool-database";
import { endedWith } from "./scripted-waiter";
import { waitFor } from "./wait-for";

const CUTS = 12;

let database: PostgresPoolDatabase;
let world: PoolWorld;

beforeEach(async () => {
  database = await postgresPoolDatabase();
  world = new PoolWorld(database);
});
afterEach(() => world.close());

test("[P11][P18] while its connections are cut again and again the pool loses nothing and runs nothing twice", async () => {
  const people = await world.people(10);
  const violations = await database.watchCaps({ globalMax: 20, perUserMax: 2 });
  const { pool, waiter, fatal } = await world.ready();
  waiter.endsAfterMs = () => 5 + Math.random() * 10;
  const tasks = await world.tasks(200);
  const cutting = (async () => {
    for (let cuts = 0; cuts < CUTS; cuts += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 250));
      await database.cutConnections();
    }
  })();
  const accepted = new Set<string>();
  const dispatchAll = tasks.map(async (taskId, i) => {
    for (;;) {
      try {
        accepted.add((await pool.enqueue(sessionOf(people[i % 10] ?? "", taskId))).sessionId);
        return;
      } catch (error) {
        if (!(error instanceof PoolUnavailable)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  });
  await Promise.all([...dispatchAll, cutting]);
  const isAllOver = async () => (await database.sessions()).every((row) => row.status === "succeeded");
  await waitFor(isAllOver, "all to end", 60_000);
  const stored = await database.sessions();
  // A dispatch told to try again may have been stored all the same; its task's one session is what the retry got, or a later one.
  expect(stored.filter((row) => accepted.has(row.id))).toHaveLength(200);
  const attended = waiter.history.map((entry) => `${entry.sessionId}/${entry.attempt}`);
  expect(new Set(attended).size).toBe(attended.length);
  expect(await violations()).toBe(0);
  expect(fatal).toEqual([]);
}, 120_000);

test.each(MOMENTS)(
  "[P11] the way to the database breaks %s: the outcome is read back, and everybody is told the truth",
  async (moment) => {
    const way = await cuttingProxy(database.url);
    world = new PoolWorld({ ...database, connect: () => throughTheWay(way.url) });
    const [ann = "", ben = ""] = await world.people(2);
    const { pool, waiter, fatal } = await world.ready();
    const [a = "", b = "", c = ""] = await world.dispatch(pool, ann, 3);
    await waitFor(() => waiter.open.length === 2, "two to run");
    const broken = async <T>(work: () => Promise<T>): Promise<T> => {
      // A commit that goes through first: the one that breaks is one message and one reply.
      const [other = ""] = await world.dispatch(pool, ben, 1);
      await pool.cancel(other, ben);
      const cut = way.cutNext(moment);
      const [answer] = await Promise.all([work(), cut]);
      return answer;
    };
    const before = pool.vitals().unknownOutcomes;
    expect(await broken(async () => pool.enqueue(await world.session(ann)))).toMatchObject({
      existing: false,
      position: 2,
    });
    await broken(() => waiter.finish(a));
    expect(pool.snapshot().session(c)?.position).toBe(0);
    expect(await broken(() => pool.requeue({ sessionId: b, attempt: 1 }))).toBe("requeued");
    const [d = ""] = await world.dispatch(pool, ann, 1);
    expect(await broken(() => pool.cancel(d, ann))).toEqual({ kind: "left-the-line" });
    await broken(() => pool.release({ sessionId: c, attempt: 1 }, endedWith({ status: "failed", exitCode: 9 })));
    expect(pool.vitals().unknownOutcomes - before).toBe(5);

    const stored = await database.sessions();
    const picture = new Map(
      pool
        .snapshot()
        .sessions(100)
        .map((session) => [session.id, session.status]),
    );
    const live = stored.filter(({ status }) => status === "running" || status === "queued");
    expect(new Map(live.map(({ id, status }) => [id, status]))).toEqual(picture);
    expect(stored.find(({ id }) => id === c)).toMatchObject({ status: "failed", exitCode: 9 });
    expect(stored.find(({ id }) => id === d)).toMatchObject({ status: "cancelled", startedAt: null });
    const attended = waiter.history.map(({ sessionId, attempt }) => `${sessionId}/${attempt}`);
    expect(new Set(attended).size).toBe(attended.length);
    expect(fatal).toEqual([]);
    await way.close();
  },
  60_000,
);

/** Only commits and reads of the pool go this way; the lease stays what it is. */
function throughTheWay(url: string): ReturnType<PoolDatabase["connect"]> {
  const { store, ...rest } = database.connect();
  void store.close();
  return { ...rest, store: createPoolStore(url) };
}

test("[P19] every connection of pages and API is held by somebody: leases are renewed, commits and words go on", async () => {
  const [ann = ""] = await world.people(1);
  const { pool } = await world.ready();
  const other = world.serve();
  await waitFor(() => other.pool.vitals().state === "following" && other.pool.snapshot().isReady, "it to follow");
  const app = appClient(database.url);
  const held = Array.from({ length: 20 }, () => app`select pg_sleep(8)`.catch(() => undefined));
  const waitsForOne = app`select 1`.then(() => "answered");
  const { epoch } = pool.snapshot();
  const began = performance.now();
  const countOn = ({ pool: on }: { pool: typeof pool }) => {
    const { running, queued } = on.snapshot().user(ann);
    return running + queued;
  };
  // For longer than a lease is renewed: one dispatch after the other, each seen on both before the next.
  for (let n = 1; performance.now() - began < 7_000; n += 1) {
    await world.dispatch(other.pool, ann, 1);
    await waitFor(() => countOn(other) === n && countOn({ pool }) === n, "both to show the dispatch");
  }
  expect(await Promise.race([waitsForOne, Promise.resolve("still waits")])).toBe("still waits");
  expect(pool.mayDrive()).toBe(true);
  expect([pool.snapshot().epoch, other.pool.snapshot().epoch]).toEqual([epoch, epoch]);
  expect(other.pool.snapshot().user(ann)).toEqual(pool.snapshot().user(ann));
  await app.end({ timeout: 0 });
  await Promise.all([...held, waitsForOne.catch(() => undefined)]);
}, 60_000);
