import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { TestSocket } from "./realtime/test-socket";
import { makeRepository, runGit } from "./testing/git-repositories";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { waitFor } from "./testing/wait-for";

/** The whole server, real agents, one for all tests here. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });
/** L1's limit. */
const WITHIN_MS = 5_000;
/** Prints for as long as it lives. */
const CHATTER = "n=0; while true; do n=$((n+1)); echo line $n; sleep 0.1; done";

type Headers = Readonly<Record<string, string>>;
interface Person {
  readonly id: string;
  readonly headers: Headers;
}

let bundle: ServerBundle;
let database: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;
let server: ServerProcess;
let url: string;
let root: Person;
const sockets: TestSocket[] = [];

beforeAll(async () => {
  bundle = await bundleServer();
  database = await testDatabase();
  dataDir = temporaryDataDir();
  server = new ServerProcess(bundle, {
    DATABASE_URL: database.url,
    CAMELOT_DATA_DIR: dataDir.path,
    PORT: "0",
    GLOBAL_MAX: "20",
    PER_USER_MAX: "10",
  });
  url = await server.served();
  root = await enter("sign-up", "root");
});
afterAll(async () => {
  for (const { socket } of sockets) socket.disconnect();
  await ask(root, "GET", "/pool").then(({ body }) =>
    Promise.all(Object.keys(body.sessions).map((id) => ask(root, "POST", `/sessions/${id}/cancel`, {}))),
  );
  await waitFor(async () => (await ask(root, "GET", "/pool")).body.global.running === 0, "all agents to end", 30_000);
  await server.end("SIGKILL");
  await database.drop();
  dataDir.remove();
  bundle.remove();
});

async function send(headers: Headers, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came and fails where it is not what it expects
  const said: any = answer.headers.get("content-type")?.includes("json") ? await answer.json() : null;
  return { status: answer.status, headers: answer.headers, body: said };
}

const ask = ({ headers }: Pick<Person, "headers">, method: string, path: string, body?: unknown) =>
  send(headers, method, `/api/v1${path}`, body);

async function enter(how: "sign-up" | "sign-in", name: string): Promise<Person> {
  const account = { name, email: `${name}@example.com`, password: "correct horse battery" };
  const answer = await send({ origin: url }, "POST", `/api/auth/${how}/email`, account);
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { id: answer.body.user.id, headers: { cookie: cookie.join("; "), origin: url } };
}

/** A project of root's in which an agent talks, and the person in it: on two devices, and with a script's token. */
interface Scene {
  readonly project: string;
  readonly task: string;
  readonly session: string;
  readonly person: Person;
  readonly elsewhere: Person;
  readonly script: Pick<Person, "headers">;
  readonly tokenId: string;
}

async function scene(name: string): Promise<Scene> {
  const [person, elsewhere] = [await enter("sign-up", name), await enter("sign-in", name)];
  const project = (await ask(root, "POST", "/projects", { name: `For ${name}`, repository: "sample" })).body.id;
  await ask(root, "PUT", `/projects/${project}/members/${person.id}`, { role: "member" });
  const card = await ask(root, "POST", `/projects/${project}/tasks`, { title: "Talk", prompt: CHATTER });
  const dispatched = await ask(root, "POST", `/tasks/${card.body.id}/dispatch`, {});
  const token = await ask(person, "POST", "/tokens", { name: "script", scope: "dispatch" });
  return {
    project,
    task: card.body.id,
    session: dispatched.body.session.id,
    person,
    elsewhere,
    script: { headers: { authorization: `Bearer ${token.body.token}` } },
    tokenId: token.body.id,
  };
}

/** A socket that hears the board and the running output. */
async function listening(
  { headers }: Pick<Person, "headers">,
  { project, session }: Pick<Scene, "project" | "session">,
): Promise<TestSocket> {
  const socket = new TestSocket(url, "", { extraHeaders: headers });
  sockets.push(socket);
  await waitFor(() => socket.pool, "the pool");
  expect(await socket.watch("board", project)).toEqual({ ok: true });
  expect(await socket.watch("output", session, 0)).toEqual({ ok: true });
  await waitFor(() => socket.board && socket.outputMessages.length > 0, "board and output", 20_000);
  return socket;
}

function heardOf(socket: TestSocket, { project, session }: Scene): number {
  const ofPool = socket.poolMessages.filter((message) => JSON.stringify(message).includes(project)).length;
  const ofBoard = socket.boardMessages.filter((message) => message.projectId === project).length;
  return ofPool + ofBoard + socket.outputMessages.filter(({ sessionId }) => sessionId === session).length;
}

/** Something happens on the board, in the pool and in the output, and `witness` has heard all of it. */
async function makeNews(of: Scene, witness: TestSocket): Promise<void> {
  const card = await ask(root, "POST", `/projects/${of.project}/tasks`, { title: "News", prompt: "true" });
  await ask(root, "POST", `/tasks/${card.body.id}/dispatch`, {});
  const [printed, version] = [witness.outputMessages.length, witness.pool?.version ?? 0];
  await waitFor(
    () =>
      witness.board?.tasks.get(card.body.id)?.column === "review" &&
      witness.outputMessages.length > printed + 3 &&
      (witness.pool?.version ?? 0) > version,
    "the witness to hear the news",
    30_000,
  );
}

/** Whatever it sends has no effect: over the socket, and by HTTP with what it connected with. */
async function isPowerless(socket: TestSocket, by: Pick<Person, "headers">, of: Scene): Promise<void> {
  const plain = socket.socket as unknown as { emit(event: string, given: unknown): unknown };
  plain.emit("move", { taskId: of.task, column: "done" });
  plain.emit("cancel", { sessionId: of.session });
  if (socket.socket.connected) {
    expect(await socket.watch("board", of.project)).toMatchObject({ code: "NOT_FOUND" });
    expect(await socket.watch("output", of.session, 0)).toMatchObject({ code: "NOT_FOUND" });
  }
  const move = await ask(by, "POST", `/tasks/${of.task}/move?confirm=true`, { column: "done" });
  const cancel = await ask(by, "POST", `/sessions/${of.session}/cancel`, {});
  expect([401, 404]).toContain(move.status);
  expect(cancel.status).toBe(move.status);
  const { body } = await ask(root, "GET", `/tasks/${of.task}`);
  expect([body.column, body.session.status, body.session.phase]).toEqual(["running", "running", "working"]);
}

/** `end` takes the right away from the sockets of `losers`; those of `keepers` hear on. */
async function rightEnds(
  of: Scene,
  losers: readonly Pick<Person, "headers">[],
  keepers: readonly Pick<Person, "headers">[],
  end: () => Promise<unknown>,
): Promise<TestSocket[]> {
  const witness = await listening(root, of);
  const lost = await Promise.all(losers.map((one) => listening(one, of)));
  const kept = await Promise.all(keepers.map((one) => listening(one, of)));
  await end();
  const isOver = (socket: TestSocket) => socket.ends.length > 0 || socket.boardMessages.at(-1)?.kind === "closed";
  await waitFor(() => lost.every(isOver), "the sockets to end", WITHIN_MS);
  const before = lost.map((socket) => heardOf(socket, of));
  const keptBefore = kept.map((socket) => heardOf(socket, of));
  await makeNews(of, witness);
  for (const [index, socket] of lost.entries()) await isPowerless(socket, losers[index] ?? root, of);
  expect(lost.map((socket) => heardOf(socket, of))).toEqual(before);
  for (const [index, socket] of kept.entries()) {
    await waitFor(() => heardOf(socket, of) > (keptBefore[index] ?? 0) + 3, "the other device to hear on");
    expect(socket.ends).toEqual([]);
  }
  return lost;
}

describe("[L1][SEC-1] sockets end when the right ends", () => {
  test("[L1][SEC-1] a logout in another tab: this device's end, the other device and the script go on", async () => {
    const of = await scene("logs-out");
    const lost = await rightEnds(of, [of.person, of.person], [of.elsewhere, of.script], () =>
      send(of.person.headers, "POST", "/api/auth/sign-out", {}),
    );
    for (const { ends } of lost) expect(ends).toEqual(["io server disconnect"]);
    const again = new TestSocket(url, "", { extraHeaders: of.person.headers });
    await waitFor(() => again.ends.length > 0, "the refusal");
    expect(again.ends).toEqual(["unauthorized"]);
  });

  test("[L1][SEC-1] taken off the project: nothing more of it, on no device; the connection stays for the rest", async () => {
    const of = await scene("taken-off");
    const everywhere = [of.person, of.elsewhere, of.script];
    const lost = await rightEnds(of, everywhere, [], () =>
      ask(root, "DELETE", `/projects/${of.project}/members/${of.person.id}`),
    );
    for (const { ends, socket } of lost) expect([ends, socket.connected]).toEqual([[], true]);
  });

  test("[L1][S2][SEC-1] deactivated: logins, tokens and sockets end, and nobody gets in again", async () => {
    const of = await scene("deactivated");
    const everywhere = [of.person, of.elsewhere, of.script];
    const lost = await rightEnds(of, everywhere, [], () =>
      ask(root, "PATCH", `/users/${of.person.id}`, { active: false }),
    );
    for (const { ends } of lost) expect(ends).toEqual(["io server disconnect"]);
    for (const one of everywhere) expect((await ask(one, "GET", "/me")).status).toBe(401);
    const account = { email: "deactivated@example.com", password: "correct horse battery" };
    expect((await send({ origin: url }, "POST", "/api/auth/sign-in/email", account)).status).toBe(403);
    // Somebody who is let in again comes without their old tokens and logins.
    expect((await ask(root, "PATCH", `/users/${of.person.id}`, { active: true })).status).toBe(200);
    for (const one of everywhere) expect((await ask(one, "GET", "/me")).status).toBe(401);
    expect((await ask(await enter("sign-in", "deactivated"), "GET", `/projects/${of.project}`)).status).toBe(200);
  });

  test("[L1][S5][SEC-1] a revoked token: the script ends, the person's browsers go on", async () => {
    const of = await scene("revokes");
    const [script] = await rightEnds(of, [of.script], [of.person, of.elsewhere], () =>
      ask(of.person, "DELETE", `/tokens/${of.tokenId}`),
    );
    expect(script?.ends).toEqual(["io server disconnect"]);
    expect((await ask(of.person, "GET", "/tokens")).body.items).toEqual([]);
  });
});

describe("[S6] what is removed takes its sessions along, and nothing else", () => {
  test("[S6][L1] a project with a running and a waiting session: asks, boards close, the agent ends, the branch stays", async () => {
    const repository = await makeRepository(path.join(dataDir.path, "removed"), { "a.txt": "a" });
    const owner = await enter("sign-up", "removes");
    const project = (await ask(owner, "POST", "/projects", { name: "Removed", repository })).body.id;
    await ask(root, "PUT", `/pool/users/${owner.id}`, { max: 1 });
    const newTask = async (prompt: string) =>
      (await ask(owner, "POST", `/projects/${project}/tasks`, { title: "Works", prompt })).body.id;
    const works = await newTask(`echo work > work.txt; ${CHATTER}`);
    const session = (await ask(owner, "POST", `/tasks/${works}/dispatch`, {})).body.session.id;
    await ask(owner, "POST", `/tasks/${await newTask("true")}/dispatch`, {});
    const socket = await listening(owner, { project, session });

    const asked = await ask(owner, "DELETE", `/projects/${project}`);
    expect([asked.status, asked.body.code, asked.body.running, asked.body.waiting]).toEqual([409, "CONFIRM", 1, 1]);
    expect(socket.board?.tasks.get(works)?.column).toBe("running");
    expect((await ask(owner, "DELETE", `/projects/${project}?confirm=true`)).status).toBe(200);
    await waitFor(() => socket.boardMessages.at(-1)?.kind === "closed", "the board to close", WITHIN_MS);
    await waitFor(async () => (await ask(owner, "GET", "/me")).body.running === 0, "the agent to end", 30_000);
    expect((await ask(owner, "GET", "/me")).body).toMatchObject({ running: 0, queued: 0 });
    expect((await ask(owner, "GET", `/sessions/${session}`)).status).toBe(404);
    const branch = (await runGit(repository, "branch", "--list", "camelot/*", "--format=%(refname:short)")).trim();
    expect(branch).toBe("camelot/1-works");
    expect(await runGit(repository, "show", `${branch}:work.txt`)).toBe("work");
  });
});
