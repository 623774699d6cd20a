/** Clones whose other end keeps silent, is slow, or is given up (W1, R5), and what a crash left of one. */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { selfAsHolder } from "../../system/holder";
import {
  type GitWorld,
  makeGitWorld,
  makeRepository,
  prepareOk,
  requestFor,
  runGit,
  testSeal,
} from "../../testing/git-repositories";
import { waitFor } from "../../testing/wait-for";
import { createWorkspace } from "../workspace";

let world: GitWorld;
let origin = "";

beforeEach(async () => {
  world = await makeGitWorld();
  origin = await makeRepository(join(world.folder, "origin"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await world.remove();
});

async function cloneOk(): Promise<string> {
  const found = await world.workspace.clone("p1", `file://${origin}`);
  if (found.kind === "refused") throw new Error(found.message);
  return found.path;
}

/** Accepts and says nothing. */
async function serveSilence() {
  const connected = new Set<Socket>();
  const silent = createServer((socket) => {
    connected.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => connected.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const close = () => {
    for (const socket of connected) socket.destroy();
    silent.close();
  };
  return { address: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/shop.git`, connected, close };
}

/** A workspace of the same world that is patient for so long only. */
function impatient(silenceLimitMs: number) {
  return createWorkspace({ dataDir: world.dataDir, seal: testSeal, log: () => undefined, silenceLimitMs });
}

const SILENT = /^The repository's server did not answer for \d+ s, so this was given up\. Check the address/;

test("[W1] a server that accepts and never answers is given up with a sentence, and nothing stays", async () => {
  const silent = await serveSilence();
  const refused = await impatient(1_000).clone("p1", silent.address);
  expect(refused).toMatchObject({ code: "REPOSITORY_UNUSABLE", message: expect.stringMatching(SILENT) });
  expect(await readdir(join(world.dataDir, "clones"))).toEqual([]);
  silent.close();
});

test("[W1] a clone that gets on takes longer than the silence it may hear", async () => {
  const ssh = join(world.folder, "slow-ssh");
  // The other end works for a while and tells of it, as git does on big repositories.
  // Asked with -G first, whether it is OpenSSH.
  const script = `[ "$1" = -G ] && exit 0\nfor n in 1 2 3 4 5 6; do echo "remote: Counting objects: $n" >&2; sleep 0.4; done\nexec git upload-pack '${origin}'\n`;
  await writeFile(ssh, `#!/bin/sh\n${script}`, { mode: 0o755 });
  vi.stubEnv("GIT_SSH_COMMAND", ssh);
  const found = await impatient(2_000).clone("p1", "ssh://git@no.example/x.git");
  expect(found).toMatchObject({ kind: "ok", defaultBranch: "main" });
});

test("[W1] a new address that never answers is given up, or at a word; the clone stays as it was", async () => {
  const path = await cloneOk();
  const silent = await serveSilence();
  const login = silent.address.replace("//", "//me:a-word@");
  expect(await impatient(1_000).moveClone("p1", login, "main")).toMatchObject({
    message: expect.stringMatching(SILENT),
  });
  const giveUp = new AbortController();
  const moving = world.workspace.moveClone("p1", login, "main", giveUp.signal);
  await waitFor(() => silent.connected.size > 0, "git to ask the address");
  giveUp.abort();
  expect(await moving).toMatchObject({ kind: "refused", message: "This was given up before it was done." });
  expect(await runGit(path, "remote", "get-url", "origin")).toBe(`file://${origin}`);
  expect(await readdir(join(world.dataDir, "clone-credentials"))).toEqual(["ask-pass.sh"]);
  await waitFor(() => silent.connected.size === 0, "git to end");
  silent.close();
});

test("[W1][R5] a house that is left ends its pushes, and begins no clone any more", async () => {
  const path = await cloneOk();
  const made = await prepareOk(world.workspace, requestFor(path));
  const silent = await serveSilence();
  await runGit(path, "remote", "set-url", "origin", silent.address);
  const { branch } = made;
  const pushing = world.workspace.push({ repository: path, baseBranch: "main", branch, what: "branch" });
  await waitFor(() => silent.connected.size > 0, "git to ask the address");
  await world.workspace.endErrands();
  const message = "The server is restarting, so this was given up. Try again in a moment.";
  expect(await pushing).toMatchObject({ kind: "refused", message });
  expect(await world.workspace.clone("p2", `file://${origin}`)).toMatchObject({ kind: "refused", message });
  await waitFor(() => silent.connected.size === 0, "git to end");
  silent.close();
});

test("[R5][W1] of parts that others left only those go whose maker is gone, or which nobody can have made so long", async () => {
  const clones = join(world.dataDir, "clones");
  const part = async (name: string, maker: string | null, hoursAgo = 0) => {
    await mkdir(join(clones, name, "repository"), { recursive: true });
    if (maker !== null) await symlink(maker, join(clones, name, "maker"));
    const at = new Date(Date.now() - hoursAgo * 3_600_000);
    await utimes(join(clones, name), at, at);
  };
  const over = spawnSync("true").pid;
  const mine = selfAsHolder();
  await part("p1.part-alive", mine, 5);
  await part("p1.part-over", mine.replace(` ${process.pid} `, ` ${over} `));
  await part("p1.part-unknown", null);
  await part("p1.part-former", null, 2);
  await mkdir(join(clones, "p2"));
  await impatient(1_000).open();
  await waitFor(async () => (await readdir(clones)).length === 3, "the left parts to go");
  expect((await readdir(clones)).sort()).toEqual(["p1.part-alive", "p1.part-unknown", "p2"]);
});
