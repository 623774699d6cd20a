/** A review that ends while the server dies, through the whole server and real git (W4). */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Task } from "./contract/tasks";
import { freePort } from "./system/free-port";
import { signUp } from "./testing/ask";
import { makeRepository, runGit, writeFiles } from "./testing/git-repositories";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
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

/** git stops at this file while it fills the person's tree, until it is told to go on. */
async function stopAt(repo: string, name: string): Promise<{ reached: string; goOn: () => Promise<void> }> {
  const filter = path.join(folder.path, "filter.sh");
  const [reached, go] = [path.join(folder.path, "reached"), path.join(folder.path, "go")];
  const wait = `touch "${reached}"; until [ -e "${go}" ]; do sleep 0.05; done`;
  await writeFile(filter, `#!/bin/sh\nif [ "$1" = "${name}" ]; then ${wait}; fi\ncat\n`);
  await chmod(filter, 0o755);
  await writeFiles(path.join(repo, ".git", "info"), { attributes: "*.txt filter=slow\n" });
  await runGit(repo, "config", "filter.slow.smudge", `${filter} %f`);
  return { reached, goOn: () => writeFile(go, "") };
}

test("[W4][GIT-5] the server is killed while git fills the tree on the base: git ends its work, and the next press writes down the merge", async () => {
  const ada = await signUp(await server.served(), "ada");
  await mkdir(path.join(folder.path, "repos"));
  const repo = await makeRepository(path.join(folder.path, "repos", "shop"), { "a.txt": "one\n", "b.txt": "b\n" });
  const project = await ada<{ id: string }>("POST", "/api/v1/projects", { name: "P", repository: repo });
  const made = await ada<Task>("POST", `/api/v1/projects/${project.id}/tasks`, {
    title: "Change a",
    prompt: "echo two > a.txt; echo new > new.txt; echo last > z.txt",
  });
  const url = `/api/v1/tasks/${made.id}`;
  await ada("POST", `${url}/dispatch`, {});
  const inReview = async () => (await ada<Task>("GET", url)).column === "review";
  await waitFor(inReview, "the card in Review", WAIT_MS);
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
