import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invitations, users } from "../../drizzle/schema/people";
import { projectMembers, projects } from "../../drizzle/schema/projects";
import type { RegistrationPolicy } from "../contract/accounts";
import { type TestDatabase, testDatabase } from "../testing/postgres";
import { type Auth, createAuth } from "./auth";

let database: TestDatabase;
let connection: postgres.Sql;

beforeAll(async () => {
  database = await testDatabase();
  connection = postgres(database.url, { max: 5, onnotice: () => {} });
});
beforeEach(async () => {
  await connection`truncate users, projects cascade`;
  await db()
    .insert(users)
    .values([
      { id: "root", name: "root", email: "root@example.com", role: "admin" },
      { id: "owner", name: "owner", email: "owner@example.com" },
    ]);
  await db().insert(projects).values({ id: "p1", name: "One", repository: "/r", path: "/r", baseBranch: "main" });
  await db().insert(projectMembers).values({ projectId: "p1", userId: "owner", role: "owner" });
});
afterAll(async () => {
  await connection.end();
  await database.drop();
});

const db = () => drizzle(connection);

function auth(registration: RegistrationPolicy = "invitation"): Auth {
  return createAuth({
    db: db(),
    secret: "a secret of at least thirty-two characters",
    baseUrl: "http://127.0.0.1:3000",
    registration,
    clock: { now: Date.now, monotonic: () => performance.now() },
    relaxedLimits: true,
    loginEnded: () => {},
    news: () => {},
    warn: () => {},
  });
}

async function link(house: Auth, by: string, email: string | null = null, projectId: string | null = null) {
  const made = await house.invitations.make(by, { email, projectId });
  if (made.kind !== "made") throw new Error(`no invitation: ${made.kind}`);
  return made;
}

async function signUp(house: Auth, name: string, invitation?: string, extra: object = {}): Promise<number> {
  const body = { name, email: `${name}@example.com`, password: "correct horse battery", invitation, ...extra };
  const request = new Request("http://127.0.0.1:3000/api/auth/sign-up/email", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await house.handle(request, "127.0.0.1")).status;
}

const projectsOf = (name: string) =>
  connection`select m.project_id, m.role from project_members m join users u on u.id = m.user_id where u.name = ${name}`;

describe("[S4][B10] invitations", () => {
  test("[S4] a link makes one account, as a member, and into its project; the secret is not kept", async () => {
    const house = auth();
    const { secret, invitation } = await link(house, "owner", null, "p1");
    expect(await house.invitations.look(secret)).toEqual({
      email: null,
      invitedBy: "owner",
      project: { id: "p1", name: "One" },
    });
    expect(JSON.stringify(await db().select().from(invitations))).not.toContain(secret);
    expect(invitation.expiresAt - invitation.createdAt).toBe(7 * 24 * 3_600_000);
    expect(await signUp(house, "guest", secret, { role: "admin" })).toBe(200);
    expect(await db().select().from(users).where(eq(users.name, "guest"))).toMatchObject([{ role: "member" }]);
    expect(await projectsOf("guest")).toMatchObject([{ project_id: "p1", role: "member" }]);
    expect(await signUp(house, "second", secret)).toBe(403);
    expect(await house.invitations.look(secret)).toBeNull();
    expect(await house.invitations.visibleTo({ userId: "root", role: "admin" }, null)).toEqual([]);
  });

  test("[S4] ten people with one link at once: one account", async () => {
    const houses = [auth(), auth()];
    const { secret } = await link(auth(), "root");
    const tries = Array.from({ length: 10 }, (_, n) => signUp(houses[n % 2] ?? auth(), `guest${n}`, secret));
    const statuses = await Promise.all(tries);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await db().$count(users)).toBe(3);
  });

  test("[S4] a link that made no account can be used again: a wrong password, an address that is taken", async () => {
    const house = auth();
    const { secret } = await link(house, "root");
    expect(await signUp(house, "guest", secret, { password: "short" })).toBe(400);
    expect(await signUp(house, "owner", secret)).toBe(409);
    expect(await signUp(house, "guest", secret)).toBe(200);
  });

  test.each([
    ["it is for another address", { email: "somebody@example.com" }, sql`select 1`],
    ["it is too old", {}, sql`update invitations set expires_at = now() - interval '1 second'`],
    ["whoever made it was deactivated", {}, sql`update users set active = false where id = 'root'`],
    ["whoever made it is no administrator any more", {}, sql`update users set role = 'member' where id = 'root'`],
    ["its owner left the project", { by: "owner" }, sql`delete from project_members`],
    ["its project was removed", { by: "owner" }, sql`update projects set deleted_at = now()`],
    ["it was taken back", {}, sql`delete from invitations`],
  ])("[S4] a link is of no use when %s", async (_when, { by = "root", email = null }: Given, then) => {
    const house = auth();
    const { secret } = await link(house, by, email, by === "owner" ? "p1" : null);
    await db().execute(then);
    expect(await signUp(house, "guest", secret)).toBe(403);
    expect(await db().$count(users)).toBe(2);
  });

  test("[S4] where everybody may register a link still leads into its project, and a bad one is not passed over", async () => {
    const house = auth("open");
    const { secret } = await link(house, "owner", "guest@example.com", "p1");
    expect(await signUp(house, "guest", "no such link")).toBe(403);
    expect(await signUp(house, "guest", secret)).toBe(200);
    expect(await projectsOf("guest")).toHaveLength(1);
    expect(await signUp(house, "other")).toBe(200);
  });

  test("[S4] where nobody may register no link is made, and none helps", async () => {
    const { secret } = await link(auth(), "root");
    const closed = auth("closed");
    expect(await closed.invitations.make("root", { email: null, projectId: null })).toEqual({ kind: "closed" });
    expect(await closed.invitations.look(secret)).toBeNull();
    expect(await signUp(closed, "guest", secret)).toBe(403);
  });

  test("[S4] somebody with an account joins by a link, once; of ten at once one does", async () => {
    const house = auth();
    const { secret, hasAccount } = await link(house, "owner", null, "p1");
    expect(hasAccount).toBe(false);
    const people = Array.from({ length: 10 }, (_, n) => ({ id: `g${n}`, name: `g${n}`, email: `g${n}@example.com` }));
    await db().insert(users).values(people);
    const tries = people.map(({ id, email }) => house.invitations.accept(secret, { userId: id, email }));
    const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["joined", ...Array<string>(9).fill("not-open")]);
    expect(await connection`select user_id from project_members where role = 'member'`).toHaveLength(1);
  });

  test("[S4] a link that is for another address, or leads nowhere new, is left open for whom it is meant", async () => {
    const house = auth();
    const owner = { userId: "owner", email: "owner@example.com" };
    const { secret, hasAccount } = await link(house, "owner", "root@example.com", "p1");
    expect(hasAccount).toBe(true);
    expect(await house.invitations.accept(secret, owner)).toEqual({ kind: "for-another", email: "root@example.com" });
    const anybodys = (await link(house, "owner", null, "p1")).secret;
    expect(await house.invitations.accept(anybodys, owner)).toEqual({ kind: "needless" });
    expect(await house.invitations.accept((await link(house, "root")).secret, owner)).toEqual({ kind: "needless" });
    expect(await house.invitations.accept(secret.slice(0, -1), owner)).toEqual({ kind: "not-open" });
    expect(await auth("closed").invitations.accept(anybodys, owner)).toEqual({ kind: "not-open" });
    const root = { userId: "root", email: "root@example.com" };
    expect(await house.invitations.accept(secret, root)).toEqual({ kind: "joined", projectId: "p1" });
    expect(await projectsOf("root")).toMatchObject([{ project_id: "p1", role: "member" }]);
  });

  test("[S4] inviting an address again makes the link before it useless, in that place only; ten at once leave one", async () => {
    const house = auth();
    const first = await link(house, "owner", "guest@example.com", "p1");
    const elsewhere = await link(house, "root", "guest@example.com");
    const tries = Array.from({ length: 10 }, () => link(house, "owner", "guest@example.com", "p1"));
    const made = [first, ...(await Promise.all(tries))];
    expect(made.map(({ replaced }) => replaced)).toEqual([false, ...Array<boolean>(10).fill(true)]);
    const open = await Promise.all(made.map(({ secret }) => house.invitations.look(secret)));
    expect(open.filter((found) => found !== null)).toHaveLength(1);
    expect(await house.invitations.look(elsewhere.secret)).not.toBeNull();
  });

  test("[S4] whoever has all that an invitation would give is not invited", async () => {
    const house = auth();
    const needless = { kind: "needless" };
    expect(await house.invitations.make("root", { email: "owner@example.com", projectId: null })).toEqual(needless);
    expect(await house.invitations.make("owner", { email: "owner@example.com", projectId: "p1" })).toEqual(needless);
  });

  test("[S2] owners see their project's links, administrators the installation's, others their own", async () => {
    const house = auth();
    await link(house, "owner", "a@example.com", "p1");
    await link(house, "root", "b@example.com");
    const seenBy = async (userId: string, role: "admin" | "member") =>
      (await house.invitations.visibleTo({ userId, role }, null)).map(({ email }) => email);
    expect(await seenBy("owner", "member")).toEqual(["a@example.com"]);
    expect(await seenBy("root", "admin")).toEqual(["b@example.com"]);
    expect(await seenBy("nobody", "member")).toEqual([]);
  });
});

interface Given {
  readonly by?: string;
  readonly email?: string | null;
}
