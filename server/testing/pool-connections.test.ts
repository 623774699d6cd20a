import { afterEach, beforeEach, expect, test } from "vitest";
import { PoolUnavailable } from "../engine/pool";
import { PoolWorld, sessionOf } from "./pool-world";
import { type PostgresPoolDatabase, postgresPoolDatabase } from "./postgres-pool-database";
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
