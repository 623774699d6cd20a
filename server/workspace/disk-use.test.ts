import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type GitWorld,
  makeGitWorld,
  makeRepository,
  prepareOk,
  requestFor,
  writeFiles,
} from "../testing/git-repositories";

const MEGABYTE = 1_000_000;

let world: GitWorld;
beforeEach(async () => {
  world = await makeGitWorld();
});
afterEach(() => world.remove());

test("[R14] of a project, the room of its worktrees and its clone is told; of others and of a person's repository nothing", async () => {
  const files = { "big.bin": randomBytes(3 * MEGABYTE) };
  const repo = await makeRepository(join(world.folder, "repo"), files);
  expect(await world.workspace.diskUse("p1")).toEqual({ worktrees: 0, worktreesBytes: 0, repositoryBytes: null });
  for (const number of [1, 2]) await prepareOk(world.workspace, requestFor(repo, { number }));
  const own = await world.workspace.diskUse("p1");
  expect(own).toMatchObject({ worktrees: 2, repositoryBytes: null });
  expect(own?.worktreesBytes).toBeGreaterThan(6 * MEGABYTE);
  expect(own?.worktreesBytes).toBeLessThan(7 * MEGABYTE);

  const cloned = await world.workspace.clone("p2", `file://${repo}`);
  if (cloned.kind === "refused") throw new Error(cloned.message);
  const clone = await world.workspace.diskUse("p2");
  expect(clone).toMatchObject({ worktrees: 0, worktreesBytes: 0 });
  expect(clone?.repositoryBytes).toBeGreaterThan(3 * MEGABYTE);
  expect(await world.workspace.diskUse("p3")).toEqual({ worktrees: 0, worktreesBytes: 0, repositoryBytes: null });
});

test("[R14] agents that write and delete meanwhile do not keep it from being told", async () => {
  const tree = join(world.dataDir, "worktrees", "p1", "1-busy");
  let isOver = false;
  const busy = (async () => {
    for (let round = 0; !isOver; round += 1) {
      const folder = join(tree, `folder-${round}`);
      await mkdir(folder, { recursive: true });
      await writeFiles(folder, { a: "a", b: "b" });
      await rm(folder, { recursive: true });
    }
  })();
  for (let look = 0; look < 5; look += 1) expect(await world.workspace.diskUse("p1")).not.toBeNull();
  isOver = true;
  await busy;
});
