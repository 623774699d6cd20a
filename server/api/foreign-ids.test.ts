import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enter } from "../testing/access-doors";
import { type ApiWorld, apiWorld } from "../testing/api-world";

/** `mallory` belongs to project one only; everything of project two is `owner`'s. */
interface Things {
  readonly project: string;
  readonly task: string;
  readonly session: string;
  readonly agent: string;
  readonly invitation: string;
  readonly token: string;
}

let world: ApiWorld;
let mallory: Readonly<Record<string, string>>[];
let malloryId: string;
let ownerId: string;
let one: Things;
/** A task of mallory's that nobody works on. */
let idle: string;
let two: Things;
const unknown: Things = {
  project: "nothing",
  task: "nothing",
  session: "nothing",
  agent: "nothing",
  invitation: "nothing",
  token: "nothing",
};

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("admin", "admin");
  const [owner, guest] = [await enter(world.auth, "sign-up", "owner"), await enter(world.auth, "sign-up", "mallory")];
  [ownerId, malloryId] = [owner.id, guest.id];
  one = await thingsOf(guest.headers);
  idle = (await ask(guest.headers, "POST", `/projects/${one.project}/tasks`, { title: "T", prompt: "true" })).body.id;
  two = await thingsOf(owner.headers);
  const token = await ask(guest.headers, "POST", "/tokens", { name: "script", scope: "admin" });
  mallory = [guest.headers, { authorization: `Bearer ${token.body.token}` }];
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

function ask(headers: Readonly<Record<string, string>>, method: string, path: string, body?: unknown) {
  return world.ask(null, method, path, { body, headers });
}

async function thingsOf(headers: Readonly<Record<string, string>>): Promise<Things> {
  const made = async (path: string, body: object) => (await ask(headers, "POST", path, body)).body.id;
  const project = await made("/projects", { name: "P", repository: "/repo" });
  const task = await made(`/projects/${project}/tasks`, { title: "Theirs", prompt: "true" });
  return {
    project,
    task,
    session: (await ask(headers, "POST", `/tasks/${task}/dispatch`)).body.session.id,
    agent: await made("/agents", { name: "Theirs", kind: "shell", projectId: project }),
    invitation: await made("/invitations", { projectId: project }),
    token: await made("/tokens", { name: "Theirs", scope: "read" }),
  };
}

/** Everything of project two, and everything `owner` has. */
async function rowsOfTwo(): Promise<string> {
  const { sql } = world;
  const rows = await Promise.all([
    sql`select * from projects where id = ${two.project}`,
    sql`select * from project_members where project_id = ${two.project} order by user_id`,
    sql`select * from project_variables where project_id = ${two.project}`,
    sql`select * from tasks where project_id = ${two.project} order by id`,
    sql`select * from sessions where project_id = ${two.project} order by id`,
    sql`select * from agents where project_id = ${two.project} order by id`,
    sql`select * from invitations where project_id = ${two.project} order by id`,
    sql`select * from api_tokens where user_id = ${ownerId} order by id`,
    sql`select * from users where id = ${ownerId}`,
  ]);
  return JSON.stringify(rows);
}

type Call = readonly [method: string, path: string, body?: unknown];

/** Every place into which an id goes: in the path, in the query, in the body, beside an id of one's own. */
const PLACES: Record<string, (foreign: Things) => Call> = {
  project: ({ project }) => ["GET", `/projects/${project}`],
  "project, renamed": ({ project }) => ["PATCH", `/projects/${project}`, { name: "Mine now" }],
  "project, removed": ({ project }) => ["DELETE", `/projects/${project}?confirm=true`],
  "its members": ({ project }) => ["GET", `/projects/${project}/members`],
  "oneself as its owner": ({ project }) => ["PUT", `/projects/${project}/members/${malloryId}`, { role: "owner" }],
  "its owner taken off": ({ project }) => ["DELETE", `/projects/${project}/members/${ownerId}?confirm=true`],
  "its variables": ({ project }) => ["GET", `/projects/${project}/variables`],
  "a variable of it": ({ project }) => ["PUT", `/projects/${project}/variables/PATH`, { value: "/bad" }],
  "a variable removed": ({ project }) => ["DELETE", `/projects/${project}/variables/PATH`],
  "its tasks": ({ project }) => ["GET", `/projects/${project}/tasks`],
  "a task in it": ({ project }) => ["POST", `/projects/${project}/tasks`, { title: "T", prompt: "true" }],
  "a bad task in it": ({ project }) => ["POST", `/projects/${project}/tasks`, { title: 7 }],
  "an agent in it": ({ project }) => ["POST", "/agents", { name: "A", kind: "shell", projectId: project }],
  "an invitation into it": ({ project }) => ["POST", "/invitations", { projectId: project }],
  "its agents": ({ project }) => ["GET", `/agents?projectId=${project}`],
  "its invitations": ({ project }) => ["GET", `/invitations?projectId=${project}`],
  "projects after it": ({ project }) => ["GET", `/projects?after=${project}`],
  task: ({ task }) => ["GET", `/tasks/${task}`],
  "task, changed": ({ task }) => ["PATCH", `/tasks/${task}`, { title: "Mine now" }],
  "task, deleted": ({ task }) => ["DELETE", `/tasks/${task}?confirm=true`],
  "task, moved": ({ task }) => ["POST", `/tasks/${task}/move?confirm=true`, { column: "done" }],
  "task, dispatched": ({ task }) => ["POST", `/tasks/${task}/dispatch`],
  "task, merged": ({ task }) => ["POST", `/tasks/${task}/merge`],
  "task, pushed": ({ task }) => ["POST", `/tasks/${task}/push`, { what: "base" }],
  "task, discarded": ({ task }) => ["POST", `/tasks/${task}/discard`],
  "task, taken up again": ({ task }) => ["POST", `/tasks/${task}/restore`],
  "its sessions": ({ task }) => ["GET", `/tasks/${task}/sessions`],
  "its diff": ({ task }) => ["GET", `/tasks/${task}/diff`],
  "own task before it": ({ task }) => ["POST", `/tasks/${idle}/move`, { column: "backlog", before: task }],
  "tasks after it": ({ task }) => ["GET", `/projects/${one.project}/tasks?after=${task}`],
  session: ({ session }) => ["GET", `/sessions/${session}`],
  "session, cancelled": ({ session }) => ["POST", `/sessions/${session}/cancel`],
  "its output": ({ session }) => ["GET", `/sessions/${session}/output`],
  "session, reordered": ({ session }) => ["POST", `/sessions/${session}/reorder`, { before: null }],
  "own session before it": ({ session }) => ["POST", `/sessions/${one.session}/reorder`, { before: session }],
  "sessions after it": ({ session }) => ["GET", `/tasks/${one.task}/sessions?after=${session}`],
  agent: ({ agent }) => ["PATCH", `/agents/${agent}`, { name: "Mine now" }],
  "agent, removed": ({ agent }) => ["DELETE", `/agents/${agent}`],
  "a task with its agent": ({ agent }) => [
    "POST",
    `/projects/${one.project}/tasks`,
    { title: "T", prompt: "", agentId: agent },
  ],
  "own task with its agent": ({ agent }) => ["PATCH", `/tasks/${one.task}`, { agentId: agent }],
  "agents after it": ({ agent }) => ["GET", `/agents?after=${agent}`],
  "invitation, taken back": ({ invitation }) => ["DELETE", `/invitations/${invitation}`],
  "token, revoked": ({ token }) => ["DELETE", `/tokens/${token}`],
};

/** Lists leave out what is not yours instead of saying no; a line says that it is not in it. */
const ANSWERED: Record<string, number> = {
  "its agents": 200,
  "its invitations": 200,
  "projects after it": 200,
  "tasks after it": 200,
  "sessions after it": 200,
  "agents after it": 200,
  "own session before it": 409,
};

describe("[S2][SEC-2] ids of a project one is no member of", () => {
  test.each(Object.keys(PLACES))(
    "[S2][SEC-2] %s: the same answer as for an id that does not exist, and nothing happens",
    async (place) => {
      const call = PLACES[place];
      if (!call) throw new Error(`no such place: ${place}`);
      const before = await rowsOfTwo();
      world.told.length = 0;
      for (const headers of mallory) {
        const [foreign, nothing] = [await ask(headers, ...call(two)), await ask(headers, ...call(unknown))];
        expect(foreign.status).toBe(ANSWERED[place] ?? 404);
        expect([foreign.status, foreign.body]).toEqual([nothing.status, nothing.body]);
        const said = JSON.stringify(foreign.body);
        for (const id of Object.values(two)) expect(said).not.toContain(id);
      }
      expect(await rowsOfTwo()).toBe(before);
      expect(world.told.filter(({ about }) => about === two.project || about === ownerId)).toEqual([]);
    },
  );

  test("[S2][SEC-2] a dispatch with a foreign agent, and one under a key, start nothing", async () => {
    const headers = mallory[0] ?? {};
    const task = (await ask(headers, "POST", `/projects/${one.project}/tasks`, { title: "T", prompt: "true" })).body.id;
    const answers = [];
    for (const agentId of [two.agent, unknown.agent]) {
      answers.push(await ask(headers, "POST", `/tasks/${task}/dispatch`, { agentId }));
      answers.push(
        await ask({ ...headers, "idempotency-key": agentId }, "POST", `/tasks/${task}/dispatch`, { agentId }),
      );
    }
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await ask(headers, "GET", `/tasks/${task}`)).body.session).toBeNull();
  });

  test("[S2][L4][SEC-2] no list, profile or picture holds anything of it", async () => {
    for (const headers of mallory) {
      for (const path of [
        "/projects",
        "/agents",
        "/invitations",
        "/tokens",
        "/pool",
        "/pool/health",
        `/pool/users/${ownerId}`,
        `/users/${ownerId}`,
        "/users",
      ]) {
        const { status, body } = await ask(headers, "GET", path);
        expect(status).toBe(200);
        const said = JSON.stringify(body);
        for (const [what, id] of Object.entries(two)) expect(said, `${what} in ${path}`).not.toContain(id);
      }
    }
    const { body } = await ask(mallory[0] ?? {}, "GET", "/pool");
    expect(Object.keys(body.sessions)).toEqual([one.session]);
    expect(body.users[ownerId]).toMatchObject({ running: 1 });
    const line = await ask(mallory[0] ?? {}, "GET", `/pool/users/${ownerId}`);
    expect(line.body).toMatchObject({ running: 1, sessions: [], elsewhere: { running: 1, queued: 0 } });
  });
});
