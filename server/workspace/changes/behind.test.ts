import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"));
});
afterEach(() => world.remove());

test("[W4][B7] the commits of the base that a branch lacks are counted, until they are brought into it", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  const behind = async (change = {}) => {
    const request = { repository: repo, baseBranch: "main", branch: made.branch, ...change };
    return (await world.workspace.mergeOutlook(request)).behind;
  };
  await writeFiles(made.path, { "own.txt": "mine\n" });
  await world.workspace.save(saveRequestFor(repo, made));
  expect(await behind()).toBe(0);
  for (const name of ["b.txt", "c.txt"]) {
    await writeFiles(repo, { [name]: "theirs\n" });
    await commitAll(repo, name);
  }
  expect(await behind()).toBe(2);
  await runGit(made.path, "merge", "-q", "--no-edit", "main");
  expect(await behind()).toBe(0);
  expect(await behind({ branch: "camelot/gone" })).toBeNull();
  expect(await behind({ baseBranch: "gone" })).toBeNull();
  expect(await behind({ repository: join(world.folder, "nowhere") })).toBeNull();
});
