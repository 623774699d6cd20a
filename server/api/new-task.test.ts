import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";

let world: ApiWorld;
let project: string;

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("anna");
  await world.addUser("ben");
  project = await world.project("anna");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

const WISH = { title: "Once", prompt: "true" };
const make = (key: string, body: unknown = WISH, user = "anna", where = project) =>
  world.ask(user, "POST", `/projects/${where}/tasks`, { body, headers: { "Idempotency-Key": key } });

test("[P3] a new task asked for again with the same key is the same task; another body under it is 409", async () => {
  const key = randomUUID();
  const first = await make(key);
  const again = await make(key);
  expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id]);
  const other = await make(key, { ...WISH, prompt: "false" });
  expect([other.status, other.body.code]).toEqual([409, "KEY_REUSED"]);
  await world.ask("anna", "PATCH", `/tasks/${first.body.id}`, { body: { title: "Renamed" } });
  const late = await make(key);
  expect([late.status, late.body.title]).toEqual([200, "Renamed"]);
  await world.ask("anna", "DELETE", `/tasks/${first.body.id}`);
  expect((await make(key)).status).toBe(404);
});

test("[P3] twenty calls with one key make one task; the same key of somebody else, or elsewhere, is another", async () => {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => make(key)));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const elsewhere = await make(key, WISH, "anna", await world.project("anna"));
  const theirs = await make(key, WISH, "ben", await world.project("ben"));
  expect([elsewhere.status, theirs.status]).toEqual([201, 201]);
  expect((await make(randomUUID())).body.number).toBe(answers[0]?.body.number + 1);
});
