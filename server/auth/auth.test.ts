/** Accounts, registration and tokens over HTTP (S1, S2, S4, S5). In one file, as all of it is one door with one database behind it. */
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invitations, logins, users } from "../../drizzle/schema/people";
import type { RegistrationPolicy } from "../contract/accounts";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { type Auth, createAuth } from "./auth";

const PASSWORD = "correct horse battery";
const CLIENT = "127.0.0.1";

let database: TestDatabase;
let connection: postgres.Sql;
let ended: string[];
let topics: string[];

beforeAll(async () => {
  database = await testDatabase();
  connection = postgres(database.url, { max: 5, onnotice: () => {} });
});
beforeEach(async () => {
  await connection`truncate users cascade`;
  ended = [];
  topics = [];
});
afterAll(async () => {
  await connection.end();
  await database.drop();
});

const db = () => drizzle(connection);

function auth(registration: RegistrationPolicy = "open", rows = db()): Auth {
  return createAuth({
    db: rows,
    secret: "a secret of at least thirty-two characters",
    baseUrl: "http://127.0.0.1:3000",
    registration,
    clock: { now: Date.now, monotonic: () => performance.now() },
    relaxedLimits: false,
    loginEnded: (id) => ended.push(id),
    news: (topic) => topics.push(topic),
    warn: () => {},
  });
}

function post(into: Auth, path: string, body: unknown, cookie = ""): Promise<Response> {
  const request = new Request(`http://127.0.0.1:3000/api/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return into.handle(request, CLIENT);
}

const signUp = (into: Auth, name: string, extra: object = {}) =>
  post(into, "/sign-up/email", { name, email: `${name}@example.com`, password: PASSWORD, ...extra });
const signIn = (into: Auth, name: string, password = PASSWORD) =>
  post(into, "/sign-in/email", { email: `${name}@example.com`, password });
const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
const partsOf = (setCookie: string) => setCookie.split("; ").sort();
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
const byCookie = (into: Auth, cookie: string) => into.whoIs(new Headers({ cookie }));

describe("accounts", () => {
  test("[S1] signing up, out and in: the cookie says who it is, until the login ends", async () => {
    const house = auth();
    const welcome = await signUp(house, "ada");
    expect(welcome.status).toBe(200);
    expect(welcome.headers.getSetCookie()[0]).toMatch(/HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/i);
    const caller = await byCookie(house, cookieOf(welcome));
    expect(await welcome.json()).toEqual({ user: { id: caller?.userId, name: "ada", email: "ada@example.com" } });
    expect(caller).toMatchObject({ name: "ada", email: "ada@example.com", role: "admin", scope: "admin" });

    const second = await signIn(house, "ada");
    expect(await post(house, "/sign-out", "", cookieOf(welcome))).toMatchObject({ status: 200 });
    expect(await byCookie(house, cookieOf(welcome))).toBeNull();
    expect(ended).toEqual([caller?.via.kind === "cookie" && caller.via.loginId]);
    expect(await byCookie(house, cookieOf(second))).toMatchObject({ name: "ada" });
  });

  test("[S1] the login in use is told without its secret, and prolonged when it is old", async () => {
    const house = auth();
    const cookie = cookieOf(await signUp(house, "ada"));
    const asked = () =>
      house.handle(new Request("http://127.0.0.1:3000/api/auth/get-session", { headers: { cookie } }), CLIENT);
    const told = await asked();
    expect(await told.json()).toEqual({
      user: { id: expect.any(String), name: "ada", email: "ada@example.com" },
      login: { expiresAt: expect.any(String) },
    });
    expect(told.headers.getSetCookie()).toEqual([]);
    await db().update(logins).set({ expiresAt: sql`now() + interval '2 days'` });
    expect((await asked()).headers.getSetCookie()[0]).toMatch(/^camelot\.session_token=/);
    const [login] = await db().select().from(logins);
    expect(login?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 20 * 24 * 3_600_000);
    expect(
      await (await house.handle(new Request("http://127.0.0.1:3000/api/auth/get-session"), CLIENT)).json(),
    ).toEqual({ user: null });
  });

  test("[S1] a login in use is prolonged, at most once a day, and its cookie with it: both live equally long", async () => {
    const house = auth();
    const welcome = await signUp(house, "ada");
    const cookie = cookieOf(welcome);
    const month = `Max-Age=${30 * 24 * 3_600}`;
    const [first = ""] = welcome.headers.getSetCookie();
    expect(first).toContain(`${month};`);
    const days = async () => {
      const [login] = await db().select().from(logins);
      return ((login?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000;
    };
    const use = async (left: string, canSend = true) => {
      await db()
        .update(logins)
        .set({ expiresAt: sql`now() + ${left}::interval` });
      const sent: string[] = [];
      const ask = () => house.whoIs(new Headers({ cookie }), canSend ? (again) => sent.push(again) : undefined);
      for (const caller of await Promise.all([ask(), ask()])) expect(caller).toMatchObject({ name: "ada" });
      return { sent, days: await days() };
    };
    const young = await use("29 days 1 minute");
    expect([young.sent, young.days < 29.1]).toEqual([[], true]);
    for (const left of ["28 days 23 hours", "5 seconds"]) {
      const old = await use(left);
      expect(old.days).toBeGreaterThan(29.9);
      // Once, and the very cookie of the sign-up, with what it is allowed.
      expect(old.sent.map(partsOf)).toEqual([partsOf(first)]);
    }
    // Where no cookie can be sent, as with a page or a socket, the row stays as long as the browser's cookie.
    const silent = await use("5 days", false);
    expect(silent.days).toBeLessThan(5.1);
    await db().update(logins).set({ expiresAt: sql`now() - interval '1 second'` });
    expect(await byCookie(house, cookie)).toBeNull();
    expect(await days()).toBeLessThan(0);
  });

  test("[S1] a forged, expired or unknown cookie is nobody", async () => {
    const house = auth();
    const cookie = cookieOf(await signUp(house, "ada"));
    const [name, value] = cookie.split("=") as [string, string];
    expect(await byCookie(house, `${name}=${value.replace(/^./, value.startsWith("a") ? "b" : "a")}`)).toBeNull();
    expect(await byCookie(house, `${name}=nonsense`)).toBeNull();
    expect(await house.whoIs(new Headers())).toBeNull();
    await db().update(logins).set({ expiresAt: sql`now() - interval '1 second'` });
    expect(await byCookie(house, cookie)).toBeNull();
  });

  test("[S1] when the database is away nobody is told that their login has ended", async () => {
    const cookie = cookieOf(await signUp(auth(), "ada"));
    const away = postgres(database.url, { max: 1, onnotice: () => {} });
    const house = auth("open", drizzle(away));
    expect(await byCookie(house, cookie)).not.toBeNull();
    await away.end();
    await expect(byCookie(house, cookie)).rejects.toMatchObject({ cause: { code: "CONNECTION_ENDED" } });
    await expect(signIn(house, "ada")).rejects.toMatchObject({ cause: { code: "CONNECTION_ENDED" } });
  });

  test("[S1] other devices can be signed out", async () => {
    const house = auth();
    const here = cookieOf(await signUp(house, "ada"));
    const elsewhere = cookieOf(await signIn(house, "ada"));
    expect((await post(house, "/revoke-other-sessions", {}, here)).status).toBe(200);
    expect(await byCookie(house, elsewhere)).toBeNull();
    expect(await byCookie(house, here)).not.toBeNull();
    expect(ended).toHaveLength(1);
  });

  test("[S1] a new password needs the old one, and ends every other login", async () => {
    const house = auth();
    const here = cookieOf(await signUp(house, "ada"));
    const elsewhere = cookieOf(await signIn(house, "ada"));
    const change = { currentPassword: "wrong", newPassword: "another password" };
    expect(await codeOf(await post(house, "/change-password", change))).toEqual([401, "UNAUTHORIZED"]);
    const wrong = await (await post(house, "/change-password", change, here)).json();
    expect(wrong).toEqual({
      code: "BAD_REQUEST",
      message: "The current password is wrong.",
      field: "currentPassword",
    });
    const same = { currentPassword: PASSWORD, newPassword: PASSWORD };
    expect(await (await post(house, "/change-password", same, here)).json()).toEqual({
      code: "BAD_REQUEST",
      message: "The new password is the current one.",
      field: "newPassword",
    });
    expect(await byCookie(house, elsewhere)).not.toBeNull();
    const right = { ...change, currentPassword: PASSWORD };
    expect((await post(house, "/change-password", right, here)).status).toBe(200);
    expect(await byCookie(house, elsewhere)).toBeNull();
    expect(await byCookie(house, here)).not.toBeNull();
    expect(ended).toHaveLength(1);
    expect((await signIn(house, "ada")).status).toBe(401);
    expect((await signIn(house, "ada", "another password")).status).toBe(200);
  });

  test("[S1] guessing the current password is slowed down like a login", async () => {
    const house = auth();
    const here = cookieOf(await signUp(house, "ada"));
    const guess = { currentPassword: "wrong", newPassword: "another password" };
    for (let n = 0; n < 10; n++) expect((await post(house, "/change-password", guess, here)).status).toBe(400);
    const refused = await post(house, "/change-password", { ...guess, currentPassword: PASSWORD }, here);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("[S1][L5] a new name is one's own, checked, and told to everybody", async () => {
    const house = auth();
    const here = cookieOf(await signUp(house, "ada"));
    topics = [];
    expect((await post(house, "/update-user", { name: "Ada" })).status).toBe(401);
    expect(await codeOf(await post(house, "/update-user", { name: " " }, here))).toEqual([400, "BAD_REQUEST"]);
    expect(topics).toEqual([]);
    const change = { name: " Ada Lovelace ", role: "member", active: false, email: "x@example.com" };
    expect((await post(house, "/update-user", change, here)).status).toBe(200);
    const is = await byCookie(house, here);
    expect(is).toMatchObject({ name: "Ada Lovelace", role: "admin", email: "ada@example.com" });
    expect(topics).toEqual(["users"]);
  });

  test("[S1] failed logins are slowed down per client and address; right ones are not", async () => {
    const house = auth();
    await signUp(house, "ada");
    await signUp(house, "ben");
    const guesses = await Promise.all(Array.from({ length: 14 }, () => signIn(house, "ada", "wrong password")));
    const statuses = guesses.map((answer) => answer.status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const refusal = await signIn(house, "ada");
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refusal.json()).toMatchObject({ code: "TOO_MANY_REQUESTS" });
    for (let times = 0; times < 12; times += 1) expect((await signIn(house, "ben")).status).toBe(200);
  });

  test("[S2] two first people at once: one administrator", async () => {
    const house = auth();
    const people = ["ada", "ben", "cleo", "dan"];
    await Promise.all(people.map((name) => signUp(house, name)));
    const rows = await db().select().from(users);
    expect(rows).toHaveLength(people.length);
    expect(rows.filter((person) => person.role === "admin")).toHaveLength(1);
    await signUp(house, "eve", { role: "admin", active: true, emailVerified: true });
    expect(await db().select().from(users).where(eq(users.name, "eve"))).toMatchObject([{ role: "member" }]);
  });

  test("[S2] a crash between a first sign-up and its appointment heals at the next start", async () => {
    await db().insert(users).values({ id: "lonely", name: "lonely", email: "lonely@example.com" });
    await auth().appointFirstAdmin();
    expect(await db().select().from(users)).toMatchObject([{ role: "admin" }]);
  });

  test("[S1] a deactivated person is nobody and cannot sign in", async () => {
    const house = auth();
    const cookie = cookieOf(await signUp(house, "ada"));
    await db().update(users).set({ active: false });
    expect(await byCookie(house, cookie)).toBeNull();
    const refusal = await signIn(house, "ada");
    expect(refusal.status).toBe(403);
    expect(await refusal.json()).toMatchObject({ code: "FORBIDDEN", message: expect.stringMatching(/deactivated/) });
    expect(cookieOf(refusal)).toBe("");
  });
});

describe("who may register", () => {
  test("[S4] closed: nobody, in our error format", async () => {
    const answer = await signUp(auth("closed"), "ada");
    expect(await codeOf(answer)).toEqual([403, "REGISTRATION_CLOSED"]);
    expect(await db().select().from(users)).toEqual([]);
  });

  test("[S4] invitation: the first person, then whoever holds an invitation, once", async () => {
    const house = auth("invitation");
    const first = await Promise.all([signUp(house, "ada"), signUp(house, "ben")]);
    expect(first.map((answer) => answer.status).sort()).toEqual([200, 403]);
    expect(await codeOf(await signUp(house, "cleo"))).toEqual([403, "REGISTRATION_CLOSED"]);
    const [admin] = await db().select().from(users);
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("open sesame"));
    await db()
      .insert(invitations)
      .values({
        id: "one",
        hash: Buffer.from(hash).toString("hex"),
        email: "Cleo@example.com",
        invitedBy: admin?.id ?? "",
        expiresAt: sql`now() + interval '1 day'`,
      });
    expect((await signUp(house, "dan", { invitation: "open sesame" })).status).toBe(403);
    expect((await signUp(house, "cleo", { invitation: "open sesame" })).status).toBe(200);
    expect((await signUp(house, "cleo2", { invitation: "open sesame" })).status).toBe(403);
  });
});

describe("what people send", () => {
  test.each([
    ["no name", { name: " " }],
    ["NUL in the name", { name: "a\u0000b" }],
    ["a name of 201 characters", { name: "x".repeat(201) }],
    ["no address", { email: "ada" }],
    ["NUL in the address", { email: "a\u0000b@example.com" }],
    ["an address of 300 characters", { email: `${"x".repeat(300)}@example.com` }],
    ["a short password", { password: "short" }],
    ["a password of 129 characters", { password: "x".repeat(129) }],
    ["a number for a name", { name: 7 }, "“name” has to be text."],
    ["no name at all", { name: undefined }, "“name” is missing."],
    ["a number for an invitation", { invitation: 7 }, "“invitation” has to be text."],
  ])("[S1] %s: 400, a sentence, the field", async (_what, wrong, sentence = expect.stringMatching(/^[A-Z“].*\.$/)) => {
    const answer = await signUp(auth(), "ada", wrong);
    expect(answer.status).toBe(400);
    const field = Object.keys(wrong)[0];
    expect(await answer.json()).toEqual({ code: "BAD_REQUEST", message: sentence, field });
  });

  test("[S1][P1] a body that is none is refused in the same words as everywhere else", async () => {
    for (const path of ["/sign-up/email", "/sign-in/email", "/change-password"]) {
      const broken = await post(auth(), path, "{");
      expect(await broken.json()).toEqual({ code: "BAD_REQUEST", message: "The body is not valid JSON." });
      const list = await post(auth(), path, "[]");
      expect(await list.json()).toEqual({ code: "BAD_REQUEST", message: "The body has to be a JSON object." });
    }
  });

  test("[S1] broken JSON, NUL at sign-in and calls we do not offer are refused plainly", async () => {
    const house = auth();
    expect(await codeOf(await post(house, "/sign-in/email", "{"))).toEqual([400, "BAD_REQUEST"]);
    const nul = { email: "a\u0000@example.com", password: "x" };
    expect(await codeOf(await post(house, "/sign-in/email", nul))).toEqual([400, "BAD_REQUEST"]);
    expect(await codeOf(await post(house, "/delete-user", {}))).toEqual([404, "NOT_FOUND"]);
    await signUp(house, "ada");
    expect(await codeOf(await signUp(house, "ada"))).toEqual([409, "CONFLICT"]);
    const wrong = await signIn(house, "ada", "wrong password");
    expect(await wrong.json()).toEqual({
      code: "UNAUTHORIZED",
      message: "The email address or the password is wrong.",
    });
  });
});

describe("API tokens", () => {
  test("[S5] a token says who and with which scope, shows its last use, and dies by revocation and with its owner", async () => {
    const house = auth();
    const cookie = cookieOf(await signUp(house, "ada"));
    const userId = (await byCookie(house, cookie))?.userId ?? "";
    const made = await house.tokens.make(userId, "deploy bot", "read");
    if (made === null) throw new Error("no token was made");
    const byToken = () => house.whoIs(new Headers({ authorization: `Bearer ${made.secret}`, cookie }));
    expect(await byToken()).toMatchObject({ userId, scope: "read", via: { kind: "token", tokenId: made.id } });
    const rows = await connection`select * from api_tokens`;
    expect(JSON.stringify(rows)).not.toContain(made.secret.slice("camelot_".length));
    expect(await house.tokens.list(userId)).toMatchObject([{ name: "deploy bot", lastUsedAt: expect.any(Number) }]);

    await db().update(users).set({ active: false });
    expect(await byToken()).toBeNull();
    await db().update(users).set({ active: true });
    expect(await house.tokens.revoke("somebody else", made.id)).toBe(false);
    expect(await house.tokens.revoke(userId, made.id)).toBe(true);
    expect(await byToken()).toBeNull();
    expect(ended).toEqual([made.id]);
    expect(await house.tokens.list(userId)).toEqual([]);
  });

  test("[S5] a wrong token is nobody, even beside a good cookie", async () => {
    const house = auth();
    const cookie = cookieOf(await signUp(house, "ada"));
    for (const authorization of ["Bearer camelot_wrong", "Bearer ", "Basic YTpi", "Bearer a b"]) {
      expect(await house.whoIs(new Headers({ authorization, cookie }))).toBeNull();
    }
  });
});
