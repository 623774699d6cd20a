/** Pull requests through the whole server, against a GitHub of one repository on this machine (W4). */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { PullRequestDetails } from "./contract/pull-requests";
import type { Task } from "./contract/tasks";
import { freePort } from "./system/free-port";
import { signUp } from "./testing/ask";
import { type FakeGitHub, fakeGitHub, lineComment, spareOf } from "./testing/fake-github";
import { makeRepository, runGit } from "./testing/git-repositories";
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
  server = start();
  ada = await signUp(await server.served(), "ada");
  const made = await ada<{ id: string }>("POST", "/api/v1/projects", { name: "P", repository: github.cloneUrl });
  project = made.id;
});
beforeEach(() => tie());
afterAll(async () => {
  await server.end();
  github.close();
  await database.drop();
  folder.remove();
  bundle.remove();
});

function start(): ServerProcess {
  const dataDir = path.join(folder.path, "data");
  return new ServerProcess(bundle, { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir, PORT: String(port) });
}

const tie = (more: Record<string, unknown> = {}, to = project) =>
  ada("PUT", `/api/v1/projects/${to}/github`, { token: TOKEN, apiUrl: github.apiUrl, ...more });
const taskOf = (id: string) => ada<Task>("GET", `/api/v1/tasks/${id}`);
const request = (id: string, body: unknown = {}) => ada<Task>("POST", `/api/v1/tasks/${id}/pull-request`, body);
const refresh = async (id: string) =>
  (await ada<{ pullRequest: PullRequestDetails }>("POST", `/api/v1/tasks/${id}/pull-request/refresh`)).pullRequest;

/** A task in Review whose script has run. */
async function reviewed(prompt: string, title = "Change a", at = project): Promise<string> {
  const made = await ada<Task>("POST", `/api/v1/projects/${at}/tasks`, { title, prompt });
  await ada("POST", `/api/v1/tasks/${made.id}/dispatch`, {});
  await waitFor(async () => (await taskOf(made.id)).column === "review", "the card in Review", WAIT_MS);
  return made.id;
}

test("[W4] a pull request is opened once, also when two ask at once: pushed, told what it is about, and the card is Done", async () => {
  const id = await reviewed("echo two > a.txt # `ticks` and @everyone", "Change  a");
  const [one, two] = await Promise.all([request(id, { draft: true }), request(id, { draft: true })]);
  expect(two.pullRequest).toEqual(one.pullRequest);
  expect(github.pulls).toHaveLength(1);
  const [pull] = github.pulls;
  expect(pull).toMatchObject({ number: 418, title: "Change a", base: "main", head: one.branch, draft: true });
  expect(pull?.body).toBe(
    "```text\necho two > a.txt # `ticks` and @everyone\n```\n\n1 session. Opened from Camelot, task 1.\n",
  );
  expect(one).toMatchObject({
    column: "done",
    outcome: { kind: "requested", base: "main", commit: null },
    pullRequest: { number: 418, state: "open", isDraft: true, url: expect.stringMatching(/\/acme\/shop\/pull\/418$/) },
  });
  expect(await runGit(github.bare, "show", `${one.branch}:a.txt`)).toBe("two");
});

test("[W4] taken up again and done more, the same pull request gets the new commits", async () => {
  const id = await reviewed("echo more > more.txt");
  const { pullRequest } = await request(id);
  await ada("POST", `/api/v1/tasks/${id}/move`, { column: "review" });
  expect((await taskOf(id)).outcome).toBeNull();
  await ada("POST", `/api/v1/tasks/${id}/dispatch`, { message: "echo again > again.txt" });
  await waitFor(async () => (await taskOf(id)).session?.status === "succeeded", "the follow-up", WAIT_MS);
  const again = await request(id);
  expect(again).toMatchObject({ column: "done", pullRequest: { number: pullRequest?.number } });
  expect(await runGit(github.bare, "show", `${again.branch}:again.txt`)).toBe("again");
});

test("[W4] the server is killed between GitHub's pull request and our row: the same press finds it", async () => {
  const id = await reviewed("echo three > three.txt");
  let goOn = () => {};
  github.mood.holdAnswer = new Promise((resolve) => {
    goOn = resolve;
  });
  const before = github.pulls.length;
  const cut = request(id).catch(() => "cut off");
  await waitFor(() => github.pulls.length === before + 1, "the pull request on GitHub", WAIT_MS);
  await server.end("SIGKILL");
  expect(await cut).toBe("cut off");
  github.mood.holdAnswer = null;
  goOn();
  server = start();
  await server.served();
  const { number } = github.pulls.at(-1) ?? {};
  expect((await taskOf(id)).pullRequest).toBeNull();
  expect(await request(id)).toMatchObject({ column: "done", pullRequest: { number } });
  expect(github.pulls).toHaveLength(before + 1);
});

test("[W4] what stands in the way is one plain sentence each, and the card stays in Review", async () => {
  const id = await reviewed("echo four > four.txt");
  const refusals: string[] = [];
  const refused = async (of = id) => {
    const error = await request(of).then(() => null, String);
    refusals.push(/: (\d{3} .*)$/.exec(error ?? "it was opened")?.[1] ?? String(error));
  };
  await ada("DELETE", `/api/v1/projects/${project}/github`);
  await refused();
  await tie({ token: "another-token-than-that" });
  await refused();
  await tie();
  github.mood.mayWrite = false;
  await refused();
  github.mood.mayWrite = true;
  await tie({ apiUrl: `http://127.0.0.1:${await freePort()}/api/v3` });
  await refused();
  await tie({ apiUrl: null });
  await refused();
  await tie();
  await refused(await reviewed("true"));
  await tie({ token: spareOf(TOKEN) });
  const until = Math.floor(Date.now() / 1_000) + 1_800;
  github.mood.limitedUntil = until;
  const asked = github.asked.length;
  await refused();
  await refused();
  expect(github.asked.length - asked).toBe(1);
  github.mood.limitedUntil = null;
  const at = new Date(until * 1_000).toISOString();
  const [hour, host] = [at.slice(11, 16), "127\\.0\\.0\\.1:\\d+"];
  const code = '409 \\{"reason":"';
  expect(refusals).toEqual(
    [
      `${code}no-token","code":"PULL_REQUEST_REFUSED","message":"The project has no token for GitHub: an owner sets one`,
      `${code}bad-token",.*GitHub refuses the project's token: it is wrong, expired or revoked`,
      `${code}no-right",.*has not the right for this in acme/shop on GitHub. It says: Resource not accessible`,
      `${code}away",.*${host} cannot be reached \\(.*\\). Nothing was lost; try again`,
      `${code}not-found",.*is pushed to http://${host}/acme/shop.git, which is not on the GitHub behind https://api`,
      `${code}nothing-to-request",.*the branch has no commits that the base has not`,
      `${code}rate-limited","until":"${at}",.*until ${hour} UTC`,
      `${code}rate-limited","until":"${at}",.*until ${hour} UTC`,
    ].map((sentence) => expect.stringMatching(new RegExp(sentence))),
  );
  expect(await taskOf(id)).toMatchObject({ column: "review", outcome: null, pullRequest: null });
  await tie();
  expect(await request(id)).toMatchObject({ column: "done" });
});

test("[W4] a repository that GitHub does not know is said, and one without a remote", async () => {
  await mkdir(path.join(folder.path, "repos"));
  const repository = await makeRepository(path.join(folder.path, "repos", "shop"), { "a.txt": "one\n" });
  const { id: at } = await ada<{ id: string }>("POST", "/api/v1/projects", { name: "Local", repository });
  const id = await reviewed("echo two > a.txt", "Local", at);
  await tie({}, at);
  await expect(request(id)).rejects.toThrow(/not-found.*The project's repository has no remote/);
  const other = github.cloneUrl.replace("/shop.git", "/other.git");
  await runGit(repository, "remote", "add", "origin", other);
  await runGit(repository, "config", "remote.origin.pushurl", other);
  const error = await request(id).catch(String);
  expect(error).toMatch(/PUSH_REFUSED/);
  expect(error).not.toContain(TOKEN);
});

test("[W4] checks and comments are read back; closed goes to Review, merged to Done; what did not change is not sent again", async () => {
  const id = await reviewed("echo five > five.txt");
  const { number = 0 } = (await request(id)).pullRequest ?? {};
  github.said.runs = [
    { name: "unit", status: "completed", conclusion: "failure", html_url: "https://github.com/unit" },
    { name: "lint", status: "in_progress", conclusion: null, html_url: "javascript:alert(1)" },
  ];
  github.said.statuses = [{ context: "deploy", state: "success", target_url: null }];
  github.said.comments = [lineComment(1, "nora", "five.txt", 1, "Say six.\r\nPlease.")];
  github.said.reviews = [
    { id: 2, user: { login: "omar" }, body: "Nearly.", submitted_at: "2026-11-30T08:00:00Z", html_url: "https://g/r" },
    { id: 3, user: { login: "omar" }, body: "", submitted_at: "2026-11-30T08:00:00Z", html_url: "https://g/r" },
  ];
  const read = await refresh(id);
  expect(read.checks).toEqual([
    { name: "unit", state: "failed", url: "https://github.com/unit" },
    { name: "lint", state: "running", url: null },
    { name: "deploy", state: "passed", url: null },
  ]);
  expect(read.comments?.map(({ author, text, path: file, line }) => [author, text, file, line])).toEqual([
    ["omar", "Nearly.", null, null],
    ["nora", "Say six.\nPlease.", "five.txt", 1],
  ]);
  const asked = github.asked.length;
  expect((await refresh(id)).changedAt).toBe(read.changedAt);
  expect(github.asked.slice(asked).map(({ status }) => status)).toEqual([304, 304, 304, 304, 304]);

  github.pull(number).state = "closed";
  expect((await refresh(id)).state).toBe("closed");
  expect(await taskOf(id)).toMatchObject({ column: "review", outcome: null, pullRequest: { state: "closed" } });
  github.pull(number).state = "open";
  await refresh(id);
  expect(await taskOf(id)).toMatchObject({ column: "done", outcome: { kind: "requested" } });
  const commit = await github.merge(number);
  await refresh(id);
  expect(await taskOf(id)).toMatchObject({
    column: "done",
    outcome: { kind: "merged", base: "main", commit },
    pullRequest: { state: "merged" },
  });
  await expect(request(id)).rejects.toThrow(/It was merged into main already/);
});

test("[W4] merged on GitHub while a session works: the session goes first, and the next look writes the merge", async () => {
  const id = await reviewed("echo live > live.txt");
  const { number = 0 } = (await request(id)).pullRequest ?? {};
  await ada("POST", `/api/v1/tasks/${id}/move`, { column: "review" });
  const go = path.join(folder.path, "go");
  await ada("POST", `/api/v1/tasks/${id}/dispatch`, { message: `until [ -e ${go} ]; do sleep 0.05; done` });
  await waitFor(async () => (await taskOf(id)).column === "running", "the session", WAIT_MS);
  const commit = await github.merge(number);
  expect((await refresh(id)).state).toBe("open");
  expect(await taskOf(id)).toMatchObject({ column: "running", outcome: null });
  await writeFile(go, "");
  await waitFor(async () => (await taskOf(id)).column === "review", "the end of the session", WAIT_MS);
  expect((await refresh(id)).state).toBe("merged");
  expect(await taskOf(id)).toMatchObject({ column: "done", outcome: { kind: "merged", commit } });
});

test("[W4][A3] merged while the server was away: it is found without a press; the token is in nothing that is shown", async () => {
  const id = await reviewed(`echo six > six.txt; echo "the token is ${TOKEN}"`);
  const { number = 0 } = (await request(id)).pullRequest ?? {};
  const session = (await taskOf(id)).session?.id;
  expect(await ada("GET", `/api/v1/sessions/${session}/output?offset=0`)).toContain("the token is ***");
  await server.end();
  expect(server.stdout + server.stderr).not.toContain(TOKEN);
  const commit = await github.merge(number);
  server = start();
  await server.served();
  const isMerged = async () => (await taskOf(id)).pullRequest?.state === "merged";
  await waitFor(isMerged, "the look of the beat", WAIT_MS);
  expect(await taskOf(id)).toMatchObject({ column: "done", outcome: { commit }, pullRequest: { state: "merged" } });
  const set = await ada("GET", `/api/v1/projects/${project}/github`);
  expect(set).toEqual({
    isSet: true,
    isLost: false,
    apiUrl: github.apiUrl,
    repository: "acme/shop",
    changedAt: expect.any(String),
    issueLabel: null,
    issuesReadAt: null,
    issuesProblem: null,
  });
});
