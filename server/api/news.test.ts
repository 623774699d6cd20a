/** What each call changes is told to who may see it (L5): real people, calls and sockets. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NewsTopic } from "../contract/live";
import { contract } from "../contract/router";
import { enter, type TestPerson } from "../testing/access-doors";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
let root: TestPerson;
let ada: TestPerson;

beforeAll(async () => {
  world = await apiWorld();
  root = await enter(world.auth, "sign-up", "root");
  ada = await enter(world.auth, "sign-up", "ada");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

const ask = (who: TestPerson, method: string, path: string, body?: unknown) =>
  world.ask(null, method, path, { body, headers: who.headers });

async function listen(who: TestPerson) {
  const socket = world.connect(who.headers);
  await waitFor(() => socket.pool, "the pool");
  const heard = (topic: NewsTopic) => socket.news.flat().filter((one) => one === topic).length;
  return { heard, hears: (topic: NewsTopic) => waitFor(() => heard(topic) > 0, topic) };
}

test("[L5] every part of the contract that calls change is told, or comes live by itself", () => {
  const changing = Object.entries(contract)
    .filter(([, calls]) => Object.values(calls).some((call) => call["~orpc"].route.method !== "GET"))
    .map(([part]) => part);
  expect(changing.sort()).toEqual(
    ["tasks", "sessions", "users", "projects", "agents", "settings", "pool", "tokens", "invitations"].sort(),
  );
});

test("[L5] whoever signs up appears to those who are in already", async () => {
  const { hears } = await listen(ada);
  await enter(world.auth, "sign-up", "newcomer");
  await hears("users");
});

test("[L4][L5] roles, settings and invitations are told to everybody, tokens to their owner only", async () => {
  const [roots, adas] = [await listen(root), await listen(ada)];
  expect((await ask(root, "POST", "/tokens", { name: "script", scope: "read" })).status).toBe(201);
  expect((await ask(root, "PATCH", "/settings", { outputDays: 20 })).status).toBe(200);
  expect((await ask(root, "POST", "/invitations", { email: "guest@example.com" })).status).toBe(201);
  expect((await ask(root, "PATCH", `/users/${ada.id}`, { role: "admin" })).status).toBe(200);
  for (const topic of ["settings", "invitations", "users"] as const) {
    for (const { hears } of [roots, adas]) await hears(topic);
  }
  await roots.hears("tokens");
  expect(adas.heard("tokens")).toBe(0);
});

test("[L5] what was only read or was refused is not told", async () => {
  const { heard, hears } = await listen(ada);
  expect((await ask(ada, "GET", "/agents")).status).toBe(200);
  expect((await ask(ada, "DELETE", `/agents/${crypto.randomUUID()}`)).status).toBe(404);
  expect((await ask(ada, "POST", "/tokens", { name: "mine", scope: "read" })).status).toBe(201);
  await hears("tokens");
  expect(heard("agents")).toBe(0);
});
