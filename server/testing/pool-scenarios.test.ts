/** Scenarios that broke other queues (docs/scenarios.md), played on PostgreSQL with whole pools. */
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appClient } from "../db/client";
import { PoolUnavailable } from "../engine/pool";
import type { RunningPool } from "../engine/pool/pool-options";
import { PoolWorld, sessionOf } from "./pool-world";
import { type PostgresPoolDatabase, postgresPoolDatabase } from "./postgres-pool-database";
import { waitFor } from "./wait-for";

const LONG = Boolean(process.env.CAMELOT_TEST_ALL);
const CALLERS = 32;
const TEN_MINUTES_MS = 600_000;
/** How long a step may take while the machine is busy with other tests, ms; nothing here is about speed. */
const BUSY_MACHINE_MS = 100_000;

let database: PostgresPoolDatabase;
let world: PoolWorld;
let sql: postgres.Sql;

beforeEach(async () => {
  database = await postgresPoolDatabase();
  world = new PoolWorld(database);
  sql = postgres(database.url, { max: 1 });
});
afterEach(async () => {
  await sql.end();
  await world.close();
});

/** Does `work` for every item, at most `CALLERS` at a time, each caller one after the other. */
async function called<T>(items: readonly T[], work: (item: T, caller: number) => Promise<void>): Promise<void> {
  const left = items.entries();
  const call = async (caller: number) => {
    for (const [, item] of left) await work(item, caller);
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
}

const leaseEnds = async () => {
  const [row] = await sql<{ at: number }[]>`select extract(epoch from expires_at)::float8 as at from pool_lease`;
  return row?.at ?? 0;
};
/** The lease is renewed every few seconds; its writer lives on it. */
const renewed = async () => {
  const before = await leaseEnds();
  await waitFor(async () => (await leaseEnds()) > before, "the lease to be renewed", BUSY_MACHINE_MS);
};
const isAllOver = async () => (await database.sessions()).every(({ status }) => status === "succeeded");

test("[P1][P4] one person dispatches 600 beside 20 others: all are answered, and no commit ever exceeds a cap", async () => {
  const [ann = "", ...others] = await world.people(21);
  const violations = await database.watchCaps({ globalMax: 20, perUserMax: 2 });
  const { pool, waiter } = await world.ready();
  waiter.endsAfterMs = () => 10;
  const users = Array.from({ length: 800 }, (_, i) => (i % 4 === 3 ? (others[i % 20] ?? "") : ann));
  const tasks = await world.tasks(users.length);
  const answered = new Set<string>();
  await called([...users.entries()], async ([i, user]) => {
    answered.add((await pool.enqueue(sessionOf(user, tasks[i] ?? ""))).sessionId);
  });
  await waitFor(isAllOver, "all to end", BUSY_MACHINE_MS);
  const stored = await database.sessions();
  expect(stored.filter(({ userId }) => userId === ann)).toHaveLength(600);
  expect(new Set(stored.map(({ id }) => id))).toEqual(answered);
  expect(await violations()).toBe(0);
}, 180_000);

test("[P5] hundreds of one person in one millisecond, from 32 callers, over a restart: granted in the order of their numbers", async () => {
  const [ann = ""] = await world.people(1);
  const now = Date.now();
  const options = {
    clock: { now: () => now, monotonic: () => performance.now() },
    firstCaps: { globalMax: 20, perUserMax: 1, paused: false },
  };
  const first = await world.ready(options);
  first.waiter.endsAfterMs = () => 0;
  let pool: RunningPool = first.pool;
  let restart: Promise<void> | null = null;
  const restarted = async () => {
    await first.pool.stop();
    const second = world.serve({ ...options, before: (waiter) => Object.assign(waiter, { endsAfterMs: () => 0 }) });
    pool = second.pool;
    await pool.ready();
  };
  const tasks = await world.tasks(LONG ? 1_000 : 300);
  const ofCaller = Array.from({ length: CALLERS }, (): string[] => []);
  let answers = 0;
  await called(tasks, async (taskId, caller) => {
    const session = sessionOf(ann, taskId);
    for (;;) {
      try {
        ofCaller[caller]?.push((await pool.enqueue(session)).sessionId);
        break;
      } catch (error) {
        if (!(error instanceof PoolUnavailable)) throw error;
        await restart;
      }
    }
    answers += 1;
    if (answers === tasks.length / 2) restart = restarted();
  });
  await restart;
  await waitFor(isAllOver, "all to end", BUSY_MACHINE_MS);
  const stored = await database.sessions();
  const seqOf = new Map(stored.map(({ id, seq }) => [id, seq]));
  const isRising = (numbers: readonly (number | undefined)[]) =>
    numbers.every((number, i) => i === 0 || (number ?? 0) > (numbers[i - 1] ?? Number.NaN));
  // Whoever was answered before they asked again comes first …
  for (const ids of ofCaller) expect(isRising(ids.map((id) => seqOf.get(id)))).toBe(true);
  // … and nobody overtakes anybody.
  const granted = stored.toSorted((one, other) => (one.grantSeq ?? 0) - (other.grantSeq ?? 0));
  expect(isRising(granted.map(({ seq }) => seq))).toBe(true);
  expect(stored).toHaveLength(tasks.length);
}, 180_000);

test("[P19][P5] a server's clock that jumps by ten minutes makes no second writer, ends nothing and moves nobody", async () => {
  const [ann = ""] = await world.people(1);
  let skew = 0;
  const clock = { now: () => Date.now() + skew, monotonic: () => performance.now() };
  const first = await world.ready({ clock });
  const second = world.serve({ clock: { ...clock, now: () => Date.now() - skew } });
  await waitFor(() => second.pool.vitals().state === "following", "the second to follow");
  const dispatched = await world.dispatch(first.pool, ann, 3);
  const { epoch } = first.pool.snapshot();
  for (const jump of [TEN_MINUTES_MS, -TEN_MINUTES_MS]) {
    skew = jump;
    dispatched.push(...(await world.dispatch(first.pool, ann, 2)));
    await renewed();
    expect([first.pool.vitals().state, second.pool.vitals().state]).toEqual(["writing", "following"]);
  }
  expect(first.pool.snapshot().epoch).toBe(epoch);
  const line = first.pool.snapshot().line(ann);
  expect(line.map(({ id, position }) => [id, position])).toEqual(dispatched.map((id, i) => [id, Math.max(0, i - 1)]));
  expect(first.waiter.history).toHaveLength(2);
  expect(second.waiter.history).toEqual([]);
  // Whoever is granted while the clock is behind has waited no negative time.
  await first.waiter.finish(dispatched[0] ?? "");
  expect(first.pool.vitals().waitMsTotal).toBeGreaterThanOrEqual(0);
}, 180_000);

test("[P19][P7] while pages and calls hold every connection they have, the pool commits and keeps its lease over its own", async () => {
  const [ann = ""] = await world.people(1);
  const { pool, waiter } = await world.ready();
  const { epoch } = pool.snapshot();
  const app = appClient(database.url);
  const holders = () => sql`select from pg_stat_activity
    where datname = current_database() and application_name = 'camelot' and query like '%pg_sleep%'`;
  for (let round = 0; round < (LONG ? 10 : 2); round += 1) {
    // Anew each time: what pages ask is given up after a limit of its own.
    const held = Array.from({ length: 10 }, () => app`select pg_sleep(600)`.catch(() => null));
    await waitFor(async () => (await holders()).length === 10, "all to be held");
    let isAnswered = false;
    const page = app`select 1`.then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    const [a = "", b = "", c = ""] = await world.dispatch(pool, ann, 3);
    await waitFor(() => waiter.open.length === 2, "two to run");
    await waiter.finish(a);
    expect(pool.snapshot().session(c)?.position).toBe(0);
    await renewed();
    await waiter.finish(b);
    await waiter.finish(c);
    expect(isAnswered).toBe(false);
    await sql`select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'camelot' and query like '%pg_sleep%'`;
    await Promise.all([...held, page]);
  }
  expect(pool.snapshot().epoch).toBe(epoch);
  await app.end({ timeout: 1 });
}, 180_000);
