/**
 * Two servers on one database and one data directory (P19), as processes: whoever is asked answers, one writes, and when it dies,
 * freezes or leaves, the other goes on with what runs. In one file, as every story needs both of them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { io, type Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { stopAllAgents } from "./runner/process/stop-all";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { waitFor } from "./testing/wait-for";

/** Steps are patient: the machine does other things too. */
const PATIENT_MS = 40_000;
/** The lease's time to live and a margin for a busy machine. */
const TAKEOVER_MS = 25_000;
vi.setConfig({ testTimeout: 150_000 });

/** Long ones are not there at all in a short run: a skipped test counts as failed. */
const testAll: typeof test | (() => void) = process.env.CAMELOT_TEST_ALL ? test : () => {};

let bundle: ServerBundle;
let database: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;
let servers: ServerProcess[];
let sockets: Socket[];
let sql: postgres.Sql;

beforeAll(async () => {
  bundle = await bundleServer();
});
afterAll(() => bundle.remove());
beforeEach(async () => {
  [servers, sockets] = [[], []];
  dataDir = temporaryDataDir();
  database = await testDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
});
afterEach(async () => {
  for (const socket of sockets) socket.disconnect();
  await Promise.all(
    servers.map((server) => {
      server.child.kill("SIGCONT");
      return server.end("SIGKILL");
    }),
  );
  // Agents outlive their servers, which here is nobody's wish.
  await stopAllAgents(dataDir.path);
  await sql.end();
  await database.drop();
  dataDir.remove();
});

interface Server {
  readonly process: ServerProcess;
  readonly url: string;
}

interface Picture {
  epoch: number;
  version: number;
  at: string;
  paused: boolean;
  isReady: boolean;
  global: { running: number; max: number; queued: number };
  sessions: Record<string, { status: string; position: number | null; phase: string | null }>;
}

async function start(): Promise<Server> {
  const given = { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir.path, PORT: "0" };
  const server = new ServerProcess(bundle, given);
  servers.push(server);
  return { process: server, url: await server.served() };
}

async function role({ url }: Server): Promise<string> {
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  return answer ? ((await answer.json()) as { role: string }).role : "away";
}

/** The first one writes, the second follows and has a picture. */
async function two(): Promise<readonly [writer: Server, follower: Server, person: Person]> {
  const writer = await start();
  await waitFor(async () => (await role(writer)) === "writer", "the first to write", PATIENT_MS);
  const follower = await start();
  await waitFor(async () => (await role(follower)) === "follower", "the second to follow", PATIENT_MS);
  const person = await signUp(writer);
  await waitFor(async () => (await person.pool(follower)).isReady, "the second to have a picture", PATIENT_MS);
  return [writer, follower, person];
}

type Person = Awaited<ReturnType<typeof signUp>>;

async function signUp(at: Server) {
  const account = { name: "ada", email: "ada@example.com", password: "correct horse battery" };
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(account);
  const answer = await fetch(`${at.url}/api/auth/sign-up/email`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  const login = { cookie: cookie.join("; ") };

  async function call<T = Record<string, unknown>>(server: Server, method: string, where: string, wish?: unknown) {
    const sent = wish === undefined ? {} : { body: JSON.stringify(wish) };
    const own = { ...headers, ...login, origin: server.url };
    const answered = await fetch(`${server.url}/api/v1${where}`, { method, ...sent, headers: own });
    const text = await answered.text();
    return { status: answered.status, version: answered.headers.get("x-pool-version"), body: JSON.parse(text) as T };
  }

  return {
    login,
    call,
    pool: async (server: Server) => (await call<Picture>(server, "GET", "/pool")).body,
    async project(server: Server): Promise<string> {
      const made = await call<{ id: string }>(server, "POST", "/projects", { name: "P", repository: "sample" });
      expect(made.status).toBe(201);
      return made.body.id;
    },
    async task(server: Server, projectId: string, prompt = "sleep 300"): Promise<string> {
      const made = await call<{ id: string }>(server, "POST", `/projects/${projectId}/tasks`, { title: "t", prompt });
      expect(made.status).toBe(201);
      return made.body.id;
    },
    async dispatch(server: Server, taskId: string) {
      type Dispatched = { session: { id: string }; position: number | null; existing: boolean };
      const { status, body: dispatched } = await call<Dispatched>(server, "POST", `/tasks/${taskId}/dispatch`, {});
      expect([200, 201]).toContain(status);
      return { ...dispatched, id: dispatched.session.id };
    },
    session: async (server: Server, id: string) =>
      (await call<{ status: string; phase: string | null; position: number | null }>(server, "GET", `/sessions/${id}`))
        .body,
  };
}

async function running(id: string, server: Server, person: Person): Promise<void> {
  await waitFor(async () => (await person.session(server, id)).phase === "working", "the agent to work", PATIENT_MS);
}

/** Hosts that run in this data directory, each once for its attempt. */
async function attempts(): Promise<{ id: string; status: string; attempt: number; epoch: number }[]> {
  return sql`select id, status, attempt, epoch::int from sessions order by seq`;
}

async function agree(person: Person, one: Server, other: Server): Promise<Picture> {
  return waitFor(
    async () => {
      const [a, b] = await Promise.all([person.pool(one), person.pool(other)]);
      if (a.epoch !== b.epoch || a.version !== b.version) return null;
      // `startsIn` alone may be a moment apart.
      expect(withoutEstimates(b)).toEqual(withoutEstimates(a));
      return a;
    },
    "both to show one version",
    PATIENT_MS,
  );
}

function withoutEstimates(picture: Picture): unknown {
  const sessions = Object.entries(picture.sessions).map(([id, session]) => [id, { ...session, startsIn: null }]);
  return { ...picture, sessions: Object.fromEntries(sessions) };
}

test("[P19][P3][P5][P13][P17] at the server that follows: dispatch, cancel, reorder, settings; both tell the same", async () => {
  const [writer, follower, ada] = await two();
  const projectId = await ada.project(follower);
  const tasks = [];
  for (let i = 0; i < 6; i += 1) tasks.push(await ada.task(i % 2 ? writer : follower, projectId));
  const given = [];
  for (const task of tasks) given.push(await ada.dispatch(follower, task));
  expect(given.map(({ position }) => position)).toEqual([0, 0, 1, 2, 3, 4]);
  const [a = "", , c = "", d = "", e = ""] = given.map(({ id }) => id);
  // The same task at both at once: the one session it has.
  const again = await Promise.all([ada.dispatch(writer, tasks[3] ?? ""), ada.dispatch(follower, tasks[3] ?? "")]);
  expect(again).toMatchObject([
    { id: d, existing: true },
    { id: d, existing: true },
  ]);
  await agree(ada, writer, follower);

  expect((await ada.call(follower, "POST", `/sessions/${e}/reorder`, { before: c })).status).toBe(200);
  expect((await ada.session(follower, e)).position).toBe(1);
  // Who asks the other one meanwhile may see the version before for a moment (P13: at rest all agree).
  await waitFor(
    async () => (await ada.session(writer, e)).position === 1,
    "the writer to show the new order",
    PATIENT_MS,
  );
  expect((await ada.call(follower, "POST", `/sessions/${c}/cancel`)).body).toMatchObject({ status: "cancelled" });
  expect((await ada.call(follower, "PATCH", "/pool", { paused: true })).body).toMatchObject({ paused: true });
  await waitFor(async () => (await ada.pool(writer)).paused, "the writer to show the pause", PATIENT_MS);
  await running(a, follower, ada);
  await ada.call(follower, "POST", `/sessions/${a}/cancel`);
  await waitFor(async () => (await ada.session(writer, a)).status === "cancelled", "the agent to end", PATIENT_MS);
  expect((await agree(ada, writer, follower)).global).toMatchObject({ running: 1, queued: 3 });
  expect((await ada.call(follower, "PATCH", "/pool", { paused: false, perUserMax: 3 })).status).toBe(200);
  await waitFor(async () => (await ada.pool(follower)).global.running === 3, "the room to be filled", PATIENT_MS);
  const { id: me } = (await ada.call<{ id: string }>(follower, "GET", "/me")).body;
  expect((await ada.call(follower, "PUT", `/pool/users/${me}`, { max: 1 })).body).toMatchObject({ max: 1 });
  expect((await ada.call(follower, "POST", "/pool/rebuild")).status).toBe(200);
  await agree(ada, writer, follower);
  const metrics = await (await fetch(`${follower.url}/metrics`)).text();
  expect(metrics).toMatch(/^camelot_pool_is_writer 0$/m);
  expect(await (await fetch(`${writer.url}/metrics`)).text()).toMatch(/^camelot_pool_is_writer 1$/m);
});

test("[P19][B5][L3][R6] boards and output of both servers go on live, whoever did what where", async () => {
  const [writer, follower, ada] = await two();
  const projectId = await ada.project(writer);
  const heard = new Map<string, string[]>();
  for (const { url } of [writer, follower]) {
    const socket = io(url, {
      transports: ["websocket"],
      extraHeaders: { ...ada.login, origin: url },
      reconnection: false,
    });
    sockets.push(socket);
    const columns: string[] = [];
    heard.set(url, columns);
    socket.on("board", (message: { set?: { title: string; column: string }[] }) => {
      for (const { title, column } of message.set ?? []) columns.push(`${title} ${column}`);
    });
    await new Promise((resolve) => socket.on("connect", () => resolve(null)));
    expect(await socket.emitWithAck("watch", { room: "board", id: projectId })).toMatchObject({ ok: true });
  }
  // Steps that follow each other within a tenth of a second may be told as one: each is waited for.
  const onBoards = async (wanted: string) => {
    for (const { url } of [writer, follower]) {
      await waitFor(() => heard.get(url)?.includes(wanted), `${wanted} on a board`, PATIENT_MS);
    }
  };
  const gate = join(dataDir.path, "gate");
  const prompt = `echo hello from here; until [ -e "${gate}" ]; do sleep 0.05; done; echo bye`;
  const task = await ada.task(follower, projectId, prompt);
  await onBoards("t backlog");
  const { id } = await ada.dispatch(follower, task);
  const [socket] = sockets.slice(1);
  let output = "";
  socket?.on("output", (message: { bytes: ArrayBuffer }) => {
    output += new TextDecoder().decode(message.bytes);
  });
  expect(await socket?.emitWithAck("watch", { room: "output", id, offset: 0 })).toMatchObject({ ok: true });
  await onBoards("t running");
  writeFileSync(gate, "");
  await onBoards("t review");
  await waitFor(() => output.includes("hello from here") && output.includes("bye"), "the output", PATIENT_MS);
});

test("[P19][P8][R3] the writer is killed: the other takes over at once, adopts what runs and grants on", async () => {
  const [writer, follower, ada] = await two();
  const projectId = await ada.project(writer);
  const ids = [];
  for (let i = 0; i < 3; i += 1)
    ids.push((await ada.dispatch(i % 2 ? writer : follower, await ada.task(writer, projectId))).id);
  const [a = "", b = "", c = ""] = ids;
  for (const id of [a, b]) await running(id, follower, ada);
  await writer.process.end("SIGKILL");
  // Asked while there is no writer: done by the next one.
  const cancelled = ada.call(follower, "POST", `/sessions/${a}/cancel`);
  await waitFor(async () => (await role(follower)) === "writer", "the takeover", TAKEOVER_MS);
  expect((await cancelled).status).toBe(200);
  await running(c, follower, ada);
  expect(await ada.session(follower, a)).toMatchObject({ status: "cancelled" });
  const rows = await attempts();
  expect(rows.map(({ status, attempt }) => [status, attempt])).toEqual([
    ["cancelled", 1],
    ["running", 1],
    ["running", 1],
  ]);
  expect(rows[2]?.epoch).toBeGreaterThan(rows[1]?.epoch ?? 0);
  const again = await start();
  await waitFor(async () => (await role(again)) === "follower", "a new one to follow", PATIENT_MS);
  await agree(ada, follower, again);
});

// A lease has to run out: too long for every run; chaos freezes the writer too.
testAll(
  "[P19] the writer is frozen past its lease: the other takes over, the late one changes nothing and follows",
  async () => {
    const [writer, follower, ada] = await two();
    const projectId = await ada.project(writer);
    const task = async () => ada.task(follower, projectId);
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push((await ada.dispatch(writer, await task())).id);
    const [a = "", b = "", c = ""] = ids;
    for (const id of [a, b]) await running(id, follower, ada);
    writer.process.child.kill("SIGSTOP");
    await waitFor(async () => (await role(follower)) === "writer", "the takeover", TAKEOVER_MS);
    expect((await ada.call(follower, "POST", `/sessions/${a}/cancel`)).status).toBe(200);
    await running(c, follower, ada);
    writer.process.child.kill("SIGCONT");
    await waitFor(async () => (await role(writer)) === "follower", "the late one to follow", PATIENT_MS);
    const picture = await agree(ada, writer, follower);
    expect(Object.keys(picture.sessions).sort()).toEqual([b, c].sort());
    expect((await ada.dispatch(writer, await task())).position).toBe(1);
    await ada.call(writer, "POST", `/sessions/${b}/cancel`);
    await waitFor(
      async () => (await ada.session(follower, b)).status === "cancelled",
      "the wish to be granted",
      PATIENT_MS,
    );
    expect((await attempts()).map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    expect(writer.process.child.exitCode).toBeNull();
  },
);

test("[P19][R5] a planned stop hands over at once, and back: two servers deployed one after the other", async () => {
  const [first, second, ada] = await two();
  const projectId = await ada.project(first);
  const { id } = await ada.dispatch(second, await ada.task(first, projectId));
  await running(id, first, ada);
  expect(await first.process.end()).toBe(0);
  const left = performance.now();
  await waitFor(async () => (await role(second)) === "writer", "the takeover", PATIENT_MS);
  expect(performance.now() - left).toBeLessThan(5_000);
  const third = await start();
  await waitFor(async () => (await role(third)) === "follower", "the new one to follow", PATIENT_MS);
  expect(await second.process.end()).toBe(0);
  await waitFor(async () => (await role(third)) === "writer", "the takeover", PATIENT_MS);
  await waitFor(async () => (await ada.session(third, id)).phase === "working", "the agent to be found", PATIENT_MS);
  expect((await attempts()).map(({ status, attempt }) => [status, attempt])).toEqual([["running", 1]]);
});

testAll(
  "[P19][P11] connections are cut again and again: both come back, and everybody's wish is granted once",
  async () => {
    const [writer, follower, ada] = await two();
    const projectId = await ada.project(writer);
    const given: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'camelot%'`;
      const [one, other] = round % 2 ? [writer, follower] : [follower, writer];
      const task = await waitFor(() => ada.task(one, projectId, "true").catch(() => null), "a task", PATIENT_MS);
      const dispatched = await waitFor(() => ada.dispatch(other, task).catch(() => null), "a dispatch", PATIENT_MS);
      given.push(dispatched.id);
      await sleep(500);
    }
    for (const id of given) {
      await waitFor(async () => (await ada.session(follower, id)).status === "succeeded", "the end", PATIENT_MS);
    }
    expect(new Set(given).size).toBe(8);
    await agree(ada, writer, follower);
  },
);
