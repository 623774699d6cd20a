import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GitWorld, makeGitWorld, prepareOk, requestFor, runGit, writeFiles } from "../../testing/git-repositories";

let world: GitWorld;

beforeEach(async () => {
  world = await makeGitWorld();
});
afterEach(() => world.remove());

test("[B11] the sample is a repository with one commit whose own test passes, also in a worktree", async () => {
  const path = await world.workspace.makeSample("p1");
  expect(await world.workspace.inspect(path)).toEqual({ kind: "ok", path, defaultBranch: "main" });
  expect(await runGit(path, "log", "--format=%an %s")).toBe("Camelot A table and a few seats");
  expect(await runGit(path, "status", "--porcelain")).toBe("");
  const made = await prepareOk(world.workspace, requestFor(path));
  expect(execFileSync("./test.sh", { cwd: made.path, encoding: "utf8" })).toBe("3 passed, 0 failed\n");
});

test("[B11] asked twice it is the same repository, with what was done in it", async () => {
  const [path, same] = await Promise.all([world.workspace.makeSample("p1"), world.workspace.makeSample("p1")]);
  expect(same).toBe(path);
  await writeFiles(path, { "README.md": "mine" });
  await world.workspace.makeSample("p1");
  expect(await runGit(path, "status", "--porcelain")).toBe(" M README.md");
});
