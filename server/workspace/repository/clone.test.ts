/** Clones and their logins (W1, A3), against a server that asks for one. In one file, as that server is what most of it needs. */
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSeal } from "../../db/sealed";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeRepository,
  prepareOk,
  requestFor,
  runGit,
  testSeal,
  writeFiles,
} from "../../testing/git-repositories";
import { createWorkspace } from "../workspace";

const PASSWORD = "s3cr3t-t0ken";

let world: GitWorld;
let origin = "";
let server: Server | null = null;

beforeEach(async () => {
  world = await makeGitWorld();
  origin = await makeRepository(join(world.folder, "origin"));
  await runGit(origin, "branch", "develop");
});
afterEach(async () => {
  server?.close();
  server = null;
  vi.unstubAllEnvs();
  await world.remove();
});

async function cloneOk(url: string): Promise<string> {
  const found = await world.workspace.clone("p1", url);
  if (found.kind === "refused") throw new Error(found.message);
  return found.path;
}

test("[W1] cloned once under the data directory, refreshed at the next start, worked on like any other", async () => {
  const path = await cloneOk(`file://${origin}`);
  expect(path).toBe(join(world.dataDir, "clones", "p1"));
  expect(await world.workspace.inspect(path)).toEqual({ kind: "ok", path, defaultBranch: "main" });
  expect(await cloneOk(`file://${origin}`)).toBe(path);
  const newest = await commitAll(origin, "origin goes on");
  const made = await prepareOk(world.workspace, requestFor(path));
  expect(made.baseCommit).toBe(newest);
  const other = await prepareOk(world.workspace, requestFor(path, { number: 2, baseBranch: "develop" }));
  expect(other.baseCommit).toBe(await runGit(origin, "rev-parse", "develop"));
  expect(await runGit(origin, "branch", "--list", "camelot/*")).toBe("");
});

test("[W1] a repository that is gone stops the start with a sentence and is told of the project, until it is there again", async () => {
  const path = await cloneOk(origin);
  await rename(origin, `${origin}-away`);
  const message =
    "There is no git repository at this address, or this login may not see it. So the repository could not be fetched.";
  // Also at once: no start slips by because somebody has just tried.
  for (let start = 1; start <= 2; start += 1)
    expect(await world.workspace.prepare(requestFor(path))).toMatchObject({ kind: "refused", message });
  expect(await world.workspace.inspect(path)).toMatchObject({ kind: "ok", trouble: { message, isLasting: true } });
  await rename(`${origin}-away`, origin);
  const newest = await commitAll(origin, "back again");
  expect(await prepareOk(world.workspace, requestFor(path))).toMatchObject({ baseCommit: newest });
  expect(await world.workspace.inspect(path)).toEqual({ kind: "ok", path, defaultBranch: "main" });
});

test("[W1] a login that is refused from now on stops the start; a server that is away does not, but is told", async () => {
  let isOpen = true;
  const host = await serveOrigin(
    [],
    async () => {},
    () => isOpen,
  );
  const path = await cloneOk(`http://me:${PASSWORD}@${host}/served.git`);
  isOpen = false;
  const refused = await world.workspace.prepare(requestFor(path));
  expect(refused).toMatchObject({
    kind: "refused",
    message: expect.stringMatching(/^The server refused the login\..* So the repository could not be fetched\.$/),
  });
  server?.close();
  server?.closeAllConnections();
  const stale = expect.stringMatching(
    /^The repository could not be fetched, so new work starts from what was fetched less than a minute ago\. .*cannot be reached/,
  );
  expect(await prepareOk(world.workspace, requestFor(path))).toMatchObject({ stale });
  // Who comes in the seconds after does not ask again, and is told all the same.
  expect(await prepareOk(world.workspace, requestFor(path, { number: 2 }))).toMatchObject({ stale });
  expect(await world.workspace.inspect(path)).toMatchObject({ trouble: { message: stale, isLasting: false } });
  // What goes on starts from its own branch.
  expect(await prepareOk(world.workspace, requestFor(path))).not.toHaveProperty("stale");
});

test("[W3][GIT-1] an empty remote is told as such, and works once it has a commit", async () => {
  const bare = join(world.folder, "empty.git");
  await runGit(world.folder, "init", "-q", "--bare", "-b", "main", bare);
  expect(await world.workspace.clone("p1", bare)).toMatchObject({
    code: "NO_COMMIT",
    message: `${bare} has no commit yet. Make a first commit, then try again.`,
  });
  await runGit(origin, "push", "-q", bare, "main");
  expect(await world.workspace.clone("p1", bare)).toMatchObject({ kind: "ok", defaultBranch: "main" });
});

test("[W3] an address without a repository is one sentence and leaves nothing behind", async () => {
  const refused = await world.workspace.clone("p1", join(world.folder, "nowhere"));
  expect(refused).toMatchObject({
    kind: "refused",
    message: "There is no git repository at this address, or this login may not see it.",
  });
  expect(await readdir(join(world.dataDir, "clones"))).toEqual([]);
  expect(await world.workspace.clone("p1", "ext::sh -c id")).toMatchObject({ kind: "refused" });
});

test.each([
  ["the host key is not known", "Host key verification failed.", /host key .* is not known .*Connect once with ssh/],
  [
    "the host key is another one",
    "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
    /another SSH host key than before\..*ssh-keygen -R/,
  ],
  ["no key is accepted", "git@host: Permission denied (publickey,password).", /did not accept an SSH key .*public key/],
  [
    "there is no such host",
    "ssh: Could not resolve hostname no.example: Name or service not known",
    /^The host no.example cannot be found\. Check/,
  ],
  ["it hangs up", "kex_exchange_identification: Connection closed by remote host", /cannot be reached\. Check/],
  ["nobody knows why", "riddle", /could not be read at this address\. Run "git ls-remote"/],
])("[W1][W3] an address of ssh that cannot be read says why and what to do: %s", async (_why, said, sentence) => {
  const ssh = join(world.folder, "ssh");
  // As OpenSSH says it; git adds its own two lines.
  await writeFile(ssh, `#!/bin/sh\ncat >&2 <<'END'\n${said}\nEND\nexit 255\n`, { mode: 0o755 });
  vi.stubEnv("GIT_SSH_COMMAND", ssh);
  const refused = await world.workspace.clone("p1", "ssh://git@no.example/x.git");
  expect(refused).toMatchObject({ kind: "refused", message: expect.stringMatching(sentence) });
});

test("[W3] the data directory moved: the clone's stored path still leads to it", async () => {
  const path = await cloneOk(origin);
  const made = await prepareOk(world.workspace, requestFor(path));
  await writeFiles(made.path, { "work.txt": "x" });
  const dataDir = join(world.folder, "data-moved");
  await rename(world.dataDir, dataDir);
  const workspace = createWorkspace({ dataDir, seal: testSeal, log: () => undefined });
  const request = { repository: path, worktree: made.path, branch: made.branch, baseCommit: made.baseCommit };
  expect(await workspace.save({ ...request, message: "work" })).toMatchObject({ files: 1 });
  const again = await prepareOk(workspace, requestFor(path, { branch: made.branch }));
  expect(await readFile(join(again.path, "work.txt"), "utf8")).toBe("x");
  expect(await workspace.diff({ ...request, worktree: made.path })).toHaveLength(1);
  expect(await workspace.tidy(request)).toBe(true);
});

/** The origin over http (git's plain file protocol), for one login only. Tells which requests came. */
async function serveOrigin(
  seen: string[],
  whenAsked: () => Promise<void> = async () => {},
  isOpen: () => boolean = () => true,
): Promise<string> {
  const bare = join(world.folder, "served.git");
  await runGit(world.folder, "clone", "-q", "--bare", origin, bare);
  await runGit(bare, "update-server-info");
  const expected = `Basic ${Buffer.from(`me:${PASSWORD}`).toString("base64")}`;
  server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    seen.push(`${request.headers.authorization ?? "nobody"} ${path}`);
    await whenAsked();
    if (request.headers.authorization !== expected || !isOpen()) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    readFile(join(bare, path.replace(/^\/served\.git\//, ""))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("[W1] a login in the address works for clone and refresh and shows nowhere", async () => {
  const host = await serveOrigin([]);
  const progress: string[] = [];
  const url = `http://me:${PASSWORD}@${host}/served.git`;
  const found = await world.workspace.clone("p1", url, { onProgress: (line) => progress.push(line) });
  expect(found).toMatchObject({ kind: "ok", defaultBranch: "main" });
  const path = join(world.dataDir, "clones", "p1");
  expect(await runGit(path, "remote", "get-url", "origin")).toBe(`http://${host}/served.git`);
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    expect((await readFile(join(file.parentPath, file.name))).includes(PASSWORD), file.name).toBe(false);
  }
  expect((await stat(loginFile())).mode & 0o077).toBe(0);
  await prepareOk(world.workspace, requestFor(path));
  expect([...progress, ...world.lines].join("\n")).not.toMatch(/s3cr3t|could not be refreshed/);
});

const loginFile = () => join(world.dataDir, "clone-credentials", "p1");
/** Every file below the data directory that holds the password or the login's name beside it. */
async function filesWithLogin(): Promise<string[]> {
  const entries = await readdir(world.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await readFile(file, "latin1") })));
  return texts.filter(({ text }) => text.includes(PASSWORD)).map(({ file }) => file);
}

test("[A3][W1] a login lies sealed on the disk; one of an earlier release is sealed at the next start and still works", async () => {
  const host = await serveOrigin([]);
  expect(await world.workspace.clone("p1", `http://me:${PASSWORD}@${host}/served.git`)).toMatchObject({ kind: "ok" });
  expect(await filesWithLogin()).toEqual([]);
  await writeFile(loginFile(), `${host}\nme\n${PASSWORD}\n`, { mode: 0o600 });
  const lines: string[] = [];
  const later = createWorkspace({ dataDir: world.dataDir, seal: testSeal, log: (line) => lines.push(line) });
  await later.inspect(origin);
  expect(await filesWithLogin()).toEqual([]);
  expect(await readdir(dirname(loginFile()))).toEqual(["ask-pass.sh", "p1"]);
  await prepareOk(later, requestFor(join(world.dataDir, "clones", "p1")));
  expect(lines).toEqual([]);
});

test("[A3][W1] when the installation's secret was lost the project says so; the login is entered again, branches stay", async () => {
  const host = await serveOrigin([]);
  const url = `http://me:${PASSWORD}@${host}/served.git`;
  const path = await cloneOk(url);
  const made = await prepareOk(world.workspace, requestFor(path));
  const lines: string[] = [];
  const seal = createSeal("another secret of thirty-two letters or more");
  const later = createWorkspace({ dataDir: world.dataDir, seal, log: (line) => lines.push(line) });
  const message = expect.stringMatching(
    /^The login of .* cannot be read any more.* enters the address with its login again/,
  );
  expect(await later.inspect(path)).toMatchObject({ kind: "ok", trouble: { message, isLasting: true } });
  expect(lines.join("\n")).toMatch(/clone p1 was sealed with another secret/);
  expect(await later.moveClone("p1", url, "main")).toMatchObject({ kind: "ok" });
  expect(await later.inspect(path)).toEqual({ kind: "ok", path, defaultBranch: "main" });
  expect(await later.loginSecrets("p1")).toEqual([PASSWORD]);
  expect(await prepareOk(later, requestFor(path, { branch: made.branch }))).toMatchObject({ path: made.path });
});

test("[W1] a clone follows another address with its branches; what cannot be used is refused and changes nothing", async () => {
  const path = await cloneOk(`file://${origin}`);
  const made = await prepareOk(world.workspace, requestFor(path));
  const moved = join(world.folder, "moved");
  await rename(origin, moved);
  const newest = await commitAll(moved, "after the move");
  const wrong = [
    [join(world.folder, "nowhere"), "main", /^There is no git repository at this address/],
    [moved, "nope", /^There is no branch “nope” at this address\.$/],
    ["ext::sh -c id", "main", /not allowed|spaces/],
  ] as const;
  for (const [url, base, sentence] of wrong) {
    expect(await world.workspace.moveClone("p1", url, base)).toMatchObject({
      code: "REPOSITORY_UNUSABLE",
      message: expect.stringMatching(sentence),
    });
  }
  expect(await runGit(path, "remote", "get-url", "origin")).toBe(`file://${origin}`);
  expect(await world.workspace.moveClone("p1", `file://${moved}`, "main")).toMatchObject({ kind: "ok", path });
  expect(await runGit(path, "for-each-ref", "refs/camelot/moved")).toBe("");
  expect(await runGit(path, "branch", "--list", made.branch)).toContain(made.branch);
  const next = await prepareOk(world.workspace, requestFor(path, { number: 2 }));
  expect(next.baseCommit).toBe(newest);
});

test("[W1] an address with another history is refused", async () => {
  const path = await cloneOk(`file://${origin}`);
  const stranger = join(world.folder, "stranger");
  await runGit(world.folder, "init", "-q", "-b", "main", stranger);
  await writeFiles(stranger, { "own.txt": "nothing in common" });
  await commitAll(stranger, "another beginning");
  expect(await world.workspace.moveClone("p1", stranger, "main")).toMatchObject({
    message: "The repository at this address has another history than this project's. Make a new project for it.",
  });
  expect(await runGit(path, "remote", "get-url", "origin")).toBe(`file://${origin}`);
});

test("[W1][A3] a wrong new login is refused and the one that works stays; with the project its login goes, its branches stay", async () => {
  const host = await serveOrigin([]);
  const path = await cloneOk(`http://me:${PASSWORD}@${host}/served.git`);
  expect(await world.workspace.moveClone("p1", `http://me:wrong@${host}/served.git`, "main")).toMatchObject({
    message: expect.stringMatching(/^The server refused the login\./),
  });
  expect(await world.workspace.loginSecrets("p1")).toEqual([PASSWORD]);
  await world.workspace.forgetLogin("p1");
  expect(await readdir(dirname(loginFile()))).toEqual(["ask-pass.sh"]);
  expect(await runGit(path, "branch", "--list")).toContain("main");
});

test("[W1][A3] while git asks, the login stands in no argument and no environment", async () => {
  const seen: string[] = [];
  const host = await serveOrigin([], async () => {
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
      for (const file of ["cmdline", "environ"]) {
        if ((await readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "")).includes(PASSWORD))
          seen.push(`${pid} ${file}`);
      }
    }
  });
  expect(await world.workspace.clone("p1", `http://me:${PASSWORD}@${host}/served.git`)).toMatchObject({ kind: "ok" });
  expect(seen).toEqual([]);
});

test("[A3] of a login the password is secret, or the name where it is a token; a clone without one has nothing to mask", async () => {
  const { workspace } = world;
  expect(await workspace.loginSecrets("p1")).toEqual([]);
  const host = await serveOrigin([]);
  await workspace.clone("p1", `http://me:${PASSWORD}@${host}/served.git`);
  expect(await workspace.loginSecrets("p1")).toEqual([PASSWORD]);
  const sealed = async (user: string, password: string) => {
    await writeFile(loginFile(), `${host}\n${user}\n${password}\n`, { mode: 0o600 });
    return workspace.loginSecrets("p1");
  };
  expect(await sealed("a-token-of-letters", "")).toEqual(["a-token-of-letters"]);
  expect(await sealed("a-token-of-letters", "x-oauth-basic")).toEqual(["a-token-of-letters"]);
});

test("[W1] a wrong login is one sentence without the login", async () => {
  const host = await serveOrigin([]);
  for (const url of [`http://me:wrong-${PASSWORD}@${host}/served.git`, `http://${host}/served.git`]) {
    const refused = await world.workspace.clone("p1", url);
    expect(refused).toMatchObject({
      message:
        "The server refused the login. Give user name and token in the repository's address, as in https://user:token@host/…; " +
        "with ssh, check the key of the user that runs Camelot.",
    });
  }
});

test("[W1] a redirect to another host gets no login", async () => {
  const seen: string[] = [];
  const host = await serveOrigin(seen);
  const redirect = createServer((request, response) =>
    response.writeHead(302, { location: `http://${host}${request.url}` }).end(),
  );
  await new Promise<void>((resolve) => redirect.listen(0, "127.0.0.1", resolve));
  const port = (redirect.address() as AddressInfo).port;
  const refused = await world.workspace.clone("p1", `http://me:${PASSWORD}@127.0.0.1:${port}/served.git`);
  redirect.close();
  expect(refused).toMatchObject({ kind: "refused" });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.join("\n")).not.toContain("Basic");
});
