/** The whole server as a process: starting, serving, leaving, refusing to start (R5, P18). In one file, as all parts start it alike. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import postgres from "postgres";
import { io } from "socket.io-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { freePort } from "./system/free-port";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { waitFor } from "./testing/wait-for";

const REFUSED = 78;
/** How long a step may take while the machine is busy with other tests, ms; nothing here is about speed. */
const BUSY_MACHINE_MS = 40_000;
// A whole server per test: patient on a machine that does other things too.
vi.setConfig({ testTimeout: 90_000 });

let bundle: ServerBundle;
let database: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;
let servers: ServerProcess[];

beforeAll(async () => {
  bundle = await bundleServer();
});
afterAll(() => bundle.remove());
beforeEach(async () => {
  servers = [];
  dataDir = temporaryDataDir();
  database = await testDatabase();
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.end("SIGKILL")));
  await database.drop();
  dataDir.remove();
});

function start(environment: Record<string, string> = {}): ServerProcess {
  const given = { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir.path, PORT: "0", ...environment };
  const server = new ServerProcess(bundle, given);
  servers.push(server);
  return server;
}

async function call(url: string, method: string, where: string, body?: unknown, headers: Record<string, string> = {}) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(`${url}${where}`, { method, ...init, headers: { "content-type": "application/json", ...headers } });
}

async function signUp(url: string, name: string) {
  const account = { name, email: `${name}@example.com`, password: "correct horse battery" };
  const answer = await call(url, "POST", "/api/auth/sign-up/email", account);
  expect(answer.status).toBe(200);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  return { cookie, origin: url };
}

async function json<T = Record<string, unknown>>(answer: Response): Promise<T> {
  return (await answer.json()) as T;
}

describe("starting, serving, leaving", () => {
  test("[R5] says in one line where it serves, leaves with code 0, and the next one serves at once", async () => {
    for (let round = 0; round < 2; round += 1) {
      const server = start({ LOG_LEVEL: "info" });
      const url = await server.served();
      expect(server.stdout.match(/https?:\/\//g)).toHaveLength(1);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await waitFor(async () => (await fetch(`${url}/readyz`)).status === 200, "readiness", 5_000);
      // It ends the leave itself, with another code, when that takes longer than R5 allows.
      expect(await server.end()).toBe(0);
      expect(server.stderr).not.toMatch(/error| {4}at /);
    }
  });

  test("[S1][S3][S4] the first person signs up, calls the API by cookie, and no other site may", async () => {
    const url = await start().served();
    const { cookie, origin } = await signUp(url, "ada");
    expect(await json(await call(url, "GET", "/api/v1/me", undefined, { cookie }))).toMatchObject({ role: "admin" });
    const foreign = { cookie, origin: "http://evil.example.com" };
    const project = { name: "Sample", repository: "sample" };
    const refusal = await call(url, "POST", "/api/v1/projects", project, foreign);
    expect([refusal.status, await json(refusal)]).toMatchObject([403, { code: "BAD_ORIGIN" }]);
    expect((await call(url, "POST", "/api/v1/projects", project, { cookie, origin })).status).toBe(201);
    expect((await call(url, "GET", "/api/v1/me")).status).toBe(401);
    const sql = postgres(database.url, { max: 1 });
    await sql`update logins set expires_at = now() + interval '5 days'`;
    await sql.end();
    // A login that is prolonged takes its cookie along, once.
    const again = async () => (await call(url, "GET", "/api/v1/me", undefined, { cookie })).headers.getSetCookie();
    expect([await again(), await again()]).toEqual([[expect.stringContaining(`${cookie}; Max-Age=2592000;`)], []]);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^camelot_pool_epoch 1$/m);
  });

  test("[L1][SEC-1] signing out ends the sockets of that login, and the database knows no login any more", async () => {
    const url = await start().served();
    const { cookie, origin } = await signUp(url, "ada");
    const socket = io(url, { transports: ["websocket"], extraHeaders: { cookie, origin }, reconnection: false });
    const picture = await new Promise((resolve) => socket.on("pool", resolve));
    expect(picture).toMatchObject({ kind: "snapshot", global: { running: 0, max: 20, queued: 0 } });
    const ended = new Promise((resolve) => socket.on("disconnect", resolve));
    expect((await call(url, "POST", "/api/auth/sign-out", {}, { cookie, origin })).status).toBe(200);
    expect(await ended).toBe("io server disconnect");
    expect((await call(url, "GET", "/api/v1/me", undefined, { cookie })).status).toBe(401);
  });
});

test("[P18] the pool's loop throws: it is rebuilt, dispatches go on, and the server with it", async () => {
  const server = start();
  const url = await server.served();
  const who = await signUp(url, "ada");
  const project = await json(await call(url, "POST", "/api/v1/projects", { name: "P", repository: "sample" }, who));
  const task = await json(
    await call(url, "POST", `/api/v1/projects/${project.id}/tasks`, { title: "t", prompt: "true" }, who),
  );
  expect((await call(url, "POST", "/api/test/crash-pool")).status).toBe(200);
  const dispatched = await waitFor(async () => {
    const answer = await call(url, "POST", `/api/v1/tasks/${task.id}/dispatch`, {}, who);
    return answer.ok && json<{ session: { id: string } }>(answer);
  }, "the dispatch");
  const where = `/api/v1/sessions/${dispatched.session.id}`;
  const session = () => call(url, "GET", where, undefined, who);
  await waitFor(async () => (await json(await session())).status === "succeeded", "the session to end");
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^camelot_pool_crashes_total 1$/m);
  expect(server.child.exitCode).toBeNull();
});

test("[R14][P14] a disk that is nearly full: /readyz is red, a dispatch is accepted and says why it waits", async () => {
  const url = await start({ CAMELOT_TEST_DISK_LEAST_BYTES: "999999999999999" }).served();
  const who = await signUp(url, "ada");
  const project = await json(await call(url, "POST", "/api/v1/projects", { name: "P", repository: "sample" }, who));
  const task = await json(
    await call(url, "POST", `/api/v1/projects/${project.id}/tasks`, { title: "t", prompt: "true" }, who),
  );
  await waitFor(async () => {
    const { checks } = await json<{ checks: { writer: unknown } }>(await fetch(`${url}/readyz`));
    return checks.writer === "ok";
  }, "the pool's writer");
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await json(ready)]).toMatchObject([503, { isReady: false, checks: { writer: "ok" } }]);
  const answer = await call(url, "POST", `/api/v1/tasks/${task.id}/dispatch`, {}, who);
  expect([answer.status, await json(answer)]).toMatchObject([
    201,
    { position: 1, session: { status: "queued", waitingFor: { reason: "disk" } } },
  ]);
});

describe("agents and an ordinary stop", () => {
  /** A session that runs until the agent of its data directory is ended; answers the agent's process id. */
  async function dispatch(url: string, who: { cookie: string; origin: string }) {
    const project = await json(await call(url, "POST", "/api/v1/projects", { name: "P", repository: "sample" }, who));
    const card = { title: "wait", prompt: 'echo "pid $$"\nexec sleep 300' };
    const task = await json(await call(url, "POST", `/api/v1/projects/${project.id}/tasks`, card, who));
    const { session } = await json<{ session: { id: string } }>(
      await call(url, "POST", `/api/v1/tasks/${task.id}/dispatch`, {}, who),
    );
    const output = () => call(url, "GET", `/api/v1/sessions/${session.id}/output`, undefined, who);
    const said = await waitFor(async () => /pid (\d+)/.exec(await (await output()).text()), "the agent");
    return { sessionId: session.id, pid: Number(said[1]) };
  }

  const isThere = (pid: number) =>
    existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0;

  /** Another server that lives holds the lease, as far as anybody can tell. */
  async function holdLease() {
    const sql = postgres(database.url, { max: 1 });
    await sql`update pool_lease set holder = 'another server', expires_at = now() + interval '1 hour'`;
    await sql.end();
  }

  async function dropLease() {
    const sql = postgres(database.url, { max: 1 });
    await sql`update pool_lease set expires_at = now()`;
    await sql.end();
  }

  test("[R5] Ctrl-C: sockets are told, the agent goes on and is taken back", async () => {
    const first = start();
    const url = await first.served();
    const who = await signUp(url, "ada");
    const { sessionId, pid } = await dispatch(url, who);
    const socket = io(url, { transports: ["websocket"], extraHeaders: who, reconnection: false });
    await new Promise((resolve) => socket.on("pool", resolve));
    const told = new Promise((resolve) => socket.on("server", resolve));
    first.child.kill("SIGINT");
    expect(await told).toEqual({ reason: "restarting" });
    // It ends the leave itself, with another code, when that takes longer than R5 allows.
    expect(await first.exit).toBe(0);
    expect(first.stdout).toMatch(/^1 agent goes on; `npm start` takes it back, `npm run stop-agents` ends it\./m);
    expect(isThere(pid)).toBe(true);

    const again = await start().served();
    const session = () => call(again, "GET", `/api/v1/sessions/${sessionId}`, undefined, { cookie: who.cookie });
    const found = await waitFor(
      async () => {
        const seen = await json(await session());
        return seen.position === 0 && seen;
      },
      "the session to be taken back",
      BUSY_MACHINE_MS,
    );
    expect(found).toMatchObject({ status: "running", attempt: 1 });
    expect(isThere(pid)).toBe(true);
  });

  test("[R5] a second Ctrl-C ends the agents, unless another server looks after them; the session says by whom", async () => {
    const first = start();
    const url = await first.served();
    const who = await signUp(url, "ada");
    const { sessionId, pid } = await dispatch(url, who);
    expect(await first.end()).toBe(0);

    await holdLease();
    const follower = start();
    const its = await follower.served();
    const role = async () => (await json(await fetch(`${its}/readyz`))).role;
    await waitFor(async () => (await role()) === "follower", "it to follow", BUSY_MACHINE_MS);
    follower.child.kill("SIGINT");
    await waitFor(() => follower.stdout.includes("1 agent goes on;"), "the farewell", BUSY_MACHINE_MS);
    follower.child.kill("SIGINT");
    expect(await follower.exit).toBe(0);
    expect(follower.stdout).toMatch(/^1 agent goes on; another server looks after it\./m);
    expect(isThere(pid)).toBe(true);
    await dropLease();

    const second = start();
    await second.served();
    second.child.kill("SIGINT");
    await waitFor(() => second.stdout.includes("1 agent goes on;"), "the farewell", BUSY_MACHINE_MS);
    second.child.kill("SIGINT");
    expect(await second.exit).toBe(0);
    expect(second.stdout).toMatch(/^1 agent ended\.$/m);
    expect(isThere(pid)).toBe(false);

    const again = await start().served();
    const ended = await waitFor(
      async () => {
        const seen = await json(await call(again, "GET", `/api/v1/sessions/${sessionId}`, undefined, who));
        return seen.status === "cancelled" && seen;
      },
      "the session to be over",
      BUSY_MACHINE_MS,
    );
    expect(ended).toMatchObject({ cancelledBy: null, failure: { kind: "stopped" } });
    expect((ended as { failure: { sentence: string } }).failure.sentence).toMatch(
      /`npm run stop-agents`|second Ctrl-C/,
    );
  });
});

describe("refusals to start: one sentence, code 78, no stack trace", () => {
  async function refusal(environment: Record<string, string>): Promise<string> {
    const server = start(environment);
    expect(await server.exit).toBe(REFUSED);
    expect(server.stdout).toBe("");
    expect(server.stderr.trim().split("\n")).toHaveLength(1);
    expect(server.stderr).not.toMatch(/\bat .*:\d+:\d+|Error:/);
    return server.stderr;
  }

  test("[R5] a taken port, before anything is started", async () => {
    const port = await freePort();
    const thief = net.createServer();
    await new Promise<void>((resolve) => thief.listen(port, "127.0.0.1", resolve));
    const said = await refusal({ PORT: String(port), DATABASE_URL: "" });
    expect(said).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken by another program`));
    expect(readdirSync(dataDir.path)).not.toContain("postgres");
    thief.close();
  });

  test("[R5] nonsense in the environment, a host that is not ours, a data directory that is a file", async () => {
    const said = await Promise.all([
      refusal({ PORT: "http" }),
      refusal({ HOST: "203.0.113.7", CAMELOT_TEST_HOOKS: "0", PORT: "4000" }),
      refusal({ CAMELOT_DATA_DIR: path.resolve("package.json") }),
      refusal({ CAMELOT_DATA_DIR: "/proc/nowhere" }),
    ]);
    expect(said[0]).toMatch(/^PORT: "http" is not a whole number/);
    expect(said[1]).toMatch(/^HOST: "203\.0\.113\.7" is not an address of this machine/);
    expect(said[2]).toMatch(/^The data directory .* not a folder/);
    expect(said[3]).toMatch(/^The data directory \/proc\/nowhere cannot be used: /);
  });

  test("[R5][P19] a database that is not there, or of a newer version, another secret or another data directory", async () => {
    const nowhere = `postgres://camelot:secret@127.0.0.1:${await freePort()}/camelot`;
    const said = await refusal({ DATABASE_URL: nowhere });
    expect(said).toMatch(/^DATABASE_URL: nothing answers at 127\.0\.0\.1/);
    expect(said).not.toContain("secret");

    const first = start({ CAMELOT_SECRET: "the first secret, of more than 32 letters" });
    await first.served();
    await first.end();
    const other = "another secret that has more than 32 letters";
    expect(await refusal({ CAMELOT_SECRET: other })).toMatch(/^The secret is not the one this database was used with/);
    const elsewhere = temporaryDataDir();
    const copied = { CAMELOT_SECRET: "the first secret, of more than 32 letters", CAMELOT_DATA_DIR: elsewhere.path };
    expect(await refusal(copied)).toMatch(/^This database belongs to another data directory \(last at /);
    // Another directory mostly has another secret too: then it is the directory that is named.
    expect(await refusal({ ...copied, CAMELOT_SECRET: other })).toMatch(/^This database belongs to another data dir/);
    const adopting = start({ ...copied, CAMELOT_ADOPT_DATABASE: "1" });
    await adopting.served();
    await adopting.end();
    expect(await refusal({ CAMELOT_SECRET: copied.CAMELOT_SECRET })).toContain(`last at ${elsewhere.path}, `);
    elsewhere.remove();

    const sql = postgres(database.url, { max: 1 });
    await sql`update drizzle.__drizzle_migrations set created_at = created_at + 1000000`;
    await sql.end();
    expect(await refusal({})).toMatch(/^The database was used with a newer version/);
  });

  test("[R5] a second server on the same data directory, while the first goes on with its own database", async () => {
    const first = start({ DATABASE_URL: "" });
    const url = await first.served();
    const said = await refusal({ DATABASE_URL: "" });
    expect(said).toMatch(new RegExp(`^Camelot already runs on .* \\(process ${first.child.pid}\\)`));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await first.end()).toBe(0);
  });
});
