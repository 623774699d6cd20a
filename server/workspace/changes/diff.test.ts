import { chmod, readdir, readFile, rename, stat, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DiffFile, Worktree } from "../../ports/workspace";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeRepository,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  workWithoutCommit,
  writeFiles,
} from "../../testing/git-repositories";

const LONG = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");

let world: GitWorld;
let repo = "";
let made: Worktree;

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"), {
    "a.txt": "one\ntwo\n",
    "long.txt": LONG,
    "gone.txt": "x\n",
  });
  made = await prepareOk(world.workspace, requestFor(repo));
});
afterEach(() => world.remove());

async function diff(worktree: string | null = made.path, file?: string): Promise<Map<string, DiffFile>> {
  const { branch, baseCommit } = made;
  const only = file === undefined ? {} : { file };
  const files = await world.workspace.diff({ repository: repo, worktree, branch, baseCommit, ...only });
  return new Map(files.map((file) => [file.path, file]));
}

test("[GIT-3][W3] uncommitted work is shown before it is saved and the same after", async () => {
  await workWithoutCommit(made.path, "a.txt");
  await unlink(join(made.path, "gone.txt"));
  const before = await diff();
  expect([...before.keys()]).toEqual(["a.txt", "gone.txt", "new-dir/untracked.txt", "staged.txt"]);
  expect(before.get("a.txt")).toMatchObject({
    status: "modified",
    additions: 1,
    deletions: 2,
    isBinary: false,
    isCut: false,
  });
  expect(before.get("a.txt")?.patch).toMatch(
    /^diff --git a\/a\.txt b\/a\.txt\n[\s\S]*@@ -1,2 \+1 @@\n-one\n-two\n\+edited by the agent\n$/,
  );
  expect(before.get("gone.txt")).toMatchObject({ status: "deleted", deletions: 1 });
  expect(before.get("staged.txt")).toMatchObject({ status: "added", additions: 1 });
  const { files } = await world.workspace.save(saveRequestFor(repo, made));
  expect(files).toBe(4);
  expect(await diff()).toEqual(before);
  expect(await world.workspace.tidy({ repository: repo, worktree: made.path })).toBe(true);
  expect(await diff()).toEqual(before); // the worktree is gone: the branch tells
  expect(await diff(null)).toEqual(before);
});

test("[W3] looking changes neither the index nor the repository's objects", async () => {
  await workWithoutCommit(made.path, "a.txt");
  const index = join(repo, ".git", "worktrees", "1-fix-login", "index");
  const objects = async () => (await readdir(join(repo, ".git", "objects"), { recursive: true })).sort();
  const before = { index: await readFile(index), time: (await stat(index)).mtimeMs, objects: await objects() };
  await diff();
  expect({ index: await readFile(index), time: (await stat(index)).mtimeMs, objects: await objects() }).toEqual(before);
  expect(await readdir(join(world.dataDir, "scratch"))).toEqual([]);
});

test("[W3] renamed, binary, mode, link and type changes are told apart", async () => {
  await rename(join(made.path, "long.txt"), join(made.path, "renamed.txt"));
  await writeFiles(made.path, { "bin.dat": new Uint8Array([0, 1, 2, 0]), "empty.txt": "" });
  await chmod(join(made.path, "a.txt"), 0o755);
  await symlink("a.txt", join(made.path, "link"));
  await unlink(join(made.path, "gone.txt"));
  await symlink("a.txt", join(made.path, "gone.txt"));
  const files = await diff();
  expect(files.get("renamed.txt")).toMatchObject({
    status: "renamed",
    oldPath: "long.txt",
    additions: 0,
    deletions: 0,
  });
  expect(files.get("bin.dat")).toMatchObject({ status: "added", isBinary: true, patch: null, isCut: false });
  expect(files.get("empty.txt")).toMatchObject({
    status: "added",
    additions: 0,
    patch: expect.stringContaining("new file mode"),
  });
  expect(files.get("a.txt")).toMatchObject({
    status: "mode-changed",
    patch: expect.stringContaining("new mode 100755"),
  });
  expect(files.get("link")?.patch).toContain("new file mode 120000");
  expect(files.get("gone.txt")).toMatchObject({
    status: "modified",
    patch: expect.stringContaining("deleted file mode"),
  });
  expect(files.get("gone.txt")?.patch).toContain("new file mode 120000");
});

test("[W3] odd names come through, and text that looks like a header does not break the cutting", async () => {
  const names = ['qu"ote.txt', "new\nline.txt", "tab\t.txt", "🚀 日本.txt", "-dash", " lead"];
  const content = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n";
  await writeFiles(made.path, Object.fromEntries(names.map((name) => [name, `${content}${name}`])));
  const files = await diff();
  for (const name of names) {
    expect(files.get(name)).toMatchObject({ status: "added" });
    expect(files.get(name)?.patch).toContain(`+${name.split("\n")[0]}`);
  }
  expect(files.size).toBe(names.length);
});

test("[W3] a submodule shows which commit it points to", async () => {
  const inner = await makeRepository(join(world.folder, "inner"));
  await runGit(made.path, "submodule", "--quiet", "add", inner, "lib");
  const files = await diff();
  expect(files.get("lib")).toMatchObject({ status: "added", patch: expect.stringContaining("+Subproject commit") });
});

test("[P20] long patches are cut whole, the list stays complete", async () => {
  const line = `${"x".repeat(99)}\n`;
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index + 10}.txt`, line.repeat(1_000)]));
  await writeFiles(made.path, { ...many, "big.txt": line.repeat(30_000), "a.txt": "small\n" });
  const files = await diff();
  expect(files.size).toBe(32);
  expect(files.get("a.txt")).toMatchObject({ isCut: false, patch: expect.stringContaining("+small") });
  expect(files.get("big.txt")).toMatchObject({ isCut: true, patch: null, additions: 30_000 });
  expect(files.get("m10.txt")).toMatchObject({ isCut: false });
  expect(files.get("m39.txt")).toMatchObject({ isCut: true, patch: null, additions: 1_000 });
  const kept = [...files.values()].reduce((sum, file) => sum + (file.patch?.length ?? 0), 0);
  expect(kept).toBeGreaterThan(1_500_000);
  expect(kept).toBeLessThanOrEqual(2_000_000);
});

test("[W4] a file that is too long among all of them is there when it is asked for by itself, renamed and oddly named ones too", async () => {
  const line = `${"x".repeat(99)}\n`;
  await writeFiles(made.path, { "big.txt": line.repeat(30_000), "*.txt": "star\n", "-dash\n": "dash\n" });
  await writeFiles(made.path, { "huge.txt": line.repeat(60_000) });
  await rename(join(made.path, "long.txt"), join(made.path, "renamed.txt"));
  const only = async (path: string) => [...(await diff(made.path, path)).values()];
  expect((await diff()).get("big.txt")).toMatchObject({ isCut: true, patch: null });
  const [big] = await only("big.txt");
  expect(big).toMatchObject({ isCut: false, additions: 30_000 });
  expect(big?.patch?.match(/^\+x/gm)).toHaveLength(30_000);
  expect(await only("huge.txt")).toMatchObject([{ isCut: true, patch: null, additions: 60_000 }]);
  expect(await only("*.txt")).toMatchObject([{ path: "*.txt", patch: expect.stringContaining("+star") }]);
  expect(await only("-dash\n")).toMatchObject([{ patch: expect.stringContaining("+dash") }]);
  expect(await only("renamed.txt")).toMatchObject([{ status: "renamed", oldPath: "long.txt", isCut: false }]);
  expect(await only("a.txt")).toEqual([]);
  const odd = Buffer.concat([Buffer.from(`${made.path}/`), Buffer.from([0x66, 0xff])]);
  await writeFile(odd, "no name in UTF-8\n");
  expect(await only("f\ufffd")).toMatchObject([{ patch: expect.stringContaining("+no name") }]);
});

test("[W3] the user's diff settings change nothing", async () => {
  await runGit(repo, "config", "diff.noprefix", "true");
  await runGit(repo, "config", "diff.external", "false");
  await runGit(repo, "config", "color.ui", "always");
  await runGit(repo, "config", "diff.renames", "false");
  await rename(join(made.path, "long.txt"), join(made.path, "renamed.txt"));
  await writeFiles(made.path, { "a.txt": "x\n" });
  const files = await diff();
  expect(files.get("a.txt")?.patch).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/);
  expect(files.get("renamed.txt")?.status).toBe("renamed");
});

test("[W3] an agent that writes all the time does not make the look fail", async () => {
  const stop = new AbortController();
  const writer = (async () => {
    for (let count = 0; !stop.signal.aborted; count++) {
      await writeFiles(made.path, { [`busy-${count % 20}.txt`]: `${count}\n`.repeat(200) });
      if (count % 7 === 0) await unlink(join(made.path, `busy-${(count * 3) % 20}.txt`)).catch(() => undefined);
    }
  })();
  try {
    for (let look = 0; look < 5; look++) await diff();
  } finally {
    stop.abort();
    await writer;
  }
});

test("[W3] a branch that is gone is told in a sentence", async () => {
  await runGit(repo, "worktree", "remove", made.path);
  await runGit(repo, "branch", "-q", "-D", made.branch);
  await expect(diff()).rejects.toThrow(/^The changes of .* cannot be shown\. The branch .* is not in .* any more\.$/);
});

test("[W3] with HEAD elsewhere and nothing uncommitted the branch is what is shown", async () => {
  await writeFiles(made.path, { "b.txt": "b\n" });
  await commitAll(made.path, "work");
  await runGit(made.path, "checkout", "-q", "--detach", "main");
  expect([...(await diff()).keys()]).toEqual(["b.txt"]);
});
