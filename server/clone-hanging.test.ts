/** A clone whose other end accepts the connection and never answers, through the whole server: given up, left, killed. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { signUp } from "./testing/ask";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { waitFor } from "./testing/wait-for";

// A whole server per test: patient on a machine that does other things too.
vi.setConfig({ testTimeout: 90_000 });

let bundle: ServerBundle;
let database: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;
let servers: ServerProcess[];
let silent: net.Server;
let asked: Set<net.Socket>;

beforeAll(async () => {
  bundle = await bundleServer();
});
afterAll(() => bundle.remove());
beforeEach(async () => {
  servers = [];
  dataDir = temporaryDataDir();
  database = await testDatabase();
  asked = new Set();
  silent = net.createServer((socket) => {
    asked.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => asked.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.end("SIGKILL")));
  for (const socket of asked) socket.destroy();
  silent.close();
  await database.drop();
  dataDir.remove();
});

function start(): ServerProcess {
  const server = new ServerProcess(bundle, { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir.path, PORT: "0" });
  servers.push(server);
  return server;
}

/** A call that makes a project of an address which never answers; resolves with its answer, or why there is none. */
async function beginClone(server: ServerProcess, name = "ada", signal?: AbortSignal) {
  const url = await server.served();
  const { cookie } = await signUp(url, name);
  const repository = `http://127.0.0.1:${(silent.address() as net.AddressInfo).port}/shop.git`;
  return fetch(`${url}/api/v1/projects`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, cookie },
    body: JSON.stringify({ name: "Shop", repository }),
    ...(signal ? { signal } : {}),
  }).then(
    async (response) => ({ status: response.status, body: (await response.json()) as { message: string } }),
    (error: unknown) => String(error),
  );
}

const clones = () => readdirSync(path.join(dataDir.path, "clones"));

/** Every git of this machine that works for a clone of this data directory. */
function gitsAtWork(): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(dataDir.path) && pid !== String(process.pid);
    } catch {
      return false;
    }
  });
}

test("[R5][W1] a server that leaves ends a clone that hangs: in time, code 0, no git and no half clone stay", async () => {
  const server = start();
  const answering = beginClone(server);
  await waitFor(() => asked.size > 0, "git to ask the address", 40_000);
  const before = Date.now();
  expect(await server.end()).toBe(0);
  expect(Date.now() - before).toBeLessThan(5_000);
  expect(server.stderr).toBe("");
  expect(await answering).toMatchObject({ status: 409, body: { message: expect.stringContaining("restarting") } });
  expect(gitsAtWork()).toEqual([]);
  expect(clones()).toEqual([]);
});

test("[W1] whoever asked for a clone that hangs gives it up: git ends, nothing stays, and the server is well", async () => {
  const server = start();
  const giveUp = new AbortController();
  const answering = beginClone(server, "ada", giveUp.signal);
  await waitFor(() => asked.size > 0, "git to ask the address", 40_000);
  expect(clones()).toHaveLength(1);
  giveUp.abort();
  expect(await answering).toContain("AbortError");
  await waitFor(() => asked.size === 0 && clones().length === 0, "git to end and its part to go");
  expect(gitsAtWork()).toEqual([]);
  expect(await server.end()).toBe(0);
  expect(server.stderr).toBe("");
});

test("[R5][W1] what a kill -9 left of a clone goes at the next start; what another server clones stays", async () => {
  const killed = start();
  void beginClone(killed);
  await waitFor(() => asked.size > 0, "git to ask the address", 40_000);
  await killed.end("SIGKILL");
  expect(clones()).toHaveLength(1);
  expect(gitsAtWork()).not.toEqual([]);
  const [left] = clones();
  const next = start();
  const cloning = beginClone(next, "bea");
  await waitFor(() => !clones().includes(left ?? ""), "the left part to go", 40_000);
  await waitFor(() => clones().length === 1 && asked.size === 1, "only the new one to be under way", 40_000);
  const third = start();
  await third.served();
  // It sweeps as it starts; a call that needs the data directory comes after.
  const ask = await signUp(await third.served(), "cleo");
  await ask("POST", "/api/v1/projects", { name: "Sample", repository: "sample" });
  expect(clones()).toHaveLength(1);
  expect(asked.size).toBe(1);
  expect(await next.end()).toBe(0);
  expect(await cloning).toMatchObject({ status: 409 });
  expect(clones()).toEqual([]);
});

test("[R5] a call whose body never comes holds up no ordinary stop", async () => {
  const server = start();
  const { hostname, port } = new URL(await server.served());
  const ask = await signUp(await server.served(), "ada");
  const slow = net.connect(Number(port), hostname);
  slow.on("error", () => undefined);
  slow.write(
    `POST /api/v1/projects HTTP/1.1\r\nhost: ${hostname}:${port}\r\norigin: http://${hostname}:${port}\r\n` +
      `cookie: ${ask.cookie}\r\ncontent-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n{`,
  );
  // The server has begun with the call once it asks for the rest.
  expect(String((await once(slow, "data"))[0])).toMatch(/^HTTP\/1\.1 100 /);
  const before = Date.now();
  expect(await server.end()).toBe(0);
  expect(Date.now() - before).toBeLessThan(5_000);
  slow.destroy();
});
