import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type GitWorld,
  makeGitWorld,
  makeRepository,
  makeUnbornRepositories,
  runGit,
} from "../../testing/git-repositories";

let world: GitWorld;

beforeEach(async () => {
  world = await makeGitWorld();
});
afterEach(() => world.remove());

const noBranch = (name: string, offer: string) => ({
  kind: "refused",
  code: "REPOSITORY_UNUSABLE",
  message: `There is no branch “${name}” in this repository. ${offer}`,
});

test("[W3] a base branch exists, here or on origin; else the sentence names those that do, tasks' own left out", async () => {
  const { workspace, folder } = world;
  const origin = await makeRepository(join(folder, "origin"));
  await runGit(origin, "branch", "on-origin");
  await runGit(folder, "clone", "-q", origin, "repo");
  const path = join(folder, "repo");
  expect(await workspace.refuseBase(path, "nope")).toEqual(noBranch("nope", "It has: main, on-origin."));
  await runGit(path, "branch", "feature/a");
  await runGit(path, "branch", "camelot/1-fix-login");
  for (const base of ["main", "feature/a", "on-origin"]) expect(await workspace.refuseBase(path, base)).toBeNull();
  const offer = "It has: feature/a, main, on-origin.";
  for (const odd of ["nope", "feature", "main~1", "main^{tree}", "-x", "a..b", "origin/main", "it's \u0027 $HOME"])
    expect(await workspace.refuseBase(path, odd)).toEqual(noBranch(odd, offer));
});

test("[W3] many branches are cut, one and none are told as such", async () => {
  const { workspace, folder } = world;
  const path = await makeRepository(join(folder, "repo"));
  expect(await workspace.refuseBase(path, "nope")).toEqual(noBranch("nope", "It has only “main”."));
  for (let n = 0; n < 10; n += 1) await runGit(path, "branch", `b${n}`);
  const sentence = (await workspace.refuseBase(path, "nope"))?.message;
  expect(sentence).toMatch(/It has: b0, b1, b2, b3, b4, b5, b6, b7 and 3 more\.$/);
  await runGit(path, "checkout", "-q", "--detach");
  await runGit(path, "branch", "-q", "-D", "main", ...Array.from({ length: 10 }, (_, n) => `b${n}`));
  expect(await workspace.refuseBase(path, "HEAD")).toBeNull();
  const none = "It has no branch at all: leave the base branch out.";
  expect(await workspace.refuseBase(path, "main")).toEqual(noBranch("main", none));
});

test("[GIT-1][W3] without a commit any name may be right; a folder that is no repository stays one", async () => {
  const { empty } = await makeUnbornRepositories(world.folder);
  expect(await world.workspace.refuseBase(empty, "later")).toBeNull();
  expect(await world.workspace.refuseBase(join(world.folder, "nowhere"), "main")).toMatchObject({
    message: expect.stringMatching(/^There is nothing at /),
  });
});

test("[W1][W3] a clone of ours is refreshed before a branch is refused, and leaves with the project that did not come about", async () => {
  const { workspace, folder, dataDir } = world;
  const origin = await makeRepository(join(folder, "origin"));
  const made = await workspace.clone("p1", origin);
  if (made.kind === "refused") throw new Error(made.message);
  await runGit(origin, "branch", "newer");
  expect(await workspace.refuseBase(made.path, "newer")).toBeNull();
  expect(await workspace.refuseBase(made.path, "nope")).toEqual(noBranch("nope", "It has: main, newer."));
  await workspace.makeSample("p2");
  await workspace.discard("p1");
  await workspace.discard("p2");
  for (const place of ["clones", "samples", "scratch"]) expect(await readdir(join(dataDir, place))).toEqual([]);
});
