/** RST-2 with a real second process in the server's place: it is killed while git makes its worktree. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type GitWorld,
  makeGitWorld,
  makeRepository,
  makeSlowStartRepository,
  prepareOk,
  requestFor,
  runGit,
  writeFiles,
  writeHook,
} from "../../testing/git-repositories";
import { waitFor } from "../../testing/wait-for";

const HOOK_SECONDS = 600;

let world: GitWorld;
let repo = "";
let server: ChildProcess | null = null;
let hookGroup: number | null = null;

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeSlowStartRepository(join(world.folder, "repo"), HOOK_SECONDS);
});
afterEach(async () => {
  server?.kill("SIGKILL");
  if (hookGroup !== null && groupIsAlive(hookGroup)) process.kill(-hookGroup, "SIGKILL");
  hookGroup = null;
  await world.remove();
});

/** A process that prepares task 1 as the server would. */
function startServer(): ChildProcess {
  const workspace = JSON.stringify(pathToFileURL(join(import.meta.dirname, "../workspace.ts")).href);
  const options = `{ dataDir: ${JSON.stringify(world.dataDir)}, seal: null, log: () => {} }`;
  const code = `import { createWorkspace } from ${workspace};
    await createWorkspace(${options}).prepare(${JSON.stringify(requestFor(repo))});`;
  const argv = ["--import", "tsx", "--input-type=module", "-e", code];
  return spawn(process.execPath, argv, { cwd: join(import.meta.dirname, "../../.."), stdio: "ignore" });
}

/** Gives the process group of the git that runs the hook. */
async function killServerInHook(): Promise<number> {
  server = startServer();
  const pid = await waitFor(async () => Number(await readFile(hookLog(), "utf8").catch(() => "")) || null, "the hook");
  hookGroup = pid;
  const gone = new Promise((resolve) => server?.once("exit", resolve));
  server.kill("SIGKILL");
  await gone;
  return pid;
}

const hookLog = () => join(repo, ".git", "hook-log");

async function letHookEnd(): Promise<void> {
  await writeHook(repo, "post-checkout", "#!/bin/sh\nexit 0\n");
}

function groupIsAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

test("[RST-2][W3] the server dies while the worktree is made and git lives on: the next prepare ends it and starts clean", async () => {
  const helper = await killServerInHook();
  expect(groupIsAlive(helper)).toBe(true);
  await letHookEnd();
  // Not waited for: the old hook would sleep for longer than the test may take.
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(made).toMatchObject({
    branch: "camelot/1-fix-login",
    path: join(world.dataDir, "worktrees", "p1", "1-fix-login"),
  });
  await waitFor(() => !groupIsAlive(helper), "the old hook to be gone");
  expect(await runGit(made.path, "status", "--porcelain")).toBe("");
  expect(await runGit(repo, "branch", "--list", "camelot/*", "--format=%(refname:short)")).toBe(made.branch);
});

test("[RST-2][W3] the same with git killed as well, its hook still alive", async () => {
  const helper = await killServerInHook();
  process.kill(helper, "SIGKILL");
  await letHookEnd();
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(made.branch).toBe("camelot/1-fix-login");
  await waitFor(() => !groupIsAlive(helper), "the old hook to be gone");
});

test("[RST-2][P20] a slow hook holds up no other task of the repository", async () => {
  const stop = new AbortController();
  const slow = world.workspace.prepare(requestFor(repo), stop.signal).catch((error: Error) => error.message);
  await waitFor(
    async () => (await readFile(join(repo, ".git", "hook-log"), "utf8").catch(() => "")) !== "",
    "the hook",
  );
  await letHookEnd();
  const other = await prepareOk(world.workspace, requestFor(repo, { number: 2 }));
  const { path, branch, baseCommit } = other;
  await writeFiles(path, { "b.txt": "b" });
  const saved = await world.workspace.save({ repository: repo, worktree: path, branch, baseCommit, message: "work" });
  expect(saved.files).toBe(1);
  stop.abort(new Error("enough"));
  expect(await slow).toBe("enough");
});

test("[W3] a checkout that fails leaves nothing that blocks the next try", async () => {
  const filtered = await makeRepository(join(world.folder, "filtered"), {
    ".gitattributes": "*.txt filter=broken\n",
    "a.txt": "x",
  });
  await runGit(filtered, "config", "filter.broken.smudge", "false");
  await runGit(filtered, "config", "filter.broken.required", "true");
  const refused = await world.workspace.prepare(requestFor(filtered, { projectId: "p2" }));
  expect(refused).toMatchObject({ kind: "refused", message: expect.stringContaining("smudge filter broken failed") });
  await runGit(filtered, "config", "filter.broken.smudge", "cat");
  const made = await prepareOk(world.workspace, requestFor(filtered, { projectId: "p2" }));
  expect(await readFile(join(made.path, "a.txt"), "utf8")).toBe("x");
});
