/** A project's folder given anew (W1). */
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeRepository,
  runGit,
  writeFiles,
} from "../../testing/git-repositories";

let world: GitWorld;
let repo = "";
let base = "";

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"));
  await writeFiles(repo, { "b.txt": "b" });
  base = await commitAll(repo, "two");
});
afterEach(() => world.remove());

const OTHER = {
  kind: "refused",
  code: "REPOSITORY_UNUSABLE",
  message: "The repository in this folder has another history than this project's. Make a new project for it.",
};
const ask = (path: string, commits: readonly string[] = [], former = repo) =>
  world.workspace.refuseOtherFolder(path, former, commits);

async function clone(name: string, ...options: string[]): Promise<string> {
  const path = join(world.folder, name);
  await runGit(world.folder, "clone", "-q", ...options, `file://${repo}`, path);
  return path;
}

test("[W1] an unrelated repository is refused in one sentence, a copy of the same one is not", async () => {
  const other = await makeRepository(join(world.folder, "other"), { "x.txt": "something else" });
  expect(await ask(other)).toEqual(OTHER);
  expect(await ask(other, [base])).toEqual(OTHER);
  expect(await ask(await clone("copy"), [base])).toBeNull();
  expect(await ask(await clone("shallow", "--depth=1"), [base])).toBeNull();
  expect(await ask(repo, [base])).toBeNull();
});

test("[W1] what tasks began at has to be there, also where the folder so far is gone", async () => {
  const copy = await clone("copy");
  await writeFiles(repo, { "c.txt": "c" });
  const begun = await commitAll(repo, "three");
  expect(await ask(copy, [base, begun])).toEqual(OTHER);
  const moved = join(world.folder, "moved");
  await rename(repo, moved);
  expect(await ask(copy, [base, begun])).toEqual(OTHER);
  expect(await ask(copy, [base])).toBeNull();
  expect(await ask(moved, [base, begun])).toBeNull();
});

test("[W1] a commit that is lost in the folder so far is no reason to stay there", async () => {
  expect(await ask(await clone("copy"), ["1234567890".repeat(4)])).toBeNull();
});
