import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Worktree } from "../../ports/workspace";
import {
  type GitWorld,
  makeGitWorld,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  writeFiles,
} from "../../testing/git-repositories";
import { ODD_REPOSITORIES, UNUSABLE_REPOSITORIES } from "../../testing/odd-repositories";
import type { OddRepository } from "../../testing/odd-repository";
import { ODD_TREES } from "../../testing/odd-trees";
import { filesBelow, photoOf, type TreePhoto } from "../../testing/tree-photo";

const NORA = { name: "Nora", email: "nora@example.test" };

let world: GitWorld;
let folder = "";

beforeEach(async () => {
  world = await makeGitWorld();
  folder = world.folder;
});
afterEach(() => world.remove());

describe("a dispatch, saving, the diff and a merge in odd repositories", () => {
  test.each(Object.entries({ ...ODD_TREES, ...ODD_REPOSITORIES }))("[W4][W3][W2][GIT-6] %s", async (_name, odd) => {
    const { base = "main" } = odd;
    const repo = await odd.make(folder);
    const own = await ownPhotoOf(repo);

    const made = await prepareOk(world.workspace, requestFor(repo, { baseBranch: base }));
    expect(await ownPhotoOf(repo)).toEqual(own);
    expect(await runGit(made.path, "status", "--porcelain")).toBe("");

    await (odd.work ?? ((tree) => writeFiles(tree, { "a.txt": "two\n", "new.txt": "new\n" })))(made.path);
    const saved = await world.workspace.save(saveRequestFor(repo, made));
    expect(await ownPhotoOf(repo)).toEqual(own);
    expect(saved).toMatchObject({ headCommit: await runGit(repo, "rev-parse", made.branch), leftOut: [] });
    expect(await runGit(made.path, "status", "--porcelain")).toBe("");

    await odd.meanwhile?.(repo);
    const before = await photoOf(repo);
    const { branch, baseCommit } = made;
    const files = await world.workspace.diff({ repository: repo, worktree: made.path, branch, baseCommit });
    expect(await photoOf(repo)).toEqual(before);
    expect(files).toHaveLength(saved.files);
    expect(files.length).toBeGreaterThan(0);

    const merged = await world.workspace.merge({
      ...{ repository: repo, baseBranch: base, branch, baseCommit, message: "Merge #1 Fix login", author: NORA },
    });
    const after = await photoOf(repo);
    if (odd.merge === "moved") {
      expect(merged).toEqual({ kind: "merged", commit: await runGit(repo, "rev-parse", `refs/heads/${base}`) });
      await expectFollowed(repo, before.files, odd.fresh ?? []);
    } else if (odd.merge === "merged") {
      expect(merged).toEqual({ kind: "merged", commit: await runGit(repo, "rev-parse", `refs/heads/${base}`) });
      expect({ ...after, refs: "" }).toEqual({ ...before, refs: "" });
    } else {
      const { code, says = /./ } = odd.merge;
      expect(merged).toMatchObject({ kind: "refused", code, message: expect.stringMatching(says) });
      expect(after).toEqual(before);
    }
    await expectSound(repo, made, odd);
  });
});

describe("a dispatch in repositories that cannot be used", () => {
  test.each(Object.entries(UNUSABLE_REPOSITORIES))(
    "[W3][GIT-6] %s: one sentence, and nothing is touched",
    async (_name, { make, says }) => {
      const repo = await make(join(folder, "theirs"));
      const own = await ownPhotoOf(repo);
      for (const _again of [1, 2]) {
        const refused = await world.workspace.prepare(requestFor(repo));
        expect(refused).toMatchObject({ kind: "refused", message: expect.stringMatching(says) });
      }
      expect(await ownPhotoOf(repo)).toEqual(own);
    },
  );
});

/** Without the branches of tasks, which dispatches make and sessions move. */
async function ownPhotoOf(repo: string): Promise<TreePhoto> {
  const photo = await photoOf(repo);
  const refs = photo.refs.split("\n").filter((line) => !/refs\/heads\/camelot(-work)?\//.test(line));
  return { ...photo, refs: refs.join("\n") };
}

/** What the commits hold is as in a fresh checkout, and what was the person's own is as it was. */
async function expectFollowed(repo: string, before: Readonly<Record<string, string>>, options: readonly string[]) {
  const fresh = join(folder, "fresh");
  await runGit(folder, "clone", "-q", ...options, repo, fresh);
  const [here, there] = [await filesBelow(repo, ""), await filesBelow(fresh, "")];
  const own = Object.keys(here).filter((name) => !(name in there));
  expect(Object.fromEntries(Object.entries(here).filter(([name]) => name in there))).toEqual(there);
  for (const name of own) expect(here[name]).toBe(before[name]);
  expect(await runGit(repo, "status", "--porcelain", "--untracked-files=no")).toBe("");
}

async function expectSound(repo: string, made: Worktree, odd: OddRepository): Promise<void> {
  expect(await runGit(repo, "fsck", "--no-dangling")).toBe("");
  expect(await readdir(folder)).not.toContain("hook-ran");
  expect(await readdir(join(world.dataDir, "git-moves")).catch(() => [])).toEqual([]);
  expect(await readdir(made.path)).not.toHaveLength(0);
  if (typeof odd.merge !== "string") return;
  const line = await runGit(repo, "log", "-1", "--format=%an %cn %G? %s", `refs/heads/${odd.base ?? "main"}`);
  expect(line).toBe("Nora Nora N Merge #1 Fix login");
}
