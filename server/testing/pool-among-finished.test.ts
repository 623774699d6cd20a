/**
 * Very many finished sessions stand beside the live ones. Judged by what PostgreSQL counts of the statements that the store
 * really sends: how often the sessions were read as a whole, and how many rows were fetched by index. Never by time.
 */
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PoolWorld, sessionOf } from "./pool-world";
import { type PostgresPoolDatabase, postgresPoolDatabase } from "./postgres-pool-database";
import { waitFor } from "./wait-for";

const FINISHED = process.env.CAMELOT_TEST_ALL ? 2_000_000 : 20_000;
const TASKS_OF_THE_FINISHED = 2_000;
const QUEUED = 1_000;
const PEOPLE = 100;
/** What one session costs in rows fetched by index, from dispatch to its end: far below what any look at history would. */
const ROWS_PER_SESSION_MAX = 50;
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

let database: PostgresPoolDatabase;
let world: PoolWorld;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await postgresPoolDatabase();
  world = new PoolWorld(database);
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
  await world.people(PEOPLE);
  await world.tasks(TASKS_OF_THE_FINISHED);
  // The rows are right by themselves: the checks of foreign keys would take most of the time.
  await sql`set session_replication_role = replica`;
  await sql`insert into sessions (id, task_id, project_id, user_id, agent_id, status, queued_at, started_at, finished_at)
    select 'finished-' || n, 'task-' || 1 + n % ${TASKS_OF_THE_FINISHED}::int, 'project-1',
      'user-' || 1 + n % ${PEOPLE}::int, 'agent-1', 'succeeded', now() - n * interval '1 second',
      now() - n * interval '1 second', now() - n * interval '1 second' from generate_series(1, ${FINISHED}::int) n`;
  await sql`set session_replication_role = origin`;
  await sql`vacuum analyze sessions`;
});
afterAll(async () => {
  await sql.end();
  await world.close();
});

interface Reads {
  readonly whole: number;
  readonly byIndex: number;
}

/** Of the sessions, by everybody in this database so far. */
async function reads(): Promise<Reads> {
  const [row] = await sql<{ whole: number; byIndex: number }[]>`
    select seq_scan::int as whole, idx_tup_fetch::int as "byIndex" from pg_stat_user_tables where relname = 'sessions'`;
  if (!row) throw new Error("the sessions are not counted");
  return row;
}

/** What `work` read, once the connections that it used are closed, which is when PostgreSQL has counted all of it. */
async function readBy(work: () => Promise<void>): Promise<Reads> {
  const before = await reads();
  await work();
  await database.cutConnections();
  await waitFor(async () => {
    const [open] = await sql`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name like 'camelot%'`;
    return open?.n === 0;
  }, "the connections to be closed");
  const after = await reads();
  return { whole: after.whole - before.whole, byIndex: after.byIndex - before.byIndex };
}

/** A server that boots, runs everything that waits and `more`, and leaves. */
async function serveThrough(more: number): Promise<void> {
  const { pool, waiter, store } = world.serve();
  waiter.endsAfterMs = () => 0;
  await pool.ready();
  const tasks = await world.tasks(more);
  await Promise.all(tasks.map((taskId, i) => pool.enqueue(sessionOf(`user-${1 + (i % PEOPLE)}`, taskId))));
  await waitFor(() => pool.snapshot().global.running + pool.snapshot().global.queued === 0, "all to be over", 600_000);
  await pool.stop();
  await store.close();
}

test(`[P7][P12][P20] with ${FINISHED} finished rows boot, dispatches, grants and endings read live rows only, by index`, async () => {
  const { store } = database.connect();
  const waiting = await world.tasks(QUEUED);
  for (const [i, taskId] of waiting.entries()) {
    await store.insertQueued(`waits-${i}`, sessionOf(`user-${1 + (i % PEOPLE)}`, taskId), Date.now());
  }
  await store.close();
  const { whole, byIndex } = await readBy(() => serveThrough(QUEUED));
  expect(whole).toBe(0);
  expect(byIndex).toBeGreaterThan(2 * QUEUED);
  expect(byIndex).toBeLessThan(ROWS_PER_SESSION_MAX * 2 * QUEUED);
});

test("[P7][P20] a look at old rows that stays open for long keeps nobody from being granted, and nothing is read as a whole", async () => {
  const other = postgres(database.url, { max: 1, onnotice: () => {} });
  let close = () => {};
  const open = new Promise<void>((resolve) => {
    close = resolve;
  });
  let isLooking = () => {};
  const looking = new Promise<void>((resolve) => {
    isLooking = resolve;
  });
  const held = other.begin("isolation level repeatable read", async (transaction) => {
    await transaction`select count(*) from users`;
    isLooking();
    await open;
    const [seen] = await transaction<{ n: number }[]>`select count(*)::int as n from sessions where id like 'waits-%'`;
    return seen?.n;
  });
  await looking;
  const { whole } = await readBy(() => serveThrough(2 * QUEUED));
  expect(whole).toBe(0);
  close();
  // It saw what was there when it began: the rows that were replaced meanwhile had to be kept for it.
  expect(await held).toBe(QUEUED);
  await other.end();
  const [left] = await sql`select count(*)::int as n from sessions where status in ('queued', 'running')`;
  expect(left?.n).toBe(0);
});
