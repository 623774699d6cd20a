import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUsageStore } from "../db/usage-store";
import { type ApiWorld, apiWorld } from "../testing/api-world";

const NOON = Date.UTC(2026, 2, 10, 12);

let world: ApiWorld;
let shop: string;
let bens: string;
beforeAll(async () => {
  world = await apiWorld();
  for (const user of ["anna", "ben"]) await world.addUser(user);
  await world.addUser("admin", "admin");
  shop = await world.project("anna", ["ben"]);
  bens = await world.project("ben");
  await world.sql`insert into agents (id, name, kind) values ('claude', 'Claude', 'claude-code'), ('sh', 'Sh', 'shell')`;
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  world.holds.stop();
  await world.close();
});

let count = 0;
/** An ended session as its row stands; `usage` null: its agent told nothing. */
async function ended(task: string, user: string, at: number, usage: object | null, agent = "claude"): Promise<void> {
  count += 1;
  const [id, time] = [`used-${count}`, new Date(at).toISOString()];
  await world.sql`
    insert into sessions (id, task_id, project_id, user_id, agent_id, status, queued_at, started_at, finished_at, usage)
    select ${id}, t.id, t.project_id, ${user}, ${agent}, 'succeeded', ${time}, ${time}, ${time},
      ${usage === null ? null : JSON.stringify(usage)}::text::jsonb
    from tasks t where t.id = ${task}`;
}

const told = (input: number, costUsd: number | null, partial = false) => ({
  input,
  cachedInput: 10,
  output: 5,
  costUsd,
  partial,
  costSource: costUsd === null ? "unknown" : "reported",
  conversationCostUsd: 99,
});
const get = async (who: string, path: string) => (await world.ask(who, "GET", path)).body;

describe("[A4] what sessions used, added up", () => {
  test("[A4] per task: what is known is added, what nobody told is counted and never 0, Shell costs nothing", async () => {
    const task = await world.task("anna", shop);
    const tokens = { input: 0, cachedInput: 0, output: 0, unknownTokens: 0 };
    const nothing = { sessions: 0, ...tokens, costUsd: null, unknownCost: 0, partial: false };
    expect(await get("ben", `/tasks/${task}/usage`)).toEqual(nothing);
    await ended(task, "anna", Date.now(), null, "sh");
    expect(await get("ben", `/tasks/${task}/usage`)).toEqual(nothing);
    await ended(task, "anna", Date.now(), told(100, null));
    expect(await get("ben", `/tasks/${task}/usage`)).toMatchObject({ sessions: 1, costUsd: null, unknownCost: 1 });
    await ended(task, "ben", Date.now(), told(1_000, 0.25));
    await ended(task, "ben", Date.now(), told(10, 0.5, true));
    await ended(task, "ben", Date.now(), null);
    await ended(task, "ben", Date.now(), { input: "of another release" });
    expect(await get("anna", `/tasks/${task}/usage`)).toEqual({
      sessions: 3,
      input: 1_110,
      cachedInput: 30,
      output: 15,
      unknownTokens: 2,
      costUsd: 0.75,
      unknownCost: 3,
      partial: true,
    });
  });

  test("[A4] per project and day: fourteen days up to today, the total beside them, and as many as one asks for", async () => {
    const usage = await get("ben", `/projects/${shop}/usage`);
    expect(usage.days).toHaveLength(14);
    expect(usage.days.at(-1)).toMatchObject({ sessions: 3, input: 1_110, costUsd: 0.75, unknownCost: 3 });
    expect(usage.days.at(-2)).toMatchObject({ sessions: 0, costUsd: null });
    expect(usage.total).toMatchObject({ sessions: 3, input: 1_110, costUsd: 0.75, unknownCost: 3, partial: true });
    expect([usage.total.unknownTokens, usage.days.at(-1).unknownTokens, usage.days.at(-2).unknownTokens]).toEqual([
      2, 2, 0,
    ]);
    expect((await get("ben", `/projects/${shop}/usage?days=1`)).days).toHaveLength(1);
    for (const days of ["0", "93", "1.5", "all"]) {
      const { status, body } = await world.ask("ben", "GET", `/projects/${shop}/usage?days=${days}`);
      expect([status, body.code], days).toEqual([400, "BAD_REQUEST"]);
    }
  });

  test("[A4][L4][B8] per person: one's own whole, a team-mate's as far as one shares projects with them", async () => {
    await ended(await world.task("ben", bens), "ben", Date.now(), told(5_000, 2));
    expect((await get("ben", "/users/ben/usage")).total).toMatchObject({ sessions: 3, input: 6_010, costUsd: 2.75 });
    expect((await get("anna", "/users/ben/usage")).total).toMatchObject({ sessions: 2, input: 1_010, costUsd: 0.75 });
    expect((await get("admin", "/users/ben/usage")).total).toMatchObject({ sessions: 0, costUsd: null });
    expect((await world.ask("anna", "GET", "/users/nobody/usage")).status).toBe(404);
  });

  test("[A4] absurd figures of older rows break no sum: they are unknown, and what is left says that it is a part", async () => {
    const project = await world.project("anna");
    const task = await world.task("anna", project);
    await ended(task, "anna", Date.now(), told(100, 0.25));
    const sums = async () => [
      await get("anna", `/tasks/${task}/usage`),
      (await get("anna", `/projects/${project}/usage`)).total,
      (await get("anna", `/projects/${project}/usage?days=1`)).days[0],
    ];
    const honest = { sessions: 1, input: 100, output: 5, costUsd: 0.25, unknownCost: 0, partial: false };
    for (const sum of await sums()) expect(sum).toMatchObject(honest);
    // Twice, as each alone is still a number of the database's.
    for (const cost of [1e308, 1e308]) await ended(task, "anna", Date.now(), told(1, cost));
    const costs = { ...honest, sessions: 3, input: 102, output: 15, unknownCost: 2, partial: true };
    for (const sum of await sums()) expect(sum).toMatchObject(costs);
    await ended(task, "anna", Date.now(), null);
    const larger = JSON.stringify(told(5, 0.5)).replace('"input":5', '"input":1e400');
    await world.sql`update sessions set usage = ${larger}::text::jsonb where id = ${`used-${count}`}`;
    await ended(task, "anna", Date.now(), { ...told(-3, null), output: 1e30 });
    const tokens = { ...costs, costUsd: 0.75, unknownCost: 3 };
    for (const sum of await sums()) expect(sum).toMatchObject(tokens);
    const { items } = await get("anna", `/tasks/${task}/sessions`);
    expect(items.map(({ usage }: { usage: unknown }) => usage)).toMatchObject([
      null,
      { input: 0, costUsd: 0.5, partial: true },
      { input: 1, costUsd: null, costSource: "unknown", partial: true },
      { input: 1, costUsd: null, costSource: "unknown", partial: true },
      { input: 100, costUsd: 0.25, partial: false },
    ]);
  });

  test("[A4] days begin where the installation's time zone says", async () => {
    const task = await world.task("anna", shop);
    await world.sql`insert into users (id, name, email) values ('tom', 'Tom', 'tom@example.test')`;
    // 23:30 in Berlin, and half past midnight there.
    await ended(task, "tom", Date.UTC(2026, 2, 8, 22, 30), told(1, 1));
    await ended(task, "tom", Date.UTC(2026, 2, 8, 23, 30), told(20, 1));
    const subject = { kind: "user", userId: "tom", viewer: "tom" } as const;
    const inputs = async (zone: string) =>
      (await createUsageStore(world.sql).perDay(subject, 3, NOON, zone)).map(({ day, input }) => `${day} ${input}`);
    expect(await inputs("Europe/Berlin")).toEqual(["2026-03-08 1", "2026-03-09 20", "2026-03-10 0"]);
    expect(await inputs("UTC")).toEqual(["2026-03-08 21", "2026-03-09 0", "2026-03-10 0"]);
  });
});
