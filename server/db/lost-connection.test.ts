/** What a connection that dies leaves behind in the driver: patches/ has the mends without which these do not pass. */
import type postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { leaseClient, writerClient } from "./client";

let database: TestDatabase;
let killer: postgres.Sql;

beforeAll(async () => {
  database = await testDatabase();
  killer = leaseClient(database.url);
  await killer`create table kept (word text not null)`;
});
afterAll(async () => {
  await killer.end();
  await database.drop();
});

async function pidOf(sql: postgres.Sql | postgres.TransactionSql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
}

/** Ends a backend, once it waits for this. */
async function killAt(waitEvent: string): Promise<void> {
  const there = () =>
    killer<
      { pid: number }[]
    >`select pid from pg_stat_activity where datname = current_database() and ${waitEvent} in (wait_event, wait_event_type)`;
  await expect.poll(async () => (await there()).length).toBe(1);
  const [backend] = await there();
  await killer`select pg_terminate_backend(${backend?.pid ?? 0})`;
}

/** No second try: the very next statement has to be served. */
async function servesAtOnce(sql: postgres.Sql): Promise<void> {
  expect(await sql`select ${"well"}::text as word`).toEqual([{ word: "well" }]);
}

test("[PG-1] a connection that dies under a statement serves the next one, and not with the death of the one before", async () => {
  const sql = writerClient(database.url);
  const asked = expect(sql`select pg_sleep(${600})`.execute()).rejects.toThrow();
  await killAt("PgSleep");
  await asked;
  await servesAtOnce(sql);
  await sql.end();
});

test("[PG-1] one that dies before its statement is described does not keep the rest of it for the next connection", async () => {
  const sql = leaseClient(database.url);
  const other = writerClient(database.url);
  await other.begin(async (own) => {
    await own`lock table kept in access exclusive mode`;
    const asked = expect(sql`select word from kept where word = ${"it"}`.execute()).rejects.toThrow();
    await killAt("Lock");
    await asked;
  });
  await servesAtOnce(sql);
  await Promise.all([sql.end(), other.end()]);
});

test("[PG-1] a transaction whose connection dies writes nothing afterwards, ends as failed, and lets the next one begin", async () => {
  const sql = leaseClient(database.url);
  const dying = sql.begin(async (own) => {
    await own`insert into kept values ('before')`;
    const pid = await pidOf(own);
    await killer`select pg_terminate_backend(${pid})`;
    for (const word of ["after", "later", "long after"]) {
      await own`insert into kept values (${word})`.catch(() => undefined);
    }
  });
  const next = sql.begin((own) => own`insert into kept values ('of the next')`);
  await expect(dying).rejects.toThrow();
  await next;
  expect(await killer`select word from kept`).toEqual([{ word: "of the next" }]);
  await servesAtOnce(sql);
  await sql.end();
});
