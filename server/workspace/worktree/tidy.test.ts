import { chmod, lstat, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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
  testSeal,
  writeFiles,
} from "../../testing/git-repositories";
import { waitFor } from "../../testing/wait-for";
import { exists } from "../places";
import { createWorkspace } from "../workspace";

let world: GitWorld;
let repo = "";
let made: Worktree;

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"), { "a.txt": "one\n", ".gitignore": "cache/\n" });
  made = await prepareOk(world.workspace, requestFor(repo));
});
afterEach(() => world.remove());

const tidy = (worktree = made.path) => world.workspace.tidy({ repository: repo, worktree });

test("[R14][GIT-3] a worktree with everything saved goes, its branch and commits stay and come back", async () => {
  await writeFiles(made.path, { "b.txt": "b\n", "cache/x": "ignored" });
  expect(await tidy()).toBe(false);
  await world.workspace.save(saveRequestFor(repo, made));
  expect(await tidy()).toBe(true);
  expect(await exists(made.path)).toBe(false);
  expect(await runGit(repo, "worktree", "list")).not.toContain(made.path);
  expect(await tidy()).toBe(true); // harmless twice
  const again = await prepareOk(world.workspace, requestFor(repo, { branch: made.branch }));
  expect(again).toEqual(made);
  expect(await readFile(join(made.path, "b.txt"), "utf8")).toBe("b\n");
});

test("[R14] kept: changed files, commits on no branch, an operation in progress, a lock", async () => {
  await writeFiles(made.path, { "a.txt": "changed\n" });
  expect(await tidy()).toBe(false);
  await runGit(made.path, "checkout", "-q", "--detach");
  await commitAll(made.path, "on no branch");
  expect(await tidy()).toBe(false);
  await runGit(made.path, "branch", "named");
  await writeFiles(join(repo, ".git", "worktrees", "1-fix-login"), { MERGE_HEAD: made.baseCommit });
  expect(await tidy()).toBe(false);
  await runGit(made.path, "merge", "--quit");
  await runGit(repo, "worktree", "lock", made.path);
  expect(await tidy()).toBe(false);
  await runGit(repo, "worktree", "unlock", made.path);
  expect(await tidy()).toBe(true);
});

test("[R14] a folder git does not know, and one that is not ours, are never removed", async () => {
  const unknown = join(made.path, "..", "9-unknown");
  await writeFiles(unknown, { "precious.txt": "x" });
  expect(await tidy(unknown)).toBe(false);
  expect(await readFile(join(unknown, "precious.txt"), "utf8")).toBe("x");
  await expect(tidy(repo)).rejects.toThrow("is not a worktree of Camelot");
});

test("[R14][W1] a data directory inside the user's own repository: an agent that removed .git harms neither", async () => {
  const outer = await makeRepository(join(world.folder, "outer"), { ".gitignore": ".camelot/\n", "a.txt": "outer\n" });
  const workspace = createWorkspace({ dataDir: join(outer, ".camelot"), seal: testSeal, log: () => undefined });
  const task = await prepareOk(workspace, requestFor(outer));
  await writeFiles(task.path, { "b.txt": "b\n" });
  await rm(join(task.path, ".git"));
  expect(await workspace.tidy({ repository: outer, worktree: task.path })).toBe(false);
  expect(await workspace.save(saveRequestFor(outer, task))).toMatchObject({ files: 1 });
  expect(await workspace.diff({ ...task, repository: outer, worktree: task.path })).toHaveLength(1);
  await prepareOk(workspace, requestFor(outer, { branch: task.branch }));
  expect(await runGit(task.path, "status", "--porcelain", "--branch")).toBe(`## ${task.branch}`);
  expect(await runGit(outer, "status", "--porcelain", "--branch")).toBe("## main");
  expect(await workspace.tidy({ repository: outer, worktree: task.path })).toBe(true);
});

test("[R14] what a crash left in the scratch folder is swept at the next start", async () => {
  const scratch = join(world.dataDir, "scratch");
  await writeFiles(scratch, { "trash-1/deep/er/x.txt": "x", "git-young/index": "x" });
  const workspace = createWorkspace({ dataDir: world.dataDir, seal: testSeal, log: () => undefined });
  await workspace.inspect(repo);
  await waitFor(async () => (await readdir(scratch)).join() === "git-young", "the sweep");
});

/** As caches of modules are left: nobody may write to a folder, or not even look into it. */
async function shut(folder: string): Promise<void> {
  await writeFiles(folder, { "pkg/mod/deep/er/most/m.go": "m", "pkg/none/n.go": "n", "pkg/mod/top.go": "t" });
  for (const inner of ["pkg/mod/deep/er/most", "pkg/mod/deep/er", "pkg/mod/deep", "pkg/mod"]) {
    await chmod(join(folder, inner), 0o555);
  }
  await chmod(join(folder, "pkg/none"), 0o000);
  await chmod(join(folder, "pkg"), 0o555);
}

test("[R14] read-only folders go with the worktree and leave nothing; what a link leads to keeps its rights", async () => {
  const outside = join(world.folder, "outside");
  await writeFiles(outside, { "kept.txt": "k" });
  await chmod(outside, 0o555);
  await writeFiles(made.path, { "r/a.txt": "a\n" });
  await chmod(join(made.path, "r"), 0o555);
  await world.workspace.save(saveRequestFor(repo, made));
  await shut(join(made.path, "cache"));
  await chmod(join(made.path, "cache"), 0o755);
  await symlink(outside, join(made.path, "cache", "link"));
  await chmod(join(made.path, "cache"), 0o555);
  await chmod(made.path, 0o555);
  expect(await tidy()).toBe(true);
  expect([await exists(made.path), await readdir(join(world.dataDir, "scratch"))]).toEqual([false, []]);
  expect(await runGit(repo, "worktree", "list")).not.toContain(made.path);
  expect((await lstat(outside)).mode & 0o777).toBe(0o555);
  await chmod(outside, 0o755);
  expect([await readFile(join(outside, "kept.txt"), "utf8"), world.lines]).toEqual(["k", []]);
  expect(await runGit(repo, "show", `${made.branch}:r/a.txt`)).toBe("a");
});

test("[R14] the sweep at the next start clears what could not be deleted before, one folder after the other", async () => {
  const scratch = join(world.dataDir, "scratch");
  await shut(join(scratch, "trash-1"));
  await writeFiles(scratch, { "trash-2/x.txt": "x" });
  await chmod(join(scratch, "trash-1"), 0o555);
  const workspace = createWorkspace({ dataDir: world.dataDir, seal: testSeal, log: () => undefined });
  await workspace.inspect(repo);
  await waitFor(async () => (await readdir(scratch)).length === 0, "the sweep");
});

test("[R14] a worktree that git cannot strike off its list is where it was, with all that is in it", async () => {
  await writeFiles(made.path, { "cache/x": "ignored" });
  const entry = join(repo, ".git", "worktrees", "1-fix-login");
  const bin = join(world.folder, "bin");
  await writeFiles(bin, {
    git: `#!/bin/sh\nexport PATH="\${PATH#*:}"\ncase " $* " in *" worktree remove "*) echo "fatal: cannot remove" >&2; exit 1;; esac\nexec git "$@"\n`,
  });
  await chmod(join(bin, "git"), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env.PATH ?? ""}`);
  await expect(tidy()).rejects.toThrow("cannot remove");
  vi.unstubAllEnvs();
  expect([await readFile(join(made.path, "cache", "x"), "utf8"), await exists(entry)]).toEqual(["ignored", true]);
  expect(await tidy()).toBe(true);
});
