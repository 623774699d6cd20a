import { type AnyContractRouter, isContractProcedure } from "@orpc/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallMeta } from "../contract/needs";
import { contract } from "../contract/router";
import { type ApiWorld, apiWorld } from "../testing/api-world";

/**
 * One row per call of the contract: a body that is right, or null for none. A new call without a row fails.
 * `id` stands for what the path's id names.
 */
const ROWS: Record<string, { id: keyof Ids; body: unknown }> = {
  "me.get": { id: "none", body: null },
  "users.list": { id: "none", body: null },
  "users.get": { id: "user", body: null },
  "users.change": { id: "user", body: { role: "member" } },
  "projects.list": { id: "none", body: null },
  "projects.create": { id: "none", body: { name: "Mine", repository: "/repo" } },
  "projects.get": { id: "project", body: null },
  "projects.change": { id: "project", body: { name: "Renamed" } },
  "projects.remove": { id: "project", body: null },
  "projects.members": { id: "project", body: null },
  "projects.setMember": { id: "project", body: { role: "member" } },
  "projects.removeMember": { id: "project", body: null },
  "projects.variables": { id: "project", body: null },
  "projects.setVariable": { id: "project", body: { value: "v" } },
  "projects.removeVariable": { id: "project", body: null },
  "agents.list": { id: "none", body: null },
  "agents.create": { id: "none", body: { name: "Mine", kind: "shell", projectId: "PROJECT" } },
  "agents.change": { id: "agent", body: { name: "Renamed" } },
  "agents.remove": { id: "agent", body: null },
  "tasks.list": { id: "project", body: null },
  "tasks.create": { id: "project", body: { title: "T", prompt: "true" } },
  "tasks.get": { id: "task", body: null },
  "tasks.change": { id: "task", body: { title: "Renamed" } },
  "tasks.remove": { id: "task", body: null },
  "tasks.move": { id: "task", body: { column: "running" } },
  "tasks.dispatch": { id: "task", body: {} },
  "tasks.sessions": { id: "task", body: null },
  "tasks.diff": { id: "task", body: null },
  "sessions.get": { id: "session", body: null },
  "sessions.cancel": { id: "session", body: {} },
  "sessions.reorder": { id: "session", body: { before: null } },
  "sessions.output": { id: "session", body: null },
  "pool.get": { id: "none", body: null },
  "pool.settings": { id: "none", body: null },
  "pool.change": { id: "none", body: { paused: false } },
  "pool.setUser": { id: "user", body: { max: null } },
  "pool.rebuild": { id: "none", body: {} },
};

interface Ids {
  none: string;
  user: string;
  project: string;
  agent: string;
  task: string;
  session: string;
}
type Who = "nobody" | "stranger" | "member" | "owner" | "admin";
const REFUSED = new Set([401, 403, 404]);

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly meta: CallMeta;
}

/** These take away what others need: asked last, in this order. */
const TAKE_AWAY = ["sessions.cancel", "agents.remove", "tasks.remove", "projects.removeMember", "projects.remove"];
const calls = [...callsOf(contract, [])].toSorted((a, b) => TAKE_AWAY.indexOf(a.name) - TAKE_AWAY.indexOf(b.name));
let world: ApiWorld;
let other: string;

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("admin", "admin");
  for (const id of ["stranger", "member", "owner", "target"]) await world.addUser(id);
  other = await world.project("stranger");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

/** Something fresh of each kind. */
async function things(): Promise<Ids> {
  const project = await world.project("owner", ["member", "target"]);
  const task = await world.task("member", project);
  const session = (await world.ask("member", "POST", `/tasks/${task}/dispatch`)).body.session.id;
  const agent = await world.ask("owner", "POST", "/agents", { body: { name: "A", kind: "shell", projectId: project } });
  return {
    none: "",
    user: "target",
    project,
    agent: agent.body.id,
    task: await world.task("member", project),
    session,
  };
}

async function asked(who: Who, { name, method, path }: Call, ids: Ids) {
  const row = ROWS[name];
  if (!row) throw new Error(`${name} has no row`);
  const filled = path.replace("{id}", ids[row.id]).replace("{userId}", ids.user).replace("{name}", "NAME");
  const text = row.body === null ? undefined : JSON.stringify(row.body).replace("PROJECT", ids.project);
  const answer = await world.ask(
    who === "nobody" ? null : who,
    method,
    filled,
    text === undefined ? {} : { body: text },
  );
  return answer.status;
}

/** What the need says, for each kind of person. */
function expected(who: Who, { need }: CallMeta): number | "admitted" {
  if (who === "nobody") return 401;
  switch (need.kind) {
    case "signed-in":
      return "admitted";
    case "admin":
      return who === "admin" ? "admitted" : 403;
    case "agent":
    case "project": {
      if (who === "stranger" || who === "admin") return 404;
      const isOwners = need.kind === "agent" || need.role !== "member";
      return isOwners && who === "member" ? 403 : "admitted";
    }
    default:
      return need satisfies never;
  }
}

describe("[S2] who may ask what", () => {
  test("[S2] every call of the contract has a row, and no row is left over", () => {
    expect(Object.keys(ROWS).toSorted()).toEqual(calls.map((call) => call.name).toSorted());
  });

  test.each(["nobody", "stranger", "member", "owner", "admin"] as const)("[S2] %s, on every call", async (who) => {
    const wrong: string[] = [];
    const ids = await things();
    for (const call of calls) {
      const status = await asked(who, call, ids);
      const right = expected(who, call.meta);
      if (right === "admitted" ? REFUSED.has(status) : status !== right)
        wrong.push(`${call.name}: ${status}, not ${right}`);
    }
    expect(wrong).toEqual([]);
  });

  test("[S2] an id of a foreign project and one that does not exist get the same answer, whatever is sent", async () => {
    const ids = await things();
    const unknown = Object.fromEntries(
      Object.keys(ids).map((kind) => [kind, "nothing-of-that-name"]),
    ) as unknown as Ids;
    for (const call of calls.filter(({ meta }) => meta.need.kind === "project")) {
      const row = ROWS[call.name];
      const answers = [];
      for (const of of [ids, unknown]) {
        const path = call.path.replace("{id}", of[row?.id ?? "none"]).replace("{userId}", "target");
        const { status, body } = await world.ask(
          "stranger",
          call.method,
          path,
          call.method === "GET" ? {} : { body: { bad: 1 } },
        );
        answers.push({ status, body });
      }
      expect(answers[0], call.name).toEqual(answers[1]);
      expect(answers[0]?.status, call.name).toBe(404);
    }
  });

  test("[S2] ids of another project in a body are not there: agent, neighbour, line, agent's home", async () => {
    const { project, task, session, agent } = await things();
    const own = await world.task("stranger", other);
    const tries = [
      world.ask("stranger", "POST", `/projects/${other}/tasks`, { body: { title: "T", prompt: "", agentId: agent } }),
      world.ask("stranger", "PATCH", `/tasks/${own}`, { body: { agentId: agent } }),
      world.ask("stranger", "POST", `/tasks/${own}/dispatch`, { body: { agentId: agent } }),
      world.ask("stranger", "POST", `/tasks/${own}/move`, { body: { column: "backlog", before: task } }),
      world.ask("stranger", "POST", "/agents", { body: { name: "A", kind: "shell", projectId: project } }),
    ];
    for (const { status } of await Promise.all(tries)) expect(status).toBe(404);
    const mine = (await world.ask("stranger", "POST", `/tasks/${own}/dispatch`)).body.session.id;
    expect(
      (await world.ask("stranger", "POST", `/sessions/${mine}/reorder`, { body: { before: session } })).status,
    ).toBe(409);
    const pool = await world.ask("stranger", "GET", "/pool");
    expect(Object.keys(pool.body.sessions)).toEqual([mine]);
    expect((await world.ask("stranger", "GET", `/agents?projectId=${project}`)).body.items).toHaveLength(1);
    expect((await world.ask("stranger", "GET", "/users/member")).body.history).toEqual([]);
  });

  test("[S5] a token does what its scope says: read, dispatch, admin", async () => {
    const { task } = await things();
    const [reader, dispatcher] = [world.token("member", "read"), world.token("member", "dispatch")];
    expect((await world.ask(reader, "GET", `/tasks/${task}`)).status).toBe(200);
    expect((await world.ask(reader, "POST", `/tasks/${task}/dispatch`)).status).toBe(403);
    expect((await world.ask(dispatcher, "POST", `/tasks/${task}/dispatch`)).status).toBe(201);
    expect((await world.ask(world.token("admin", "dispatch"), "PATCH", "/pool", { body: {} })).status).toBe(403);
    expect((await world.ask(world.token("admin", "admin"), "PATCH", "/pool", { body: {} })).status).toBe(200);
  });
});

function* callsOf(router: AnyContractRouter, path: readonly string[]): Generator<Call> {
  if (isContractProcedure(router)) {
    const { route, meta } = router["~orpc"];
    yield { name: path.join("."), method: route.method ?? "", path: route.path ?? "", meta: meta as CallMeta };
    return;
  }
  for (const [key, inner] of Object.entries(router)) yield* callsOf(inner, [...path, key]);
}
