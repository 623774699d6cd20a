/** Work that an agent left anywhere but on its branch: it ends up there, or nothing is moved. */
import { readFile, rm } from "node:fs/promises";
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
  writeFiles,
} from "../../testing/git-repositories";

let world: GitWorld;
let repo = "";
let made: Worktree;

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"), { "a.txt": "one\n", "b.txt": "b\n" });
  made = await prepareOk(world.workspace, requestFor(repo));
});
afterEach(() => world.remove());

const save = () => world.workspace.save(saveRequestFor(repo, made));
const show = (path: string) => runGit(repo, "show", `${made.branch}:${path}`);
const headOf = () => runGit(made.path, "rev-parse", "--abbrev-ref", "HEAD");
const gitIn = (...args: string[]) => runGit(made.path, ...args);
const failing = (...args: string[]) => gitIn(...args).catch(() => "");

test("[W2] a detached HEAD with commits and changes: all of it on the branch, HEAD back on it", async () => {
  await gitIn("checkout", "-q", "--detach");
  await writeFiles(made.path, { "c.txt": "c\n" });
  const own = await commitAll(made.path, "detached work");
  await writeFiles(made.path, { "d.txt": "d\n" });
  const saved = await save();
  expect(saved).toMatchObject({ files: 2 });
  expect(await runGit(repo, "rev-parse", `${saved.headCommit}^`)).toBe(own);
  expect(await headOf()).toBe(made.branch);
  expect(await gitIn("status", "--porcelain")).toBe("");
});

test("[W2] a branch of the agent's own: its work comes to the task's branch, its branch stays", async () => {
  await gitIn("checkout", "-q", "-b", "agents-own");
  await writeFiles(made.path, { "c.txt": "c\n" });
  const own = await commitAll(made.path, "on another branch");
  expect(await save()).toMatchObject({ headCommit: own, files: 1 });
  expect(await runGit(repo, "rev-parse", "agents-own")).toBe(own);
  expect(await headOf()).toBe(made.branch);
});

test("[W2] work on an older commit is joined to the branch, nothing of either is lost", async () => {
  await writeFiles(made.path, { "c.txt": "c\n" });
  await commitAll(made.path, "first");
  await gitIn("checkout", "-q", "--detach", made.baseCommit);
  await writeFiles(made.path, { "d.txt": "d\n", "a.txt": "changed\n" });
  expect(await save()).toMatchObject({ files: 3 });
  expect(await show("c.txt")).toBe("c");
  expect(await show("d.txt")).toBe("d");
  expect(await show("a.txt")).toBe("changed");
  expect(await headOf()).toBe(made.branch);
  expect(await readFile(join(made.path, "c.txt"), "utf8")).toBe("c\n");
});

test("[W2] joined with a conflict: both sides stand in the file, to be resolved", async () => {
  await writeFiles(made.path, { "a.txt": "from the branch\n" });
  await commitAll(made.path, "first");
  await gitIn("checkout", "-q", "--detach", made.baseCommit);
  await writeFiles(made.path, { "a.txt": "from elsewhere\n" });
  await save();
  expect(await show("a.txt")).toContain("from the branch");
  expect(await show("a.txt")).toContain("from elsewhere");
});

test("[W2] only looking at another commit changes nothing", async () => {
  await writeFiles(made.path, { "c.txt": "c\n" });
  const own = await commitAll(made.path, "first");
  await gitIn("checkout", "-q", "--detach", "main");
  expect(await save()).toMatchObject({ headCommit: own, files: 1 });
  expect(await headOf()).toBe(made.branch);
});

test("[W2][W3] a merge in progress is concluded with what is there", async () => {
  await writeFiles(repo, { "a.txt": "main\n", "m.txt": "from main\n" });
  const theirs = await commitAll(repo, "main goes on");
  await writeFiles(made.path, { "a.txt": "task\n" });
  await commitAll(made.path, "task work");
  await failing("merge", "-q", "main");
  await save();
  expect(await show("a.txt")).toMatch(/<<<<<<< HEAD\ntask\n=======\nmain\n>>>>>>> main/);
  expect(await runGit(repo, "rev-parse", `${made.branch}^2`)).toBe(theirs);
  expect(await gitIn("status", "--porcelain=v2", "--branch")).not.toContain("u ");
  await expect(readFile(join(repo, ".git/worktrees/1-fix-login/MERGE_HEAD"))).rejects.toThrow("ENOENT");
});

test("[W2][W3] a rebase in progress: the branch keeps its commits, the state of the rebase is joined", async () => {
  await writeFiles(repo, { "a.txt": "main\n" });
  await commitAll(repo, "main goes on");
  await writeFiles(made.path, { "a.txt": "task\n" });
  const first = await commitAll(made.path, "task 1");
  await writeFiles(made.path, { "c.txt": "c\n" });
  const second = await commitAll(made.path, "task 2");
  await failing("rebase", "main");
  await writeFiles(made.path, { "half.txt": "resolving\n" });
  await save();
  const history = await runGit(repo, "rev-list", made.branch);
  expect(history).toContain(first);
  expect(history).toContain(second);
  expect(await show("half.txt")).toBe("resolving");
  expect(await show("c.txt")).toBe("c");
  expect(await headOf()).toBe(made.branch);
  expect(await gitIn("status", "--porcelain")).toBe("");
  await expect(readFile(join(repo, ".git/worktrees/1-fix-login/rebase-merge/head-name"))).rejects.toThrow("ENOENT");
});

test("[W2] a cherry-pick and a revert in progress are part of the commit", async () => {
  await writeFiles(repo, { "a.txt": "main\n" });
  await commitAll(repo, "main goes on");
  await writeFiles(made.path, { "a.txt": "task\n" });
  await commitAll(made.path, "task");
  await failing("cherry-pick", "main");
  await save();
  expect(await show("a.txt")).toContain("=======");
  expect(await gitIn("status")).not.toContain("cherry-pick");
});

test("[W2] the branch was deleted under the worktree, or HEAD has no commit: the work is on the branch again", async () => {
  await writeFiles(made.path, { "c.txt": "c\n" });
  await runGit(repo, "update-ref", "-d", `refs/heads/${made.branch}`);
  expect(await save()).toMatchObject({ files: 1 });
  await gitIn("checkout", "-q", "--orphan", "fresh");
  await writeFiles(made.path, { "d.txt": "d\n" });
  expect(await save()).toMatchObject({ files: 2 });
  expect(await headOf()).toBe(made.branch);
});

test("[W2][W3] an agent that removed or replaced .git loses nothing", async () => {
  await writeFiles(made.path, { "c.txt": "c\n" });
  await rm(join(made.path, ".git"));
  expect(await save()).toMatchObject({ files: 1 });
  await runGit(made.path, "init", "-q");
  await writeFiles(made.path, { "d.txt": "d\n" });
  expect(await save()).toMatchObject({ files: 2 });
  expect(await show("d.txt")).toBe("d");
});

test("[W1] saving moves no other branch and not the user's tree", async () => {
  await writeFiles(repo, { "a.txt": "dirty by hand\n" });
  await runGit(repo, "branch", "other");
  const others = async () =>
    (await runGit(repo, "show-ref")).split("\n").filter((line) => !line.includes("refs/heads/camelot/"));
  const before = await others();
  await gitIn("checkout", "-q", "--detach");
  await writeFiles(made.path, { "c.txt": "c\n" });
  await save();
  expect(await others()).toEqual(before);
  expect(await runGit(repo, "status", "--porcelain")).toBe(" M a.txt");
});
