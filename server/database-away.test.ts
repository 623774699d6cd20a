/**
 * PostgreSQL goes away and comes back under the whole server: a cluster of its own that is stopped without a goodbye, connections
 * that are ended, a machine that answers nothing for a while. Real agents go on all the time; thirty views watch them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { io } from "socket.io-client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DatabaseMessage, OutputMessage } from "./contract/live";
import type { Session } from "./contract/sessions";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./db/embedded-postgres";
import { signUp } from "./testing/ask";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { waitFor } from "./testing/wait-for";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const LONG = Boolean(process.env.CAMELOT_TEST_ALL);
const DOWN_MS = LONG ? 20_000 : 3_000;
const VIEWS = 30;
/** Everything that the server may open: pages and calls 10, the pool and its kind 11 (`db/client.ts`). */
const CONNECTIONS_MAX = 21;
/** The case's promise, with room for a machine that is busy with other tests. */
const BACK_WITHIN_MS = 10_000 * (LONG ? 1 : 3);

const log = { info: () => {}, warn: () => {} };
let bundle: ServerBundle;
let folder: ReturnType<typeof temporaryDataDir>;
let dataDir: ReturnType<typeof temporaryDataDir>;
let cluster: EmbeddedPostgres;
let server: ServerProcess;

const raise = () =>
  startEmbeddedPostgres({ dataDir: folder.path, log, extraSettings: { max_connections: "25", fsync: "off" } });

beforeAll(async () => {
  bundle = await bundleServer();
  [folder, dataDir] = [temporaryDataDir(), temporaryDataDir()];
  cluster = await raise();
  server = new ServerProcess(bundle, {
    DATABASE_URL: cluster.url,
    CAMELOT_DATA_DIR: dataDir.path,
    PORT: "0",
    PER_USER_MAX: "2",
    CAMELOT_TEST_RELAXED_LIMITS: "1",
  });
});
afterAll(async () => {
  await server.end();
  await cluster.stop();
  for (const each of [folder, dataDir, bundle]) each.remove();
});

test("[PG-1][R10][P1][P7][P20][B13] the database goes away and comes back: the server stays, agents go on, slots are given, no line is lost", async () => {
  const url = await server.served();
  const ann = await signUp(url, "ann");
  const { id: project } = await ann<{ id: string }>("POST", "/api/v1/projects", { name: "P", repository: "sample" });
  const gateOf = (name: string) => path.join(dataDir.path, `gate-${name}`);
  const counter = (name: string) =>
    `i=0; while [ ! -e '${gateOf(name)}' ]; do i=$((i+1)); echo "LINE $i"; sleep 0.1; done; echo "END $i"`;
  const dispatch = async (name: string) => {
    const wish = { title: name, prompt: counter(name) };
    const task = await ann<{ id: string }>("POST", `/api/v1/projects/${project}/tasks`, wish);
    return (await ann<{ session: Session }>("POST", `/api/v1/tasks/${task.id}/dispatch`, {})).session.id;
  };
  const sessionOf = (id: string) => ann<Session>("GET", `/api/v1/sessions/${id}`);
  const isSo = (id: string, so: (session: Session) => boolean, what: string) =>
    waitFor(async () => so(await sessionOf(id)), what, BACK_WITHIN_MS);
  const isWorking = ({ phase }: Session) => phase === "working";
  const names = ["one", "two", "three", "four", "five"];
  const ids: string[] = [];
  for (const name of names) ids.push(await dispatch(name));
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = ids;
  await isSo(first, isWorking, "the first to work");
  await isSo(second, isWorking, "the second to work");
  const views = Array.from({ length: VIEWS }, (_, i) => viewOf(url, ann.cookie, i % 2 === 0 ? first : second));
  const pictures = poolOf(url, ann.cookie);
  const database = databaseOf(url, ann.cookie);
  await waitFor(() => views.every(({ text }) => text().includes("LINE 3\n")), "all to watch");

  const { pid } = server.child;
  const apiStatus = () => fetch(`${url}/api/v1/me`, { headers: { cookie: ann.cookie } }).then(({ status }) => status);
  const readiness = () => fetch(`${url}/readyz`).then(({ status }) => status);
  const connections = async () => {
    const sql = postgres(cluster.url, { max: 1, connect_timeout: 5 });
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
      where application_name like 'camelot%'`.finally(() => sql.end());
    return row?.count ?? 0;
  };

  // (a) It is stopped as by a power cut. Meanwhile an agent ends: its slot is given on once the database is back.
  const seen = views.map(({ text }) => text().length);
  const stopped = cluster.stop();
  quit(folder.path);
  await stopped;
  await waitFor(async () => (await readiness()) === 503, "the server to say so");
  expect(await apiStatus()).toBe(503);
  await waitFor(() => database.silentSince() !== null, "the open pages to be told");
  expect(Date.parse(database.silentSince() ?? "")).toBeLessThan(Date.now());
  writeFileSync(gateOf("one"), "");
  await sleep(DOWN_MS);
  await waitFor(() => views.every(({ text }, i) => text().length > (seen[i] ?? 0)), "the views to go on");
  cluster = await raise();
  await isSo(first, ({ status }) => status === "succeeded", "the first one's ending to be written");
  await isSo(third, isWorking, "the freed slot to be given");
  await waitFor(() => database.silentSince() === null, "the open pages to be told that it is back", BACK_WITHIN_MS);
  expect(await readiness()).toBe(200);
  expect(await apiStatus()).toBe(200);

  // (b) Every connection is ended, three times; the next slot is given all the same.
  for (let cut = 0; cut < 3; cut += 1) {
    const sql = postgres(cluster.url, { max: 1 });
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'camelot%'`;
    await sql.end();
    const version = pictures.last();
    const id = await waitFor(() => dispatch(`after cut ${cut}`).catch(() => null), "a dispatch", BACK_WITHIN_MS);
    expect((await sessionOf(id)).status).toBe("queued");
    await waitFor(() => pictures.last() > version, "the next picture", BACK_WITHIN_MS);
  }
  writeFileSync(gateOf("two"), "");
  await isSo(fourth, isWorking, "the next slot to be given");
  expect(await connections()).toBeLessThanOrEqual(CONNECTIONS_MAX);

  // (c) It answers nothing, and ends nothing either.
  const frozen = freeze(folder.path);
  try {
    writeFileSync(gateOf("three"), "");
    await sleep(DOWN_MS);
    await waitFor(() => database.silentSince() !== null, "the open pages to be told that it answers nothing");
  } finally {
    for (const each of frozen) send(each, "SIGCONT");
  }
  await isSo(fifth, isWorking, "the slot of the one that ended meanwhile to be given");
  expect(await connections()).toBeLessThanOrEqual(CONNECTIONS_MAX);

  for (const id of [second, third]) await isSo(id, ({ status }) => status === "succeeded", "it to end");
  for (const { text } of views) {
    const lines = text().trimEnd().split("\n");
    const last = Number(/^END (\d+)$/.exec(lines.pop() ?? "")?.[1]);
    expect(lines).toEqual(Array.from({ length: last }, (_, i) => `LINE ${i + 1}`));
  }
  expect([server.child.pid, server.child.exitCode]).toEqual([pid, null]);
  expect(`${server.stderr}${readFileSync(path.join(folder.path, "postgres", "log"), "utf8")}`).not.toMatch(
    /too many clients|remaining connection slots/,
  );
  for (const name of [...names, "after cut 0", "after cut 1", "after cut 2"]) writeFileSync(gateOf(name), "");
  await waitFor(
    () => database.silentSince() === null,
    "the open pages to be told that it answers again",
    BACK_WITHIN_MS,
  );
  for (const view of [...views, pictures, database]) view.close();
});

/** A page that watches one session's output. */
function viewOf(url: string, cookie: string, id: string) {
  const socket = io(url, { transports: ["websocket"], forceNew: true, extraHeaders: { cookie } });
  let text = "";
  let next = 0;
  socket.on("output", ({ offset, next: end, bytes }: OutputMessage) => {
    if (offset !== next) text += `GAP ${next} ${offset}\n`;
    text += Buffer.from(bytes).toString();
    next = end;
  });
  socket.on("connect", () => void socket.emit("watch", { room: "output", id, offset: next }, () => {}));
  return { text: () => text, close: () => socket.close() };
}

/** Which version of the pool's picture came last. */
function poolOf(url: string, cookie: string) {
  const socket = io(url, { transports: ["websocket"], forceNew: true, extraHeaders: { cookie } });
  let last = 0;
  socket.on("pool", (message: { version?: number; to?: number }) => {
    last = message.to ?? message.version ?? last;
  });
  return { last: () => last, close: () => socket.close() };
}

/** Since when the database does not answer, as an open page is told it; null: it answers. */
function databaseOf(url: string, cookie: string) {
  const socket = io(url, { transports: ["websocket"], forceNew: true, extraHeaders: { cookie } });
  let silentSince: string | null = null;
  socket.on("database", ({ answeredAt }: DatabaseMessage) => {
    silentSince = answeredAt;
  });
  return { silentSince: () => silentSince, close: () => socket.close() };
}

function postmaster(home: string): number {
  return Number(readFileSync(path.join(home, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0]);
}

/** As `pg_ctl stop -m immediate`: nothing is written out, everybody is thrown out. */
function quit(home: string): void {
  process.kill(postmaster(home), "SIGQUIT");
}

/** Stops a cluster where it stands. The parent first: it then makes no more children, and takes none away. */
function freeze(home: string): number[] {
  const parent = postmaster(home);
  send(parent, "SIGSTOP");
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(/\s+/).map(Number);
  for (const child of children) send(child, "SIGSTOP");
  return [parent, ...children];
}

/** Some of a cluster's processes live for a moment only: one that has ended meanwhile needs no signal. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
