import { readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Worktree } from "../../ports/workspace";
import {
  type GitWorld,
  makeGitWorld,
  makeRepository,
  mergeRequestFor,
  prepareOk,
  requestFor,
  runGit,
  writeFiles,
} from "../../testing/git-repositories";
import { photoOf } from "../../testing/tree-photo";

const IGNORES = "*.own\nout\n";

let world: GitWorld;
let repo = "";
let made: Worktree;

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"), {
    ".gitignore": IGNORES,
    "a.txt": "a\n",
    "src/b.txt": "b\n",
  });
  made = await prepareOk(world.workspace, requestFor(repo));
});
afterEach(() => world.remove());

/** Commits in the task's worktree, whatever is ignored. */
async function commit(): Promise<void> {
  await runGit(made.path, "add", "--all", "--force");
  await runGit(made.path, "commit", "-q", "-m", "work");
}

const merge = () => world.workspace.merge(mergeRequestFor(repo, made));

interface Way {
  readonly title: string;
  /** What the agent commits. */
  readonly files: Record<string, string>;
  readonly removes?: string;
  /** What somebody has in the tree, known to no commit, and is to keep. */
  readonly own: Record<string, string>;
}

const WAYS: readonly Way[] = [
  { title: "a file of the same name", files: { "new.txt": "theirs" }, own: { "new.txt": "mine" } },
  { title: "an ignored file of the same name", files: { "my.own": "theirs" }, own: { "my.own": "mine" } },
  { title: "an ignored folder where a file comes", files: { out: "theirs" }, own: { "out/k": "mine" } },
  { title: "an ignored file where a folder comes", files: { "x.own/deep.txt": "theirs" }, own: { "x.own": "mine" } },
  { title: "a file where a folder comes", files: { "dir/deep.txt": "theirs" }, own: { dir: "mine" } },
  {
    title: "an ignored file in a known folder that becomes a file",
    removes: "src",
    files: { src: "theirs" },
    own: { "src/p.own": "mine" },
  },
  {
    title: "an ignored file of a name that looks like a pattern",
    files: { "[a]*.own": "theirs" },
    own: { "[a]*.own": "mine" },
  },
];

test.each(WAYS)("[W4] $title is not overwritten, and is named", async ({ files, removes, own }) => {
  if (removes !== undefined) await rm(join(made.path, removes), { recursive: true });
  await writeFiles(made.path, files);
  await commit();
  await writeFiles(repo, own);
  const before = await photoOf(repo);
  const named = Object.keys(own);
  expect(await merge()).toMatchObject({ code: "BASE_NOT_CLEAN", path: repo, files: named });
  expect(await photoOf(repo)).toEqual(before);
  for (const name of named) await rm(join(repo, name));
  expect(await merge()).toMatchObject({ kind: "merged" });
});

test("[W4] a link of one's own is not followed, and nothing behind it is touched", async () => {
  const elsewhere = join(world.folder, "elsewhere");
  await writeFiles(elsewhere, { "deep.txt": "mine" });
  await writeFiles(made.path, { "out/deep.txt": "theirs" });
  await commit();
  await symlink(elsewhere, join(repo, "out"));
  expect(await merge()).toMatchObject({ code: "BASE_NOT_CLEAN", files: ["out"] });
  expect(await readFile(join(elsewhere, "deep.txt"), "utf8")).toBe("mine");
});

test("[W4] ignored files beside what a merge brings do not stop it, and stay", async () => {
  await writeFiles(made.path, { "src/c.txt": "c", "src/b.txt": "changed" });
  await rm(join(made.path, "a.txt"));
  await commit();
  await writeFiles(repo, { "src/p.own": "mine", "out/k": "mine" });
  expect(await merge()).toMatchObject({ kind: "merged" });
  for (const name of ["src/p.own", "out/k"]) expect(await readFile(join(repo, name), "utf8")).toBe("mine");
  expect(await runGit(repo, "status", "--porcelain")).toBe("");
});

test.each(["--skip-worktree", "--assume-unchanged"])(
  "[W4] a changed file that git was told by %s not to look at is named",
  async (flag) => {
    await writeFiles(made.path, { "a.txt": "theirs" });
    await commit();
    await runGit(repo, "update-index", flag, "a.txt");
    await writeFiles(repo, { "a.txt": "mine" });
    const refused = await merge();
    expect(refused).toMatchObject({ code: "BASE_NOT_CLEAN", path: repo, files: ["a.txt"] });
    expect(refused).toMatchObject({
      message: expect.stringContaining(`git update-index --no-skip-worktree --no-assume-unchanged`),
    });
    expect(await readFile(join(repo, "a.txt"), "utf8")).toBe("mine");
  },
);
