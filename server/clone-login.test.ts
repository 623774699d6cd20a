/** The login of a clone address on its way through the whole server: used for fetching, and masked in what agents print. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Session } from "./contract/sessions";
import { signUp } from "./testing/ask";
import { makeRepository, runGit } from "./testing/git-repositories";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { waitFor } from "./testing/wait-for";

// A whole server: patient on a machine that does other things too.
vi.setConfig({ testTimeout: 120_000 });
const PASSWORD = "open-sesame-4711";

let bundle: ServerBundle;
let database: TestDatabase;
let folder: ReturnType<typeof temporaryDataDir>;
let server: ServerProcess;
let origin: Server | undefined;
/** What the origin lets in. */
let password = PASSWORD;

beforeAll(async () => {
  [bundle, database] = await Promise.all([bundleServer(), testDatabase()]);
  folder = temporaryDataDir();
  const dataDir = path.join(folder.path, "data");
  server = new ServerProcess(bundle, { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir, PORT: "0" });
});
afterAll(async () => {
  await server.end();
  origin?.close();
  await database.drop();
  folder.remove();
  bundle.remove();
});

/** A repository over http (git's plain file protocol) for one login only; answers host and port. */
async function serveOrigin(): Promise<string> {
  const bare = path.join(folder.path, "served.git");
  await rm(bare, { recursive: true, force: true });
  await runGit(
    folder.path,
    "clone",
    "-q",
    "--bare",
    await makeRepository(await mkdtemp(path.join(folder.path, "shop-"))),
    bare,
  );
  await runGit(bare, "update-server-info");
  const expected = () => `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
  origin?.close();
  origin = createServer((request, response) => {
    if (request.headers.authorization !== expected()) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const { pathname } = new URL(request.url ?? "/", "http://x");
    readFile(path.join(bare, pathname.replace(/^\/served\.git\//, ""))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  const listening = origin;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

test("[A3][W1] the login of a clone address is masked in what agents print, as it is and encoded", async () => {
  const ada = await signUp(await server.served(), "ada");
  const repository = `http://me:${PASSWORD}@${await serveOrigin()}/served.git`;
  const project = await ada<{ id: string; repository: string }>("POST", "/api/v1/projects", { name: "P", repository });
  expect(project.repository).not.toContain(PASSWORD);
  const prompt = `echo "login: ${PASSWORD}"; printf 'me:${PASSWORD}' | base64`;
  const task = await ada<{ id: string }>("POST", `/api/v1/projects/${project.id}/tasks`, { title: "t", prompt });
  const { session } = await ada<{ session: Session }>("POST", `/api/v1/tasks/${task.id}/dispatch`, {});
  const over = await waitFor(
    async () => {
      const found = await ada<Session>("GET", `/api/v1/sessions/${session.id}`);
      return found.status !== "queued" && found.status !== "running" && found;
    },
    "the session to end",
    60_000,
  );
  expect(over).toMatchObject({ status: "succeeded" });
  const output = await ada<string>("GET", `/api/v1/sessions/${session.id}/output`);
  expect(output).toMatch(/^login: /);
  expect(output).not.toContain(PASSWORD);
  expect(output).not.toContain(Buffer.from(`me:${PASSWORD}`).toString("base64").slice(4, -4));
  expect(over.lastAction).not.toContain(PASSWORD);
});

test("[W1][A8] a login that is refused stops the start and holds the next ones; with the new login they start", async () => {
  const ada = await signUp(await server.served(), "eve");
  const host = await serveOrigin();
  const made = await ada<{ id: string }>("POST", "/api/v1/projects", {
    name: "Q",
    repository: `http://me:${PASSWORD}@${host}/served.git`,
  });
  const project = `/api/v1/projects/${made.id}`;
  const dispatch = async () => {
    const task = await ada<{ id: string }>("POST", `${project}/tasks`, { title: "t", prompt: "echo at work" });
    return (await ada<{ session: Session }>("POST", `/api/v1/tasks/${task.id}/dispatch`, {})).session.id;
  };
  const session = (id: string) => ada<Session>("GET", `/api/v1/sessions/${id}`);
  const ended = (id: string) =>
    waitFor(
      async () => {
        const found = await session(id);
        return found.status !== "queued" && found.status !== "running" && found;
      },
      "the session to end",
      60_000,
    );
  password = "another-word-4712";
  const refused = await ended(await dispatch());
  const sentence = /^The server refused the login\..* So the repository could not be fetched\.$/;
  expect(refused).toMatchObject({ status: "failed", failure: { kind: "could-not-start" } });
  expect(refused.failure?.sentence).toMatch(sentence);
  expect((await ada<{ note: string }>("GET", project)).note).toMatch(sentence);
  const held = await dispatch();
  expect((await session(held)).waitingFor).toMatchObject({ reason: "repository-unusable" });
  await ada("PATCH", project, { repository: `http://me:${password}@${host}/served.git` });
  expect(await ended(held)).toMatchObject({ status: "succeeded" });
  expect((await ada<{ note: string | null }>("GET", project)).note).toBeNull();
});
