import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GitWorld, makeGitWorld, makeRepository, runGit } from "../../testing/git-repositories";

let world: GitWorld;
let repo = "";

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"));
});
afterEach(() => world.remove());

async function passedOver(repository = repo): Promise<readonly string[]> {
  const request = { repository, baseBranch: "main", branch: "camelot/1-x" };
  return (await world.workspace.mergeOutlook(request)).passedOver;
}

async function hook(name: string, folder = join(repo, ".git/hooks")): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), "#!/bin/sh\nexit 1\n");
  await chmod(join(folder, name), 0o755);
}

test("[W4] hooks that a merge by hand would run are named, others and those that may not be run are not", async () => {
  expect(await passedOver()).toEqual([]);
  for (const name of ["post-merge", "commit-msg", "pre-push", "pre-merge-commit.sample"]) await hook(name);
  await writeFile(join(repo, ".git/hooks/reference-transaction"), "#!/bin/sh\n", { mode: 0o644 });
  expect(await passedOver()).toEqual(["commit-msg", "post-merge"]);
  await runGit(repo, "config", "core.hooksPath", "elsewhere");
  expect(await passedOver()).toEqual([]);
  await hook("reference-transaction", join(repo, "elsewhere"));
  expect(await passedOver()).toEqual(["reference-transaction"]);
});

test("[W4] a signature that the repository asks for is named", async () => {
  await runGit(repo, "config", "commit.gpgsign", "true");
  expect(await passedOver()).toEqual(["commit.gpgSign"]);
});

test("[W4] a bare repository's hooks are asked as by a push, and what is not there passes over nothing", async () => {
  const bare = join(world.folder, "bare.git");
  await runGit(world.folder, "clone", "-q", "--bare", repo, bare);
  await hook("reference-transaction", join(bare, "hooks"));
  expect(await passedOver(bare)).toEqual(["reference-transaction"]);
  await hook("update", join(bare, "hooks"));
  expect(await passedOver(bare)).toEqual([]);
  expect(await passedOver(join(world.folder, "nowhere"))).toEqual([]);
});
