/** A way back from a lost password, by API and real logins (S1). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter } from "../testing/access-doors";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("root", "admin");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

const renew = (by: string, of: string) => world.ask(by, "POST", `/users/${of}/password`);

function signIn(name: string, password: string): Promise<Response> {
  const request = new Request("http://127.0.0.1/api/auth/sign-in/email", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: `${name}@example.test`, password }),
  });
  return world.auth.handle(request, "127.0.0.1");
}

test("[S1] a new password lets somebody in again, and whoever came in by the old one is out; tokens go on", async () => {
  const anna = await enter(world.auth, "sign-up", "anna");
  const second = await enter(world.auth, "sign-in", "anna");
  const made = await world.ask(null, "POST", "/tokens", {
    body: { name: "T", scope: "read" },
    headers: { ...anna.headers },
  });
  const socket = world.connect({ ...second.headers });
  await waitFor(() => socket.pool !== null, "the first picture");
  const { status, body } = await renew("root", anna.id);
  expect([status, body]).toEqual([200, { password: expect.stringMatching(/^[2-9A-HJ-NP-Za-kmnp-z]{20}$/) }]);
  for (const { headers } of [anna, second]) expect(await world.auth.whoIs(new Headers(headers))).toBeNull();
  await waitFor(() => socket.ends.length > 0, "the socket to end");
  const bearer = { authorization: `Bearer ${made.body.token}` };
  expect((await world.ask(null, "GET", "/me", { headers: bearer })).status).toBe(200);
  expect((await signIn("anna", "correct horse battery")).status).toBe(401);
  expect((await signIn("anna", body.password)).status).toBe(200);
  expect(world.logged).toContain(`the administrator root gave ${anna.id} a new password`);
  expect(world.logged.join()).not.toContain(body.password);
  expect((await renew("root", anna.id)).body.password).not.toBe(body.password);
});

test("[S1][S2] members are refused, and administrators for themselves and for nobody", async () => {
  await world.addUser("ben");
  await world.addUser("cleo");
  expect((await renew("ben", "cleo")).status).toBe(403);
  expect((await renew("ben", "nobody")).status).toBe(403);
  expect((await renew("root", "nobody")).body).toMatchObject({ code: "NOT_FOUND" });
  const own = await renew("root", "root");
  expect([own.status, own.body.message]).toEqual([
    409,
    "This is your own account: change its password on the Account page.",
  ]);
});
