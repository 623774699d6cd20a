/** Issues that come in as tasks, through whole servers: by themselves, through a crash, by two at once, and back again (W4). */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Task } from "./contract/tasks";
import { freePort } from "./system/free-port";
import { signUp } from "./testing/ask";
import { type FakeGitHub, fakeGitHub } from "./testing/fake-github";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { waitFor } from "./testing/wait-for";

// Whole servers, one after the other: patient on a machine that does other things too.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
const WAIT_MS = 60_000;
const TOKEN = "github_pat_0123456789abcdef";

let bundle: ServerBundle;
let database: TestDatabase;
let folder: ReturnType<typeof temporaryDataDir>;
let server: ServerProcess;
let port = 0;
let github: FakeGitHub;
let ada: Awaited<ReturnType<typeof signUp>>;
let project = "";

beforeAll(async () => {
  [bundle, database, port] = await Promise.all([bundleServer(), testDatabase(), freePort()]);
  folder = temporaryDataDir();
  await mkdir(path.join(folder.path, "hub"));
  github = await fakeGitHub(path.join(folder.path, "hub"), TOKEN, { "a.txt": "one\n" });
  server = start(port);
  ada = await signUp(await server.served(), "ada");
  const made = await ada<{ id: string }>("POST", "/api/v1/projects", { name: "P", repository: github.cloneUrl });
  project = made.id;
  const set = { token: TOKEN, apiUrl: github.apiUrl, issueLabel: "camelot" };
  await ada("PUT", `/api/v1/projects/${project}/github`, set);
});
afterAll(async () => {
  await server.end();
  github.close();
  await database.drop();
  folder.remove();
  bundle.remove();
});

function start(at: number): ServerProcess {
  const dataDir = path.join(folder.path, "data");
  return new ServerProcess(bundle, { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir, PORT: String(at) });
}

/** A look of the beat is made at each start. */
async function startAgain(signal: NodeJS.Signals): Promise<void> {
  await server.end(signal);
  server = start(port);
  await server.served();
}

const tasks = async () => (await ada<{ items: Task[] }>("GET", `/api/v1/projects/${project}/tasks`)).items;
const issuesOf = (all: readonly Task[]) => all.flatMap(({ issue }) => issue?.number ?? []);
const bringIn = () => ada<{ count: number }>("POST", `/api/v1/projects/${project}/github/issues`);

test("[W4] an issue that got the label while nobody looked comes in by itself, and again nothing is dispatched", async () => {
  await server.end();
  const number = github.addIssue({ title: "By itself", body: "Say so." });
  await startAgain("SIGTERM");
  await waitFor(async () => (await tasks()).length > 0, "the look of the beat", WAIT_MS);
  expect(await tasks()).toMatchObject([{ title: "By itself", column: "backlog", session: null, issue: { number } }]);
  expect(await bringIn()).toEqual({ count: 0, isAll: true });
});

test("[W4] the server is killed in the middle of it: what came in is there, the rest comes, and each once", async () => {
  for (let count = 0; count < 400; count++) github.addIssue();
  const cut = bringIn().catch(() => null);
  await waitFor(async () => (await tasks()).length > 20, "some of them", WAIT_MS);
  await startAgain("SIGKILL");
  await cut;
  await waitFor(async () => (await tasks()).length >= 401, "the rest of them", WAIT_MS);
  const numbers = issuesOf(await tasks());
  expect([numbers.length, new Set(numbers).size]).toEqual([401, 401]);
  expect(await bringIn()).toEqual({ count: 0, isAll: true });
});

test("[P19][W4] two servers that look in the same moment bring in each issue once", async () => {
  for (const issue of github.issues) issue.state = "closed";
  const other = start(await freePort());
  try {
    const url = await other.served();
    const headers = { origin: url, cookie: ada.cookie, "content-type": "application/json" };
    const there = async () => {
      const answer = await fetch(`${url}/api/v1/projects/${project}/github/issues`, { method: "POST", headers });
      return (await answer.json()) as { count: number };
    };
    const before = (await tasks()).length;
    for (let count = 0; count < 60; count++) github.addIssue();
    const counts = await Promise.all([bringIn(), there(), bringIn(), there()]);
    // The look of the minute may be a fifth one.
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(60);
    const numbers = issuesOf(await tasks());
    expect([numbers.length, new Set(numbers).size]).toEqual([before + 60, before + 60]);
  } finally {
    await other.end();
  }
});

test("[W4] the pull request of such a task closes its issue, and that of a task somebody wrote closes none", async () => {
  const number = github.addIssue({ body: "Closes #1" });
  await bringIn();
  const own = (await tasks()).find(({ issue }) => issue?.number === number);
  const written = await ada<Task>("POST", `/api/v1/projects/${project}/tasks`, { title: "Own", prompt: "echo > b" });
  await ada("PATCH", `/api/v1/tasks/${own?.id}`, { prompt: "echo > c # closes #1" });
  const bodies: string[] = [];
  for (const id of [own?.id, written.id]) {
    await ada("POST", `/api/v1/tasks/${id}/dispatch`, {});
    const isReviewed = async () => (await ada<Task>("GET", `/api/v1/tasks/${id}`)).column === "review";
    await waitFor(isReviewed, "the card in Review", WAIT_MS);
    await ada("POST", `/api/v1/tasks/${id}/pull-request`, {});
    bodies.push(github.pulls.at(-1)?.body ?? "");
  }
  expect(bodies).toEqual([
    expect.stringMatching(new RegExp(`^\`\`\`text\n.* # closes #1\n\`\`\`\n\nCloses #${number}\\.\n\n1 session\\. `)),
    expect.stringMatching(/^```text\necho > b\n```\n\n1 session\. /),
  ]);
});
