import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeNastyPathRepository,
  makeRepository,
  makeUnbornRepositories,
  requestFor,
  runGit,
  testSeal,
  writeFiles,
} from "../../testing/git-repositories";

let world: GitWorld;

beforeEach(async () => {
  world = await makeGitWorld();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await world.remove();
});

const unusable = (message: RegExp) => ({
  kind: "refused",
  code: "REPOSITORY_UNUSABLE",
  message: expect.stringMatching(message),
});

test("[W1] a repository is told by its path and branch", async () => {
  const path = await makeRepository(join(world.folder, "repo"));
  expect(await world.workspace.inspect(path)).toEqual({ kind: "ok", path, defaultBranch: "main" });
});

test("[W1][P1] a folder that answered while the server itself was busy is not taken for a drive that is away", async () => {
  const path = await makeRepository(join(world.folder, "repo"));
  await world.workspace.inspect(path);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const looking = world.workspace.inspect(path);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    const busyUntil = performance.now() + 200;
    while (performance.now() < busyUntil);
    // Past the limit of a folder, and not past that of git, which may be asked already.
    vi.advanceTimersByTime(12_000);
    expect(await looking).toMatchObject({ kind: "ok", path });
  } finally {
    vi.useRealTimers();
  }
});

test("[W3] nothing there, a file, no repository, a subfolder, git's own folder: one plain sentence each", async () => {
  const { workspace, folder } = world;
  const path = await makeRepository(join(folder, "repo"), { "sub/a.txt": "x" });
  await writeFile(join(folder, "file"), "x");
  await mkdir(join(folder, "plain"));
  expect(await workspace.inspect(join(folder, "nowhere"))).toEqual(unusable(/^There is nothing at /));
  expect(await workspace.inspect(join(folder, "file", "deeper"))).toEqual(unusable(/^There is nothing at /));
  expect(await workspace.inspect(join(folder, "file"))).toEqual(unusable(/is a file, not a folder/));
  expect(await workspace.inspect(join(folder, "plain"))).toEqual(unusable(/is not a git repository\.$/));
  expect(await workspace.inspect(join(path, "sub"))).toEqual(
    unusable(/is a folder inside the repository .*repo\. Use /),
  );
  expect(await workspace.inspect(join(path, ".git"))).toEqual(unusable(/git's own/));
  expect(await workspace.inspect("relative/path")).toEqual(unusable(/full path/));
  expect(await workspace.inspect("/bad\0path")).toEqual(unusable(/full path/));
  expect(await workspace.inspect(`/${"x".repeat(5_000)}`)).toEqual(unusable(/ENAMETOOLONG/));
});

test("[GIT-1][W3] without a first commit: a sentence, nothing written, and the retry works", async () => {
  const { empty, files, bare } = await makeUnbornRepositories(world.folder);
  for (const path of [empty, files, bare]) {
    const refused = {
      kind: "refused",
      code: "NO_COMMIT",
      message: `${path} has no commit yet. Make a first commit, then try again.`,
    };
    expect(await world.workspace.inspect(path)).toEqual(refused);
    expect(await world.workspace.prepare(requestFor(path))).toEqual(refused);
  }
  expect(await runGit(files, "status", "--porcelain")).toBe("?? readme.txt");
  await commitAll(files, "first");
  expect(await world.workspace.prepare(requestFor(files))).toMatchObject({ kind: "ok", branch: "camelot/1-fix-login" });
  await runGit(files, "push", "-q", bare, "main");
  expect(await world.workspace.inspect(bare)).toEqual({ kind: "ok", path: bare, defaultBranch: "main" });
});

test("[GIT-4] blanks, quotes, a dollar sign and other scripts in the path", async () => {
  const path = await makeNastyPathRepository(world.folder);
  expect(await world.workspace.inspect(path)).toEqual({ kind: "ok", path, defaultBranch: "main" });
});

test("[W3] a detached HEAD and a HEAD that names an empty branch fall back to a branch that has commits", async () => {
  const path = await makeRepository(join(world.folder, "repo"));
  await runGit(path, "branch", "other");
  await runGit(path, "checkout", "-q", "--detach");
  expect(await world.workspace.inspect(path)).toMatchObject({ defaultBranch: "main" });
  await runGit(path, "symbolic-ref", "HEAD", "refs/heads/not-born");
  expect(await world.workspace.inspect(path)).toMatchObject({ defaultBranch: "main" });
  await runGit(path, "checkout", "-q", "--detach", "main");
  await runGit(path, "branch", "-q", "-D", "main", "other");
  expect(await world.workspace.inspect(path)).toMatchObject({ defaultBranch: "HEAD" });
});

test("[W3] a repository of somebody else: git's refusal as a sentence with the way out", async () => {
  const path = await makeRepository(join(world.folder, "repo"));
  if (process.getuid?.() === 0) {
    await chown(path, 12_345, 12_345);
    await chown(join(path, ".git"), 12_345, 12_345);
  } else {
    await pretendOtherOwner();
  }
  // Some machines trust every folder.
  for (const name of ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"]) vi.stubEnv(name, "/dev/null");
  expect(await world.workspace.inspect(path)).toEqual(unusable(/belongs to another user.*safe\.directory/s));
});

test("[W3] a folder that git may not look into is not called a repository", async () => {
  const path = join(world.folder, "private");
  await mkdir(path, { mode: 0o000 });
  if (process.getuid?.() === 0) {
    await gitInFront('exec setpriv --reuid 65534 --regid 65534 --clear-groups git "$@"');
  }
  expect(await world.workspace.inspect(path)).toEqual(
    unusable(/^The user that runs Camelot may not look into .*private\./),
  );
});

/** Only root can give a folder away: a git in front of the real one that believes so. */
async function pretendOtherOwner(): Promise<void> {
  await gitInFront('GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"');
}

async function gitInFront(words: string): Promise<void> {
  const bin = join(world.folder, "bin");
  const script = `#!/bin/sh\nexport PATH="\${PATH#*:}"\n${words}\n`;
  await writeFiles(bin, { git: script });
  await chmod(join(bin, "git"), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env.PATH ?? ""}`);
}

test("[W1] a git that is missing or too old is told as such", async () => {
  const path = await makeRepository(join(world.folder, "repo"));
  const bin = join(world.folder, "bin");
  await mkdir(bin);
  vi.stubEnv("PATH", bin);
  vi.resetModules(); // the version is asked once per process
  const { createWorkspace } = await import("../workspace");
  const workspace = createWorkspace({ dataDir: world.dataDir, seal: testSeal, log: () => undefined });
  expect(await workspace.inspect(path)).toMatchObject({
    code: "GIT_MISSING",
    message: expect.stringMatching(/^git is not installed/),
  });
  await writeFiles(bin, { git: "#!/bin/sh\necho git version 2.20.1\n" });
  await chmod(join(bin, "git"), 0o755);
  expect(await workspace.inspect(path)).toMatchObject({
    code: "GIT_MISSING",
    message: expect.stringMatching(/2\.38 or newer; here is git version 2\.20\.1/),
  });
});
