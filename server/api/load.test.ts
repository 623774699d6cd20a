import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";

const USERS = 50;
const EACH = 20;

let world: ApiWorld;
let project: string;
const users = Array.from({ length: USERS }, (_, index) => `u${index}`);

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("olga");
  project = await world.project("olga");
  for (const user of users) await world.addUser(user);
  await world.sql`insert into project_members (project_id, user_id, role)
    select ${project}, id, 'member' from users where id <> 'olga'`;
  await world.sql`insert into tasks (id, project_id, number, title, prompt, order_key)
    select 'load-' || n, ${project}, n, 'Task ' || n, 'true', 'L' || lpad(n::text, 5, '0') || '1'
    from generate_series(1, ${USERS * EACH}::int) n`;
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

test("[P1][P4][P5] a thousand dispatches of fifty people are all accepted, within the caps, each line 1…n", async () => {
  const breaches: unknown[] = [];
  const unsubscribe = world.pool.subscribe(({ snapshot, touched }) => {
    const { running, max } = snapshot.global;
    if (running > max) breaches.push({ running, max });
    for (const user of touched === "all" ? users : touched) {
      const line = snapshot.line(user);
      const places = line.filter((session) => session.status === "queued").map((session) => session.position);
      const isWhole = places.every((place, index) => place === index + 1);
      if (!isWhole || line.length - places.length > snapshot.user(user).max) breaches.push({ user, places });
    }
  });
  const answers = await Promise.all(
    users.map(async (user, index) => {
      const statuses = [];
      for (let each = 0; each < EACH; each += 1) {
        const { status, body } = await world.ask(user, "POST", `/tasks/load-${index * EACH + each + 1}/dispatch`);
        statuses.push({ status, position: body.position });
      }
      return statuses;
    }),
  );
  unsubscribe();
  expect(breaches).toEqual([]);
  expect(answers.flat().filter(({ status }) => status !== 201)).toEqual([]);
  const rows =
    await world.sql`select user_id, count(*)::int as running from sessions where status = 'running' group by user_id`;
  expect(rows.reduce((sum, row) => sum + row.running, 0)).toBe(20);
  expect(rows.every((row) => row.running <= 2)).toBe(true);
  // With equal caps nobody has a second seat while somebody who waits has none (P6): 20 seats, 20 people.
  expect(rows).toHaveLength(20);
  for (const statuses of answers) {
    const first = statuses[0]?.position;
    expect(statuses.map(({ position }) => position)).toEqual(statuses.map((_, index) => first + index));
  }
}, 120_000);
