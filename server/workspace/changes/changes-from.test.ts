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
  repo = await makeRepository(join(world.folder, "repo"), { "a.txt": "one\n" });
  made = await prepareOk(world.workspace, requestFor(repo));
  await writeFiles(made.path, { "own.txt": "the agent's\n" });
  await commitAll(made.path, "own work");
  await writeFiles(repo, { "others.txt": "somebody's\n" });
  await commitAll(repo, "others' work");
});
afterEach(() => world.remove());

/** What the diff shows, and what the card counts. */
async function changes(baseBranch = "main") {
  const { branch, baseCommit, path: worktree } = made;
  const files = await world.workspace.diff({ repository: repo, worktree, branch, baseCommit, baseBranch });
  const saved = await world.workspace.save({ ...saveRequestFor(repo, made), baseBranch });
  expect(saved.files).toBe(files.length);
  return files.map(({ path }) => path);
}

test("[W4] a base that moved adds nothing to a branch's diff, and neither does bringing it into the branch", async () => {
  expect(await changes()).toEqual(["own.txt"]);
  await runGit(made.path, "merge", "-q", "main");
  expect(await changes()).toEqual(["own.txt"]);
  await writeFiles(made.path, { "later.txt": "not committed yet\n" });
  expect(await changes()).toEqual(["later.txt", "own.txt"]);
});

test("[W4] a branch that was rebased onto the base shows its own changes, and a merged one goes on doing so", async () => {
  await runGit(made.path, "rebase", "-q", "main");
  expect(await changes()).toEqual(["own.txt"]);
  await runGit(repo, "merge", "-q", "--no-ff", "-m", "merged", made.branch);
  await writeFiles(repo, { "more.txt": "later\n" });
  await commitAll(repo, "the base goes on");
  expect(await changes()).toEqual(["own.txt"]);
});

test("[W4] without the base, or against one that was rewound behind the beginning, what was done since the beginning counts", async () => {
  await runGit(made.path, "merge", "-q", "main");
  expect(await changes("gone")).toEqual(["others.txt", "own.txt"]);
  await runGit(repo, "checkout", "-q", "--orphan", "fresh");
  await commitAll(repo, "another history");
  expect(await changes("fresh")).toEqual(["others.txt", "own.txt"]);
});
