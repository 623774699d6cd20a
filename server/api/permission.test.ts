/** Who may ask what: one table, with a row for every call and every room (S2, S5). As long as the API is. */
import { type AnyContractRouter, isContractProcedure } from "@orpc/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ROOMS } from "../contract/live";
import { contract } from "../contract/router";
import { enter, type TestPerson } from "../testing/access-doors";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

vi.setConfig({ testTimeout: 60_000 });

/**
 * The columns: nobody; somebody who was deactivated; a signed-in person who is a member of nothing; a member of the project;
 * an owner of it; an administrator who has no part in it; and tokens of an administrator who also owns it, so that nothing
 * but their scope holds them back. "ok": admitted, whatever the call then answers.
 */
const WHO = [
  "nobody",
  "deactivated",
  "stranger",
  "member",
  "owner",
  "admin",
  "token to read",
  "token to dispatch",
  "token to administer",
] as const;
type Who = (typeof WHO)[number];
const REFUSED = new Set([401, 403, 404]);

interface Row {
  readonly id: keyof Ids;
  /** A body that is right, or null for none. PROJECT and SELF stand for ids. */
  readonly body: unknown;
  readonly expected: string;
  /** The path's `userId` is the caller's own. */
  readonly isSelf?: boolean;
  /** What the row asks takes something away, or gives a right: it gets a project of its own. */
  readonly isApart?: boolean;
}

const apart = { isApart: true };
/** One row per call of the contract, and more where the answer depends on what is sent. A call without a row fails. */
const ROWS: Record<string, Row> = {
  "me.get": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "users.list": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "users.get": row("user", null, "401 401 ok ok ok ok ok ok ok"),
  "users.history": row("user", null, "401 401 ok ok ok ok ok ok ok"),
  "users.change": row("user", { role: "member" }, "401 401 403 403 403 ok 403 403 ok"),
  "users.renewPassword": row("forgetful", null, "401 401 403 403 403 ok 403 403 ok"),
  "projects.list": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "projects.create": row("none", { name: "Mine", repository: "/repo" }, "401 401 ok ok ok ok 403 403 ok"),
  "projects.get": row("project", null, "401 401 404 ok ok 404 ok ok ok"),
  "projects.change": row("project", { name: "Renamed" }, "401 401 404 403 ok 404 403 403 ok"),
  "projects.remove": row("project", null, "401 401 404 403 ok 404 403 403 ok", apart),
  "projects.tryAgain": row("project", {}, "401 401 404 ok ok 404 403 ok ok"),
  "projects.members": row("project", null, "401 401 404 ok ok 404 ok ok ok"),
  "projects.setMember": row("project", { role: "member" }, "401 401 404 403 ok 404 403 403 ok"),
  "projects.setMember, oneself": row("project", { role: "owner" }, "401 401 404 403 ok ok 403 403 ok", {
    ...apart,
    isSelf: true,
  }),
  "projects.removeMember": row("project", null, "401 401 404 403 ok 404 403 403 ok", apart),
  "projects.removeMember, oneself": row("project", null, "401 401 404 ok ok 404 403 403 ok", {
    ...apart,
    isSelf: true,
  }),
  "projects.diskUse": row("project", null, "401 401 404 ok ok 404 ok ok ok"),
  "projects.gitHub": row("project", null, "401 401 404 ok ok 404 ok ok ok"),
  "projects.setGitHub": row("project", { token: "a-token-of-some-length" }, "401 401 404 403 ok 404 403 403 ok"),
  "projects.removeGitHub": row("project", null, "401 401 404 403 ok 404 403 403 ok"),
  "projects.bringInIssues": row("project", {}, "401 401 404 ok ok 404 403 ok ok"),
  "projects.variables": row("project", null, "401 401 404 ok ok 404 ok ok ok"),
  "projects.setVariable": row("project", { value: "v" }, "401 401 404 403 ok 404 403 403 ok"),
  "projects.removeVariable": row("project", null, "401 401 404 403 ok 404 403 403 ok"),
  "agents.list": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "agents.create": row("none", { name: "A", kind: "shell", projectId: "PROJECT" }, "401 401 404 403 ok 404 403 403 ok"),
  "agents.create, for everybody": row("none", { name: "A", kind: "shell" }, "401 401 403 403 403 ok 403 403 ok"),
  "agents.change": row("agent", { name: "Renamed" }, "401 401 404 403 ok 404 403 403 ok"),
  "agents.change, everybody's": row("everybodysAgent", { name: "Renamed" }, "401 401 403 403 403 ok 403 403 ok"),
  "agents.tryAgain": row("agent", {}, "401 401 404 ok ok 404 403 ok ok"),
  "agents.tryAgain, everybody's": row("everybodysAgent", {}, "401 401 ok ok ok ok 403 ok ok"),
  "agents.remove": row("agent", null, "401 401 404 403 ok 404 403 403 ok", apart),
  "agents.remove, everybody's": row("everybodysAgent", null, "401 401 403 403 403 ok 403 403 ok", apart),
  "runner.get": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "tasks.list": row("project", null, "401 401 404 ok ok 404 ok ok ok"),
  "tasks.create": row("project", { title: "T", prompt: "true" }, "401 401 404 ok ok 404 403 ok ok"),
  "tasks.get": row("task", null, "401 401 404 ok ok 404 ok ok ok"),
  "tasks.change": row("task", { title: "Renamed" }, "401 401 404 ok ok 404 403 ok ok"),
  "tasks.remove": row("task", null, "401 401 404 ok ok 404 403 ok ok", apart),
  "tasks.move": row("task", { column: "running" }, "401 401 404 ok ok 404 403 ok ok"),
  "tasks.dispatch": row("task", {}, "401 401 404 ok ok 404 403 ok ok"),
  "tasks.sessions": row("task", null, "401 401 404 ok ok 404 ok ok ok"),
  "tasks.diff": row("task", null, "401 401 404 ok ok 404 ok ok ok"),
  "tasks.base": row("task", null, "401 401 404 ok ok 404 ok ok ok"),
  "tasks.merge": row("task", {}, "401 401 404 ok ok 404 403 ok ok"),
  "tasks.push": row("task", { what: "base" }, "401 401 404 ok ok 404 403 ok ok"),
  "tasks.requestPull": row("task", {}, "401 401 404 ok ok 404 403 ok ok"),
  "tasks.pullRequest": row("task", null, "401 401 404 ok ok 404 ok ok ok"),
  "tasks.refreshPull": row("task", {}, "401 401 404 ok ok 404 403 ok ok"),
  "tasks.discard": row("task", {}, "401 401 404 ok ok 404 403 ok ok", apart),
  "tasks.restore": row("task", {}, "401 401 404 ok ok 404 403 ok ok"),
  "sessions.get": row("session", null, "401 401 404 ok ok 404 ok ok ok"),
  "sessions.cancel": row("session", {}, "401 401 404 ok ok 404 403 ok ok", apart),
  "sessions.reorder": row("session", { before: null }, "401 401 404 ok ok 404 403 ok ok"),
  "sessions.answer": row("session", { questionId: "q1", option: "yes" }, "401 401 404 ok ok 404 403 ok ok"),
  "sessions.message": row("session", { text: "hello" }, "401 401 404 ok ok 404 403 ok ok"),
  "sessions.declareLost": row("session", {}, "401 401 403 403 403 ok 403 403 ok"),
  "sessions.output": row("session", null, "401 401 404 ok ok 404 ok ok ok"),
  "sessions.events": row("session", null, "401 401 404 ok ok 404 ok ok ok"),
  "usage.ofTask": row("task", null, "401 401 404 ok ok 404 ok ok ok"),
  "usage.ofProject": row("project", null, "401 401 404 ok ok 404 ok ok ok"),
  "usage.ofUser": row("user", null, "401 401 ok ok ok ok ok ok ok"),
  "settings.get": row("none", null, "401 401 403 403 403 ok 403 403 ok"),
  "settings.change": row("none", { outputDays: 30 }, "401 401 403 403 403 ok 403 403 ok"),
  "pool.get": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "pool.health": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "pool.history": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "pool.line": row("user", null, "401 401 ok ok ok ok ok ok ok"),
  "pool.settings": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "pool.change": row("none", { paused: false }, "401 401 403 403 403 ok 403 403 ok"),
  "pool.setUser": row("user", { max: null }, "401 401 403 403 403 ok 403 403 ok"),
  "pool.rebuild": row("none", {}, "401 401 403 403 403 ok 403 403 ok"),
  "tokens.list": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "tokens.make": row("none", { name: "T", scope: "read" }, "401 401 ok ok ok ok 403 403 ok"),
  "tokens.revoke, another's": row("token", null, "401 401 404 404 404 404 403 403 404"),
  "invitations.list": row("none", null, "401 401 ok ok ok ok ok ok ok"),
  "invitations.make": row("none", { projectId: "PROJECT" }, "401 401 404 403 ok 404 403 403 ok"),
  "invitations.make, to the house": row("none", {}, "401 401 403 403 403 ok 403 403 ok"),
  "invitations.accept, never made": row("none", { secret: "s" }, "401 401 404 404 404 404 403 403 404"),
  "invitations.remove": row("invitation", null, "401 401 404 403 ok 404 403 403 ok", apart),
};

/** What one hears: of a board and an output when one asks, of the pool as many sessions of the project as one may see. */
const ROOM_ROWS: Record<(typeof ROOMS)[number] | "pool", { id: keyof Ids; expected: string }> = {
  pool: { id: "none", expected: "unauthorized unauthorized 0 1 1 0 1 1 1" },
  board: { id: "project", expected: "unauthorized unauthorized NOT_FOUND ok ok NOT_FOUND ok ok ok" },
  output: { id: "session", expected: "unauthorized unauthorized NOT_FOUND ok ok NOT_FOUND ok ok ok" },
};

interface Ids {
  none: string;
  user: string;
  /** Whose logins end. */
  forgetful: string;
  project: string;
  agent: string;
  everybodysAgent: string;
  task: string;
  session: string;
  token: string;
  invitation: string;
}
type Headers = Readonly<Record<string, string>>;

const calls = new Map(callsOf(contract, []));
let world: ApiWorld;
/** Ids of people, and what each column sends. */
const ids = new Map<string, string>();
const headers = new Map<string, Headers>();

beforeAll(async () => {
  world = await apiWorld();
  for (const name of ["admin", "stranger", "member", "owner", "boss", "target", "forgetful", "deactivated"])
    await addPerson(name);
  await world.sql`update users set role = 'admin' where name = 'boss'`;
  for (const [who, scope] of [
    ["token to read", "read"],
    ["token to dispatch", "dispatch"],
    ["token to administer", "admin"],
  ] as const) {
    const { body } = await ask("boss", "POST", "/tokens", { name: who, scope });
    headers.set(who, { authorization: `Bearer ${body.token}` });
    ids.set(who, idOf("boss"));
  }
  const left = await ask("admin", "PATCH", `/users/${idOf("deactivated")}`, { active: false });
  expect(left.status).toBe(200);
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

async function addPerson(name: string): Promise<void> {
  const person: TestPerson = await enter(world.auth, "sign-up", name);
  ids.set(name, person.id);
  headers.set(name, person.headers);
}

function idOf(name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`nobody is called ${name}`);
  return id;
}

function ask(who: string, method: string, path: string, body?: unknown) {
  return world.ask(null, method, path, { body, headers: { ...headers.get(who) } });
}

let rounds = 0;
/** Something fresh of each kind. */
async function things(): Promise<Ids> {
  const project = (await ask("owner", "POST", "/projects", { name: "P", repository: "/repo" })).body.id;
  for (const [name, role] of [
    ["member", "member"],
    ["target", "member"],
    ["boss", "owner"],
  ] as const) {
    await ask("owner", "PUT", `/projects/${project}/members/${idOf(name)}`, { role });
  }
  const made = async (who: string, path: string, body: object) => (await ask(who, "POST", path, body)).body.id;
  const newTask = () => made("member", `/projects/${project}/tasks`, { title: "T", prompt: "true" });
  const agentWish = { name: `A ${++rounds}`, kind: "shell" };
  const [agent, everybodysAgent, task, dispatched, token, invitation] = await Promise.all([
    made("owner", "/agents", { ...agentWish, projectId: project }),
    made("boss", "/agents", agentWish),
    newTask(),
    newTask(),
    made("target", "/tokens", { name: "T", scope: "read" }),
    made("owner", "/invitations", { projectId: project }),
  ]);
  const session = (await ask("member", "POST", `/tasks/${dispatched}/dispatch`)).body.session.id;
  const people = { user: idOf("target"), forgetful: idOf("forgetful") };
  return { none: "", ...people, project, agent, everybodysAgent, task, session, token, invitation };
}

async function asked(who: Who, name: string, { id, body, isSelf }: Row, of: Ids): Promise<number> {
  const call = calls.get(callNamed(name));
  if (!call) throw new Error(`there is no call ${name}`);
  const user = isSelf ? (ids.get(who) ?? "nobody") : of.user;
  const path = call.path.replace("{id}", of[id]).replace("{userId}", user).replace("{name}", "NAME");
  const sent = body === null ? undefined : JSON.stringify(body).replace("PROJECT", of.project);
  return (await ask(who, call.method, path, sent)).status;
}

describe("[S2][S5] who may ask what", () => {
  test("[S2] every call and every room has a row, and no row is left over", () => {
    expect(new Set(Object.keys(ROWS).map(callNamed))).toEqual(new Set(calls.keys()));
    expect(new Set(Object.keys(ROOM_ROWS))).toEqual(new Set([...ROOMS, "pool"]));
  });

  test("[S5] a token to dispatch does what members do, and what only owners or administrators may do needs more", () => {
    const column = (who: Who) => WHO.indexOf(who);
    for (const [name, { expected }] of Object.entries(ROWS)) {
      const rights = expected.split(" ");
      if (rights[column("member")] === "ok" || rights[column("token to administer")] !== "ok") continue;
      expect([name, rights[column("token to dispatch")]]).toEqual([name, "403"]);
    }
  });

  test.each(WHO.map((who, column) => [who, column] as const))("[S2][S5] %s, on every call", async (who, column) => {
    const found: Record<string, string> = {};
    const expected: Record<string, string> = {};
    const shared = await things();
    for (const [name, row] of Object.entries(ROWS)) {
      const right = row.expected.split(" ")[column] ?? "";
      const status = await asked(who, name, row, row.isApart && right === "ok" ? await things() : shared);
      found[name] = REFUSED.has(status) ? String(status) : "ok";
      expected[name] = right;
    }
    expect(found).toEqual(expected);
  });

  test.each(WHO.map((who, column) => [who, column] as const))("[S2][L4] %s, in every room", async (who, column) => {
    const of = await things();
    const expected = Object.fromEntries(
      Object.entries(ROOM_ROWS).map(([room, row]) => [room, row.expected.split(" ")[column]]),
    );
    const socket = world.connect({ ...headers.get(who) });
    await waitFor(() => socket.pool !== null || socket.ends.length > 0, "an answer");
    if (socket.pool === null) {
      expect(Object.fromEntries(Object.keys(expected).map((room) => [room, socket.ends[0]]))).toEqual(expected);
      return;
    }
    // A socket's first picture may be a tenth of a second old (L2); what was just dispatched comes with the next message.
    const picture = await socket.poolAt(world.pool.snapshot().version);
    const seen = Object.values(picture.sessions).filter(({ projectId }) => projectId === of.project);
    const found: Record<string, string> = { pool: String(seen.length) };
    for (const room of ROOMS) {
      const answer = await socket.watch(room, of[ROOM_ROWS[room].id]);
      found[room] = "ok" in answer ? "ok" : answer.code;
    }
    expect(found).toEqual(expected);
  });
});

test("[S2] an administrator who joins a foreign project is written down, and sees it from then on", async () => {
  const { project } = await things();
  world.logged.length = 0;
  expect((await ask("admin", "GET", `/projects/${project}`)).status).toBe(404);
  const self = `/projects/${project}/members/${idOf("admin")}`;
  const joined = await ask("admin", "PUT", self, { role: "member" });
  expect([joined.status, joined.body.role]).toEqual([200, "member"]);
  expect(world.logged).toEqual([`the administrator ${idOf("admin")} joined project ${project} as member`]);
  expect((await ask("admin", "GET", `/projects/${project}`)).body.role).toBe("member");
  // From here on they are a member like any other, and no member makes themself an owner.
  expect((await ask("admin", "PUT", self, { role: "owner" })).status).toBe(403);
  expect((await ask("admin", "PUT", `/projects/nothing/members/${idOf("admin")}`, { role: "owner" })).status).toBe(404);
});

function row(id: keyof Ids, body: unknown, expected: string, more: Partial<Row> = {}): Row {
  return { id, body, expected, ...more };
}

/** A row's name may say more behind a comma. */
function callNamed(name: string): string {
  return name.split(",", 1)[0] ?? name;
}

function* callsOf(
  router: AnyContractRouter,
  path: readonly string[],
): Generator<[string, { readonly method: string; readonly path: string }]> {
  if (isContractProcedure(router)) {
    const { route } = router["~orpc"];
    yield [path.join("."), { method: route.method ?? "", path: route.path ?? "" }];
    return;
  }
  for (const [key, inner] of Object.entries(router)) yield* callsOf(inner, [...path, key]);
}
