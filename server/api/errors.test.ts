/** What a person reads when PostgreSQL says no: its own codes, told by a real one through the driver. */
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { toCallRefused } from "./errors";

let database: TestDatabase;
let sql: ReturnType<typeof postgres>;

beforeAll(async () => {
  database = await testDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test.each([
  ["disk_full", /^The database's disk is full, so this could not be saved\. Make room/],
  ["out_of_memory", /^The database is overloaded/],
  ["query_canceled", /^The database is overloaded/],
  ["deadlock_detected", /^Somebody else changed it in the same moment/],
  ["admin_shutdown", /^The database cannot be reached/],
])("[P1][R14] %s is 503, and says what stands in the way", async (condition, sentence) => {
  const said = await sql
    .unsafe(`do $$ begin raise exception 'no' using errcode = '${condition}'; end $$`)
    .catch((error: unknown) => error);
  // As the query library hands it on: the driver's own error is a cause.
  const refused = toCallRefused(new Error("Failed query", { cause: said }), (bug) => expect.fail(String(bug)));
  expect([refused.status, refused.retryAfterSeconds]).toEqual([503, 1]);
  expect(refused.message).toMatch(sentence);
});
