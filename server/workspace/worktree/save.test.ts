/** How work is saved at an ending, whatever the agent left (W2). In one file, as all of it begins with the same worktree. */
import { chmod, mkdir, readFile, rm, symlink, truncate, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Worktree } from "../../ports/workspace";
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
  writeHook,
} from "../../testing/git-repositories";

let world: GitWorld;
let repo = "";
let made: Worktree;

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"), {
    "a.txt": "one\ntwo\n",
    "gone.txt": "x\n",
    ".gitignore": "ignored/\n",
  });
  made = await prepareOk(world.workspace, requestFor(repo));
});
afterEach(() => world.remove());

const save = () => world.workspace.save(saveRequestFor(repo, made));
const show = (spec: string) => runGit(repo, "show", spec);
const status = () => runGit(made.path, "status", "--porcelain");

test("[GIT-3][W2] edited, staged, new and deleted files become one commit on the task's branch", async () => {
  await workWithoutCommit(made.path, "a.txt");
  await unlink(join(made.path, "gone.txt"));
  await writeFiles(made.path, { "ignored/cache": "x" });
  const saved = await save();
  expect(saved).toMatchObject({ kind: "saved", files: 4, additions: 3, deletions: 3, leftOut: [] });
  expect(await runGit(repo, "rev-parse", made.branch)).toBe(saved.headCommit);
  expect(await show(`${made.branch}:new-dir/untracked.txt`)).toBe("new");
  expect(await runGit(repo, "log", "-1", "--format=%an <%ae> %cn|%s|%b|%G?", made.branch)).toBe(
    "Camelot <camelot@localhost> Camelot|Fix login|By an agent.\n|N",
  );
  expect(await runGit(repo, "rev-parse", `${made.branch}^`)).toBe(made.baseCommit);
  expect(await status()).toBe("");
  expect(await save()).toEqual(saved); // nothing new: no commit, same counts
  await runGit(made.path, "commit", "-q", "--allow-empty", "-am", "the next session goes on");
  expect(await show(`${made.branch}:staged.txt`)).toBe("staged");
});

test("[W2] no hook, no signing, no editor and no user configuration gets in the way", async () => {
  for (const hook of ["pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "reference-transaction"]) {
    await writeHook(repo, hook, `#!/bin/sh\necho ${hook} >> "${world.folder}/hook-ran"\nexit 1\n`);
  }
  await runGit(repo, "config", "commit.gpgSign", "true");
  await runGit(repo, "config", "gpg.program", "/nowhere/gpg");
  await runGit(repo, "config", "status.showUntrackedFiles", "no");
  await runGit(repo, "config", "core.quotePath", "true");
  await writeFiles(made.path, { "ünï.txt": "x" });
  expect(await save()).toMatchObject({ files: 1 });
  await expect(readFile(join(world.folder, "hook-ran"))).rejects.toThrow("ENOENT");
});

test("[W2] an agent's own commits count, and a session that did nothing makes no commit", async () => {
  expect(await save()).toMatchObject({ headCommit: made.baseCommit, files: 0, additions: 0, deletions: 0 });
  await writeFiles(made.path, { "b.txt": "b\n" });
  const own = await commitAll(made.path, "by the agent");
  expect(await save()).toMatchObject({ headCommit: own, files: 1, additions: 1 });
});

test("[W2] big and secret-looking files stay uncommitted and are named; staged ones too", async () => {
  await writeFiles(made.path, {
    ".env": "TOKEN=1",
    ".env.example": "TOKEN=",
    "keys/server.pem": "x",
    "home/.ssh/id_ed25519": "x",
    "home/.ssh/id_ed25519.pub": "x",
    "big.bin": "",
  });
  await truncate(join(made.path, "big.bin"), 50_000_001);
  await runGit(made.path, "add", "-A");
  const saved = await save();
  expect([...saved.leftOut].sort()).toEqual([".env", "big.bin", "home/.ssh/id_ed25519", "keys/server.pem"]);
  expect(await runGit(repo, "ls-tree", "-r", "--name-only", made.branch)).toBe(
    [".env.example", ".gitignore", "a.txt", "gone.txt", "home/.ssh/id_ed25519.pub"].join("\n"),
  );
  expect(await readFile(join(made.path, ".env"), "utf8")).toBe("TOKEN=1");
  expect(await world.workspace.tidy({ repository: repo, worktree: made.path })).toBe(false);
});

test("[W2] a change to a secret-looking file that is tracked stays uncommitted, its deletion is work", async () => {
  await writeFiles(made.path, { ".env": "OLD=1", "old.key": "x" });
  await commitAll(made.path, "the agent committed them");
  await writeFiles(made.path, { ".env": "NEW=2" });
  await unlink(join(made.path, "old.key"));
  expect((await save()).leftOut).toEqual([".env"]);
  expect(await show(`${made.branch}:.env`)).toBe("OLD=1");
  expect(await status()).toBe(" M .env");
});

test("[W2][W3] an index lock left behind, or a broken index, does not stop saving", async () => {
  const own = join(repo, ".git", "worktrees", "1-fix-login");
  await writeFiles(own, { "index.lock": "half" });
  await writeFiles(made.path, { "b.txt": "b" });
  expect(await save()).toMatchObject({ files: 1 });
  expect(await status()).toBe("");
  await writeFiles(own, { index: "garbage" });
  await writeFiles(made.path, { "c.txt": "c" });
  expect(await save()).toMatchObject({ files: 2 });
  expect(await status()).toBe("");
});

test("[W3] odd names, links, modes, and a file that became a folder", async () => {
  await writeFiles(made.path, {
    'qu"ote.txt': "1",
    "new\nline.txt": "2",
    "🚀 x.txt": "3",
    "-dash": "4",
    ":(glob)x": "5",
    "*": "6",
  });
  await writeFiles(made.path, { "gone.txt.d/x": "y" });
  await unlink(join(made.path, "gone.txt"));
  await writeFiles(made.path, { "gone.txt/inside.txt": "now a folder" });
  await symlink("/etc/passwd", join(made.path, "link"));
  await chmod(join(made.path, "a.txt"), 0o755);
  await save();
  expect(await status()).toBe("");
  expect(await runGit(repo, "ls-tree", made.branch, "link", "a.txt")).toMatch(/100755 .*\ta\.txt\n120000 .*\tlink/);
  expect(await show(`${made.branch}:gone.txt/inside.txt`)).toBe("now a folder");
  expect(await show(`${made.branch}:new\nline.txt`)).toBe("2");
});

test("[W3] a name that is not UTF-8 is saved byte for byte", async () => {
  const name = Buffer.concat([Buffer.from(`${made.path}/caf`), Buffer.from([0xe9]), Buffer.from(".txt")]);
  await writeFile(name, "latin1");
  expect(await save()).toMatchObject({ files: 1 });
  expect(await status()).toBe("");
});

test("[W3] a file nobody may read stays out and is named; the rest is saved", async () => {
  await writeFiles(made.path, { "locked.txt": "x", "b.txt": "b" });
  await chmod(join(made.path, "locked.txt"), 0o000);
  const saved = await save();
  const isRoot = process.getuid?.() === 0; // root may read everything
  expect(saved.leftOut).toEqual(isRoot ? [] : ["locked.txt"]);
  expect(await show(`${made.branch}:b.txt`)).toBe("b");
});

test("[W2][R14] folders nobody may look into are named, with a slash, and keep the worktree; the rest is saved", async () => {
  await writeFiles(made.path, { "tracked/t.txt": "t\n", "listed/l.txt": "l\n", "deep/er/d.txt": "d\n" });
  await save();
  await writeFiles(made.path, {
    "tracked/t.txt": "changed\n",
    "listed/new.txt": "n",
    "new/precious.txt": "p",
    "it's\nodd/x": "x",
    "ignored/cache": "i",
    "b.txt": "b\n",
  });
  const shut: [string, number][] = [
    ["tracked", 0o000], // git would say nothing of the change in it
    ["listed", 0o444], // its names can be read, its files cannot
    ["deep/er", 0o311], // its files can be read by those who know their names
    ["new", 0o000],
    ["it's\nodd", 0o000],
    ["ignored", 0o000],
  ];
  for (const [folder, mode] of shut) await chmod(join(made.path, folder), mode);
  const tidy = () => world.workspace.tidy({ repository: repo, worktree: made.path });
  const saved = await save();
  const isRoot = process.getuid?.() === 0; // root may read everything
  const named = ["deep/er/", "it's\nodd/", "listed/", "new/", "tracked/"];
  expect([...saved.leftOut].sort()).toEqual(isRoot ? [] : named);
  expect(await show(`${made.branch}:b.txt`)).toBe("b");
  const { branch, baseCommit } = made;
  const wish = { repository: repo, branch, baseCommit, baseBranch: "main", worktree: made.path };
  expect((await world.workspace.diff(wish)).map(({ path }) => path)).toContain("b.txt");
  if (!isRoot) expect(await tidy()).toBe(false);
  for (const [folder] of shut) await chmod(join(made.path, folder), 0o755);
  expect((await save()).leftOut).toEqual([]);
  expect(await show(`${branch}:new/precious.txt`)).toBe("p");
  expect([await show(`${branch}:tracked/t.txt`), await show(`${branch}:listed/new.txt`)]).toEqual(["changed", "n"]);
  expect(await tidy()).toBe(true);
});

test("[W3] repositories inside the worktree stay where they are and are named", async () => {
  await makeRepository(join(made.path, "nested"));
  await mkdir(join(made.path, "unborn"));
  await runGit(join(made.path, "unborn"), "init", "-q");
  await writeFiles(made.path, { "unborn/x.txt": "x", "b.txt": "b" });
  const saved = await save();
  expect(saved).toMatchObject({ files: 1, leftOut: ["nested/", "unborn/"] });
  expect(await world.workspace.tidy({ repository: repo, worktree: made.path })).toBe(false);
});

test("[W3] a submodule with work of its own is named, and its new commit is recorded", async () => {
  const inner = await makeRepository(join(world.folder, "inner"));
  await runGit(repo, "submodule", "--quiet", "add", inner, "lib");
  await commitAll(repo, "with inner");
  made = await prepareOk(world.workspace, requestFor(repo, { number: 2 }));
  await writeFiles(made.path, { "lib/new.txt": "x" });
  const pointer = await commitAll(join(made.path, "lib"), "inner work");
  await writeFiles(made.path, { "lib/a.txt": "dirty" });
  expect((await save()).leftOut).toEqual(["lib"]);
  expect(await runGit(repo, "rev-parse", `${made.branch}:lib`)).toBe(pointer);
  await commitAll(join(made.path, "lib"), "all of it");
  await save();
  expect(await world.workspace.tidy({ repository: repo, worktree: made.path })).toBe(false); // commits that nobody else has
});

test("[W2] a worktree that its agent deleted still gives the branch's counts", async () => {
  await writeFiles(made.path, { "b.txt": "b\n" });
  await commitAll(made.path, "work");
  await runGit(repo, "worktree", "remove", made.path);
  expect(await save()).toMatchObject({ files: 1, additions: 1, leftOut: [], isWorktreeGone: true });
});

test("[W2] what cannot be saved is told in one sentence and stays in the worktree", async () => {
  await writeFiles(made.path, { "b.txt": "b" });
  await runGit(repo, "config", "filter.broken.clean", "false");
  await runGit(repo, "config", "filter.broken.required", "true");
  await writeFiles(made.path, { ".gitattributes": "b.txt filter=broken\n" });
  await expect(save()).rejects.toThrow(/^The work in .* could not be committed; it stays there\. .*clean filter/s);
  expect(await readFile(join(made.path, "b.txt"), "utf8")).toBe("b");
});

test("[W2] a folder that became a link, and one that became a file, are saved as such", async () => {
  await writeFiles(made.path, { "dir/c.txt": "c\n", "sub/d.txt": "d\n" });
  await save();
  for (const name of ["dir", "sub"]) await rm(join(made.path, name), { recursive: true });
  await symlink("..", join(made.path, "dir"));
  await writeFiles(made.path, { sub: "a file now\n" });
  await save();
  expect(await runGit(repo, "ls-tree", "-r", "--name-only", made.branch, "dir", "sub")).toBe("dir\nsub");
  expect([await show(`${made.branch}:dir`), await status()]).toEqual(["..", ""]);
});

test("[W2] two thousand new files are saved", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [`many/${index % 50}/${index}.txt`, `${index}`]),
  );
  await writeFiles(made.path, files);
  expect(await save()).toMatchObject({ files: 2_000 });
});

test("[W3] a repository whose names are SHA-256 works the same", async () => {
  const other = join(world.folder, "sha256");
  await mkdir(other);
  await runGit(other, "init", "-q", "-b", "main", "--object-format=sha256");
  await writeFiles(other, { "a.txt": "one\n" });
  await commitAll(other, "one");
  const task = await prepareOk(world.workspace, requestFor(other, { projectId: "p2" }));
  await writeFiles(task.path, { "b.txt": "b\n", ".env": "x" });
  await runGit(task.path, "add", "-A");
  const saved = await world.workspace.save(saveRequestFor(other, task));
  expect(saved).toMatchObject({ files: 1, leftOut: [".env"], headCommit: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const files = await world.workspace.diff({ ...task, repository: other, worktree: task.path });
  expect(files.map((file) => file.path)).toEqual(["b.txt"]);
});
