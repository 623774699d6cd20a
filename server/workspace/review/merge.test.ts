import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MergeRequest, Worktree } from "../../ports/workspace";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeRepository,
  mergeRequestFor,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  writeFiles,
} from "../../testing/git-repositories";
import { photoOf } from "../../testing/tree-photo";

let world: GitWorld;
let repo = "";
let made: Worktree;

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"), { "a.txt": "one\ntwo\n", "b.txt": "b\n" });
  made = await prepareOk(world.workspace, requestFor(repo));
});
afterEach(() => world.remove());

const mergeRequest = (of: Worktree = made, changes: Partial<MergeRequest> = {}) => mergeRequestFor(repo, of, changes);

async function work(files: Record<string, string>, of: Worktree = made): Promise<void> {
  await writeFiles(of.path, files);
  await world.workspace.save(saveRequestFor(repo, of));
}

const main = () => runGit(repo, "rev-parse", "refs/heads/main");

test("[W4] a merge is a commit of the person who merges, and a clean tree on the base follows", async () => {
  await work({ "a.txt": "one\nTWO\n", "new/c.txt": "c\n" });
  const before = await main();
  const tip = await runGit(repo, "rev-parse", made.branch);
  await writeFiles(repo, { "notes.txt": "my own\n" });
  const merged = await world.workspace.merge(mergeRequest());
  expect(merged).toEqual({ kind: "merged", commit: await main() });
  expect(await runGit(repo, "log", "-1", "--format=%P|%an|%ae|%cn|%s", "main")).toBe(
    `${before} ${tip}|Nora|nora@example.test|Nora|Merge #1 Fix login`,
  );
  expect(await runGit(repo, "status", "--porcelain")).toBe("?? notes.txt");
  expect(await readFile(join(repo, "new/c.txt"), "utf8")).toBe("c\n");
});

test("[W4] pressed again, the base has the branch already and the same commit is the answer", async () => {
  await work({ "a.txt": "changed\n" });
  const first = await world.workspace.merge(mergeRequest());
  await writeFiles(repo, { "later.txt": "later\n" });
  await commitAll(repo, "later");
  const base = await main();
  expect(await world.workspace.merge(mergeRequest())).toEqual(first);
  expect(await main()).toBe(base);
});

test("[W4] a base that was moved onto the branch by hand counts as merged, as the branch's own last commit", async () => {
  await work({ "a.txt": "changed\n" });
  await runGit(repo, "merge", "-q", "--ff-only", made.branch);
  await commitAll(repo, "later");
  const tip = await runGit(repo, "rev-parse", made.branch);
  expect(await world.workspace.merge(mergeRequest())).toEqual({ kind: "merged", commit: tip });
});

test("[W4] a person's name that git would not take does not stop their merge", async () => {
  await work({ "a.txt": "changed\n" });
  const author = { name: " <>.,\n", email: "nora@example.test" };
  expect(await world.workspace.merge(mergeRequest(made, { author }))).toMatchObject({ kind: "merged" });
  expect(await runGit(repo, "log", "-1", "--format=%an %ae", "main")).toBe("nora@example.test nora@example.test");
});

test("[W4] conflicts are named and nothing changes", async () => {
  await work({ "a.txt": "mine\n", "b.txt": "mine\n", "c.txt": "new\n" });
  await writeFiles(repo, { "a.txt": "yours\n", "b.txt": "yours\n" });
  await commitAll(repo, "moved on");
  const before = await photoOf(repo);
  const refused = await world.workspace.merge(mergeRequest());
  expect(refused).toMatchObject({ kind: "refused", code: "MERGE_CONFLICT", files: ["a.txt", "b.txt"] });
  expect(refused).toHaveProperty(
    "message",
    expect.stringContaining("conflicts with main in “a.txt” and 1 more (the same lines changed by both). Nothing"),
  );
  expect(await photoOf(repo)).toEqual(before);
});

test("[W4] a base that is checked out in a changed tree does not move, and the files are named", async () => {
  await work({ "a.txt": "changed\n" });
  await writeFiles(repo, { "b.txt": "my own\n" });
  const before = await photoOf(repo);
  const refused = await world.workspace.merge(mergeRequest());
  expect(refused).toMatchObject({ code: "BASE_NOT_CLEAN", path: repo, files: ["b.txt"] });
  expect(await photoOf(repo)).toEqual(before);
  await runGit(repo, "checkout", "--", "b.txt");
  expect(await world.workspace.merge(mergeRequest())).toMatchObject({ kind: "merged" });
});

test("[W4] a base checked out in another worktree follows there, and one whose folder is gone is named", async () => {
  await work({ "a.txt": "changed\n" });
  await runGit(repo, "checkout", "-q", "-b", "elsewhere");
  const tree = join(world.folder, "main tree");
  await runGit(repo, "worktree", "add", "-q", tree, "main");
  const before = await photoOf(repo);
  await rm(tree, { recursive: true });
  expect(await world.workspace.merge(mergeRequest())).toMatchObject({ code: "BASE_NOT_CLEAN", path: tree, files: [] });
  await runGit(repo, "worktree", "prune");
  await runGit(repo, "worktree", "add", "-q", tree, "main");
  expect(await world.workspace.merge(mergeRequest())).toMatchObject({ kind: "merged" });
  expect(await readFile(join(tree, "a.txt"), "utf8")).toBe("changed\n");
  expect(await runGit(tree, "status", "--porcelain")).toBe("");
  expect({ ...(await photoOf(repo)), refs: "" }).toEqual({ ...before, refs: "" });
});

test("[W4] a branch that changes nothing, or nothing any more, is nothing to merge", async () => {
  expect(await world.workspace.merge(mergeRequest())).toMatchObject({ code: "NOTHING_TO_MERGE" });
  await work({ "a.txt": "same\n" });
  await writeFiles(repo, { "a.txt": "same\n" });
  await commitAll(repo, "done by hand");
  expect(await world.workspace.merge(mergeRequest())).toMatchObject({ code: "NOTHING_TO_MERGE" });
  await runGit(repo, "worktree", "remove", "--force", made.path);
  await runGit(repo, "branch", "-D", made.branch);
  const gone = await world.workspace.merge(mergeRequest());
  expect(gone).toMatchObject({ code: "NOTHING_TO_MERGE", message: expect.stringContaining("any more") });
});

test("[W4] a rebase of the base under way is not pulled the ground from under", async () => {
  await work({ "new.txt": "new\n" });
  await writeFiles(repo, { "a.txt": "mine\n" });
  await commitAll(repo, "mine");
  await runGit(repo, "branch", "other", "main~1");
  await runGit(repo, "checkout", "-q", "other");
  await writeFiles(repo, { "a.txt": "theirs\n" });
  await commitAll(repo, "theirs");
  await runGit(repo, "checkout", "-q", "main");
  await runGit(repo, "rebase", "other").catch(() => undefined);
  const before = await photoOf(repo);
  expect(await world.workspace.merge(mergeRequest())).toMatchObject({ code: "BASE_NOT_CLEAN", path: repo });
  expect(await photoOf(repo)).toEqual(before);
});
