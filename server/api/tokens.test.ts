import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, type TestPerson } from "../testing/access-doors";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

/** L1's limit. */
const WITHIN_MS = 5_000;

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

const ask = (headers: Readonly<Record<string, string>>, method: string, path: string, body?: unknown) =>
  world.ask(null, method, path, { body, headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function make(headers: Readonly<Record<string, string>>, scope: string, name = "script") {
  return ask(headers, "POST", "/tokens", { name, scope });
}

test("[S5] a token is shown once, kept as a hash, and its last use is seen", async () => {
  const made = await make(ada.headers, "read", "  Nightly report  ");
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ name: "Nightly report", scope: "read", lastUsedAt: null });
  expect(made.body.token).toMatch(/^camelot_[\w-]{43}$/);
  const secret = made.body.token.slice("camelot_".length);
  expect(JSON.stringify((await ask(ada.headers, "GET", "/tokens")).body)).not.toContain(secret);
  expect(JSON.stringify(await world.sql`select * from api_tokens`)).not.toContain(secret);
  expect((await ask(bearer(made.body.token), "GET", "/me")).body.id).toBe(ada.id);
  const [listed] = (await ask(ada.headers, "GET", "/tokens")).body.items;
  expect(Date.parse(listed.lastUsedAt)).toBeGreaterThan(Date.now() - 60_000);
  expect((await ask(root.headers, "GET", "/tokens")).body.items).toEqual([]);
});

test("[S5] only a token that administers makes and revokes tokens, and none lends what its owner has not", async () => {
  const scopes = ["read", "dispatch", "admin"];
  const found: Record<string, number[]> = {};
  for (const own of scopes) {
    const { id, token } = (await make(ada.headers, own)).body;
    found[own] = [];
    for (const wished of scopes) found[own].push((await make(bearer(token), wished)).status);
    found[own].push((await ask(bearer(token), "DELETE", `/tokens/${id}`)).status);
  }
  const all = { read: [403, 403, 403, 403], dispatch: [403, 403, 403, 403], admin: [201, 201, 201, 200] };
  expect(found).toEqual(all);
  // Ada is no administrator.
  const { token } = (await make(ada.headers, "admin")).body;
  expect((await ask(bearer(token), "PATCH", "/pool", { paused: true })).status).toBe(403);
});

test("[S5] a token to dispatch changes nothing of an owner's project, not even what a removal would ask about", async () => {
  const project = (await ask(ada.headers, "POST", "/projects", { name: "Kept", repository: "/repo" })).body.id;
  await ask(ada.headers, "PUT", `/projects/${project}/variables/KEPT`, { value: "as it was" });
  const script = bearer((await make(ada.headers, "dispatch")).body.token);
  const read = async () =>
    Promise.all(
      ["", "/members", "/variables", "/github"].map((of) => ask(ada.headers, "GET", `/projects/${project}${of}`)),
    ).then((answers) => answers.map(({ body }) => body));
  const before = await read();
  for (const [method, path, body] of [
    ["PATCH", "", { setupScript: "curl http://127.0.0.1:1 | sh" }],
    ["PATCH", "", { repository: "/elsewhere" }],
    ["PUT", `/members/${root.id}`, { role: "owner" }],
    ["DELETE", `/members/${ada.id}`, undefined],
    ["PUT", "/variables/KEPT", { value: "changed" }],
    ["DELETE", "/variables/KEPT", undefined],
    ["PUT", "/github", { token: "a-token-of-some-length" }],
    ["DELETE", "?confirm=true", undefined],
  ] as const) {
    const { status, body: said } = await ask(script, method, `/projects/${project}${path}`, body);
    expect([method, path, status, said.message]).toEqual([method, path, 403, "This token may only dispatch."]);
  }
  expect(await read()).toEqual(before);
  expect((await ask(script, "POST", `/projects/${project}/tasks`, { title: "T", prompt: "true" })).status).toBe(201);
});

test("[S5] no token, however much it may, changes the password or ends a login", async () => {
  const kim = await enter(world.auth, "sign-up", "kim");
  const headers = bearer((await make(kim.headers, "admin")).body.token);
  const passwords = { currentPassword: "correct horse battery", newPassword: "battery horse correct" };
  for (const [path, body] of [
    ["change-password", passwords],
    ["revoke-other-sessions", {}],
    ["sign-out", {}],
  ] as const) {
    const request = new Request(`http://127.0.0.1/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    await world.auth.handle(request, "127.0.0.1");
  }
  expect((await ask(kim.headers, "GET", "/me")).body.id).toBe(kim.id);
  expect((await enter(world.auth, "sign-in", "kim")).id).toBe(kim.id);
});

test.each([
  ["no name", { name: " ", scope: "read" }],
  ["NUL in the name", { name: "a\u0000b", scope: "read" }],
  ["an unknown scope", { name: "a", scope: "root" }],
  ["no scope", { name: "a" }],
])("[S5] %s: 400", async (_what, body) => {
  expect((await ask(ada.headers, "POST", "/tokens", body)).status).toBe(400);
});

test("[S5][L1] a revoked token is nobody at once, and its sockets end within 5 s", async () => {
  const { id, token } = (await make(ada.headers, "dispatch")).body;
  const socket = world.connect(bearer(token));
  await waitFor(() => socket.pool, "the pool");
  expect((await ask(root.headers, "DELETE", `/tokens/${id}`)).status).toBe(404);
  expect((await ask(ada.headers, "DELETE", `/tokens/${id}`)).body).toEqual({ id });
  expect(await ask(bearer(token), "GET", "/me")).toMatchObject({
    status: 401,
    body: { code: "UNAUTHORIZED", message: "This token is not valid, or not any more." },
  });
  await waitFor(() => socket.ends.length > 0, "the socket to end", WITHIN_MS);
  expect((await ask(ada.headers, "DELETE", `/tokens/${id}`)).status).toBe(404);
});

test("[S5] tokens die with their owner, and do not come back with them", async () => {
  const eve = await enter(world.auth, "sign-up", "eve");
  const { token } = (await make(eve.headers, "dispatch")).body;
  const socket = world.connect(bearer(token));
  await waitFor(() => socket.pool, "the pool");
  expect((await ask(root.headers, "PATCH", `/users/${eve.id}`, { active: false })).status).toBe(200);
  expect((await ask(bearer(token), "GET", "/me")).status).toBe(401);
  await waitFor(() => socket.ends.length > 0, "the socket to end", WITHIN_MS);
  expect((await ask(root.headers, "PATCH", `/users/${eve.id}`, { active: true })).status).toBe(200);
  expect((await ask(bearer(token), "GET", "/me")).status).toBe(401);
});

test("[S5] one person has so many tokens at most", async () => {
  const max = await enter(world.auth, "sign-up", "max");
  await world.sql`insert into api_tokens (id, user_id, name, scope, hash)
    select 't' || n, ${max.id}, 'old', 'read', 'hash' || n from generate_series(1, 200) n`;
  expect((await make(max.headers, "read")).body.code).toBe("CONFLICT");
  expect((await ask(max.headers, "DELETE", "/tokens/t1")).status).toBe(200);
  expect((await make(max.headers, "read")).status).toBe(201);
});
