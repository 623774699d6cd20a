/** A review that ends while the server dies, through the whole server and real git (W4). */
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Task } from "./contract/tasks";
import { freePort } from "./system/free-port";
import { type Ask, signUp } from "./testing/ask";
import { makeRepository, runGit, writeFiles } from "./testing/git-repositories";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { photoOf } from "./testing/tree-photo";
import { waitFor } from "./testing/wait-for";

// Whole servers, one after the other: patient on a machine that does other things too.
vi.setConfig({ testTimeout: 180_000 });
const WAIT_MS = 60_000;

let bundle: ServerBundle;
let database: TestDatabase;
let folder: ReturnType<typeof temporaryDataDir>;
let server: ServerProcess;
let port = 0;

beforeAll(async () => {
  [bundle, database, port] = await Promise.all([bundleServer(), testDatabase(), freePort()]);
  folder = temporaryDataDir();
  server = start();
});
afterAll(async () => {
  await server.end();
  await database.drop();
  folder.remove();
  bundle.remove();
});

function start(): ServerProcess {
  const dataDir = path.join(folder.path, "data");
  return new ServerProcess(bundle, { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir, PORT: String(port) });
}

/** A task of a person's repository, on which an agent has worked. */
async function workedOn(ada: Ask, repo: string): Promise<{ url: string; task: () => Promise<Task> }> {
  const project = await ada<{ id: string }>("POST", "/api/v1/projects", { name: "P", repository: repo });
  const made = await ada<Task>("POST", `/api/v1/projects/${project.id}/tasks`, {
    title: "Change a",
    prompt: "echo two > a.txt; echo new > new.txt; echo last > z.txt",
  });
  const url = `/api/v1/tasks/${made.id}`;
  const task = () => ada<Task>("GET", url);
  await ada("POST", `${url}/dispatch`, {});
  await waitFor(async () => (await task()).column === "review", "the card in Review", WAIT_MS);
  return { url, task };
}

async function makeShop(name: string): Promise<string> {
  const repos = path.join(folder.path, "repos");
  await mkdir(repos, { recursive: true });
  return makeRepository(path.join(repos, name), { "a.txt": "one\n", "b.txt": "b\n" });
}

/** git stops at this file while it fills the person's tree, until it is told to go on. */
async function stopAt(repo: string, name: string): Promise<{ reached: string; goOn: () => Promise<void> }> {
  const filter = path.join(folder.path, "filter.sh");
  const [reached, go] = [path.join(folder.path, "reached"), path.join(folder.path, "go")];
  // git leads a process group of its own.
  const wait = `awk '{ print $5 }' /proc/self/stat > "${reached}"; until [ -e "${go}" ]; do sleep 0.05; done`;
  await writeFile(filter, `#!/bin/sh\nif [ "$1" = "${name}" ]; then ${wait}; fi\ncat\n`);
  await chmod(filter, 0o755);
  await writeFiles(path.join(repo, ".git", "info"), { attributes: "*.txt filter=slow\n" });
  await runGit(repo, "config", "filter.slow.smudge", `${filter} %f`);
  return { reached, goOn: () => writeFile(go, "") };
}

test("[W4][GIT-5] the server is killed while git fills the tree on the base: git ends its work, and the next press writes down the merge", async () => {
  const ada = await signUp(await server.served(), "ada");
  const repo = await makeShop("shop");
  const { url } = await workedOn(ada, repo);
  const { reached, goOn } = await stopAt(repo, "new.txt");
  const base = await runGit(repo, "rev-parse", "main");

  const cut = ada("POST", `${url}/merge`).catch(() => "cut off");
  await waitFor(() => readFile(reached).catch(() => null), "git in the middle of the tree", WAIT_MS);
  await server.end("SIGKILL");
  expect(await cut).toBe("cut off");
  expect(await runGit(repo, "rev-parse", "main")).toBe(base);

  server = start();
  await server.served();
  // git outlived the server and is still at it: nobody gets in its way.
  await expect(ada("POST", `${url}/merge`)).rejects.toThrow(/409 .*A git command is at work in .*shop/);
  await goOn();
  const merged = await waitFor(() => ada<Task>("POST", `${url}/merge`).catch(() => null), "the merge", WAIT_MS);
  expect(merged).toMatchObject({ column: "done", outcome: { kind: "merged", base: "main" } });
  expect(merged.outcome?.commit).toBe(await runGit(repo, "rev-parse", "main"));
  expect(await runGit(repo, "log", "-1", "--format=%an %s")).toBe("ada Merge #1 Change a");
  expect(await runGit(repo, "status", "--porcelain")).toBe("");
  expect(await runGit(repo, "fsck", "--strict", "--no-dangling")).toBe("");
  expect(await readFile(path.join(repo, "new.txt"), "utf8")).toBe("new\n");
});

/** Kills the server and its git while git fills the person's tree, at the merge of the task; answers where the base stood. */
async function killInTheMiddle(ada: Ask, repo: string, url: string): Promise<string> {
  for (const name of ["filter.sh", "reached", "go"]) await rm(path.join(folder.path, name), { force: true });
  const { reached } = await stopAt(repo, "new.txt");
  const base = await runGit(repo, "rev-parse", "main");
  const cut = ada("POST", `${url}/merge`).catch(() => "cut off");
  const atFile = () => readFile(reached, "utf8").catch(() => "");
  const group = await waitFor(async () => Number(await atFile()) || null, "git in the middle of the tree", WAIT_MS);
  await server.end("SIGKILL");
  process.kill(-group, "SIGKILL");
  expect(await cut).toBe("cut off");
  await runGit(repo, "config", "--unset", "filter.slow.smudge");
  expect(await runGit(repo, "--no-optional-locks", "status", "--porcelain")).not.toBe("");
  expect(await readdir(path.join(repo, ".git"))).toContain("index.lock");
  return base;
}

const isGivenBack = async (repo: string) =>
  (await runGit(repo, "--no-optional-locks", "status", "--porcelain")) === "" &&
  !(await readdir(path.join(repo, ".git"))).includes("index.lock");

test("[W4][GIT-5] server and git are killed in the middle of the tree: after the next start the tree is given back, and nobody presses anything", async () => {
  const cleo = await signUp(await server.served(), "cleo");
  const repo = await makeShop("untouched");
  const { url, task } = await workedOn(cleo, repo);
  const before = await photoOf(repo);
  const base = await killInTheMiddle(cleo, repo, url);
  server = start();
  await server.served();
  await waitFor(async () => (await isGivenBack(repo)) || null, "the tree as it was", WAIT_MS);
  expect({ ...(await photoOf(repo)), index: "" }).toEqual({ ...before, index: "" });
  expect(await runGit(repo, "rev-parse", "main")).toBe(base);
  expect((await task()).column).toBe("review");
});

test("[W4][GIT-5] server and git are killed in the middle of the tree, and Discard is pressed: the tree is given back before the answer", async () => {
  const dora = await signUp(await server.served(), "dora");
  const repo = await makeShop("discarded");
  const { url } = await workedOn(dora, repo);
  const before = await photoOf(repo);
  await killInTheMiddle(dora, repo, url);
  server = start();
  await server.served();
  expect(await dora("POST", `${url}/discard`)).toMatchObject({ column: "done", outcome: { kind: "discarded" } });
  expect(await isGivenBack(repo)).toBe(true);
  expect({ ...(await photoOf(repo)), index: "" }).toEqual({ ...before, index: "" });
});

test("[W4][GIT-5] the server alone is killed: once git is done the base moves by itself, Discard says so, and Merge writes it down", async () => {
  const finn = await signUp(await server.served(), "finn");
  const repo = await makeShop("finished");
  const { url } = await workedOn(finn, repo);
  for (const name of ["filter.sh", "reached", "go"]) await rm(path.join(folder.path, name), { force: true });
  const { reached, goOn } = await stopAt(repo, "new.txt");
  const base = await runGit(repo, "rev-parse", "main");
  const cut = finn("POST", `${url}/merge`).catch(() => "cut off");
  await waitFor(() => readFile(reached).catch(() => null), "git in the middle of the tree", WAIT_MS);
  await server.end("SIGKILL");
  await cut;
  server = start();
  await server.served();
  await goOn();
  const moved = async () => ((await runGit(repo, "rev-parse", "main")) === base ? null : true);
  await waitFor(moved, "the base at the merge", WAIT_MS);
  expect(await isGivenBack(repo)).toBe(true);
  await expect(finn("POST", `${url}/discard`)).rejects.toThrow(/409 .*main has all of its branch already/);
  const commit = await runGit(repo, "rev-parse", "main");
  expect(await finn("POST", `${url}/merge`)).toMatchObject({ column: "done", outcome: { kind: "merged", commit } });
});

test("[W4] what somebody changed meanwhile is theirs: the project says so, also after Discard, and the rest is given back once it is away", async () => {
  const emma = await signUp(await server.served(), "emma");
  const repo = await makeShop("changed");
  const { url, task } = await workedOn(emma, repo);
  const before = await photoOf(repo);
  await killInTheMiddle(emma, repo, url);
  await writeFiles(repo, { "a.txt": "my own\n" });
  server = start();
  await server.served();
  await emma("POST", `${url}/discard`);
  const { projectId } = await task();
  const cutOff = async () => (await emma<{ cutOff: string | null }>("GET", `/api/v1/projects/${projectId}`)).cutOff;
  expect(await cutOff()).toMatch(/^A merge into main was cut off in .*changed.*“a.txt” was changed there since/);
  expect(await readFile(path.join(repo, "a.txt"), "utf8")).toBe("my own\n");
  await runGit(repo, "checkout", "--", "a.txt");
  await waitFor(async () => ((await cutOff()) === null ? true : null), "the rest given back", WAIT_MS);
  expect({ ...(await photoOf(repo)), index: "" }).toEqual({ ...before, index: "" });
});

/** The hook of a remote says of each push that it came, and lets none pass until it is told to. */
async function holdPushes(hub: string): Promise<{ came: () => Promise<number>; goOn: () => Promise<void> }> {
  const at = path.join(folder.path, "pushes");
  await mkdir(at);
  const hook = path.join(hub, "hooks", "pre-receive");
  await writeFile(hook, `#!/bin/sh\nmkdir "${at}/$$"; until [ -e "${at}/go" ]; do sleep 0.05; done\n`);
  await chmod(hook, 0o755);
  return { came: async () => (await readdir(at)).length, goOn: () => writeFile(path.join(at, "go"), "") };
}

test("[W4][GIT-5] the server is killed while the remote decides about a push: both repositories are sound, and the next press pushes beside what still goes on", async () => {
  const bob = await signUp(await server.served(), "bob");
  const repo = await makeShop("pushed");
  const hub = path.join(folder.path, "hub.git");
  await runGit(folder.path, "clone", "-q", "--bare", repo, hub);
  await runGit(repo, "remote", "add", "origin", hub);
  const { url, task } = await workedOn(bob, repo);
  const branch = (await task()).branch ?? "";
  const { came, goOn } = await holdPushes(hub);
  const before = await photoOf(repo);

  const cut = bob("POST", `${url}/push`).catch(() => "cut off");
  await waitFor(async () => (await came()) === 1, "the push at the other end", WAIT_MS);
  await server.end("SIGKILL");
  expect(await cut).toBe("cut off");
  for (const place of [repo, hub]) expect(await runGit(place, "fsck", "--strict", "--no-dangling")).toBe("");
  expect(await runGit(hub, "for-each-ref", "--format=%(refname:short)")).toBe("main");

  server = start();
  await server.served();
  expect((await task()).pushedAt).toBeNull();
  const again = bob<Task>("POST", `${url}/push`);
  await waitFor(async () => (await came()) === 2, "the next push at the other end", WAIT_MS);
  await goOn();
  expect((await again).pushedAt).not.toBeNull();
  expect(await runGit(hub, "rev-parse", branch)).toBe(await runGit(repo, "rev-parse", branch));
  for (const place of [repo, hub]) expect(await runGit(place, "fsck", "--strict", "--no-dangling")).toBe("");
  expect(await photoOf(repo)).toEqual(before);
});
