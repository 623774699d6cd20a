import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  commitAll,
  type GitWorld,
  makeGitWorld,
  makeNastyPathRepository,
  makeRepository,
  ODD_TITLES,
  prepareOk,
  requestFor,
  runGit,
  writeFiles,
} from "../../testing/git-repositories";

let world: GitWorld;
let repo = "";

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"));
});
afterEach(() => world.remove());

const headOf = (path: string) => runGit(path, "rev-parse", "--abbrev-ref", "HEAD");

test("[W1] a task gets a worktree and a branch from the base, and the same ones again", async () => {
  const base = await runGit(repo, "rev-parse", "main");
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(made).toEqual({
    kind: "ok",
    path: join(world.dataDir, "worktrees", "p1", "1-fix-login"),
    branch: "camelot/1-fix-login",
    baseCommit: base,
  });
  expect(await readFile(join(made.path, "a.txt"), "utf8")).toBe("one\n");
  expect(await headOf(made.path)).toBe(made.branch);
  await writeFiles(made.path, { "work.txt": "kept" });
  await commitAll(repo, "main goes on");
  const again = await prepareOk(world.workspace, requestFor(repo, { branch: made.branch, title: "Renamed meanwhile" }));
  expect(again).toEqual(made);
  expect(await readFile(join(made.path, "work.txt"), "utf8")).toBe("kept");
});

test("[W1][P20] twenty tasks prepared at once, in two projects of one repository, get twenty worktrees", async () => {
  const requests = Array.from({ length: 20 }, (_, index) =>
    requestFor(repo, { projectId: index % 2 === 0 ? "p1" : "p2", number: 1 + (index >> 1) }),
  );
  const made = await Promise.all(requests.map((request) => prepareOk(world.workspace, request)));
  expect(new Set(made.map((one) => one.path)).size).toBe(20);
  expect(new Set(made.map((one) => one.branch)).size).toBe(20);
  for (const one of made) expect(await headOf(one.path)).toBe(one.branch);
});

test("[W2] where git knows nobody, a worktree says in whose name its agent commits", async () => {
  expect((await prepareOk(world.workspace, requestFor(repo))).author).toBeUndefined();
  await runGit(repo, "config", "user.name", "");
  const made = await prepareOk(world.workspace, requestFor(repo, { number: 2 }));
  expect(made.author).toEqual({ name: "Camelot", email: "camelot@localhost" });
});

test("[W3] a dirty tree of the user is not touched", async () => {
  await writeFiles(repo, { "a.txt": "changed by hand\n", "new.txt": "new", "staged.txt": "s" });
  await runGit(repo, "add", "staged.txt");
  const before = await runGit(repo, "status", "--porcelain=v2", "--branch");
  const index = await readFile(join(repo, ".git", "index"));
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(await readFile(join(made.path, "a.txt"), "utf8")).toBe("one\n");
  expect(await readFile(join(repo, ".git", "index"))).toEqual(index);
  expect(await runGit(repo, "status", "--porcelain=v2", "--branch")).toBe(before);
});

test("[GIT-4][A2] odd titles in an odd path: a worktree each, and nothing is run", async () => {
  const odd = await makeNastyPathRepository(world.folder);
  const branches = new Set<string>();
  for (const [index, title] of ODD_TITLES.entries()) {
    const made = await prepareOk(world.workspace, requestFor(odd, { number: index + 1, title }));
    expect(await readFile(join(made.path, "a b.txt"), "utf8")).toBe("hi\n");
    branches.add(made.branch.toLowerCase());
  }
  expect(branches.size).toBe(ODD_TITLES.length);
  expect(await readdir(odd)).toEqual([".git", "a b.txt"]);
});

test("[W3] a base branch that does not exist is a sentence", async () => {
  const refused = await world.workspace.prepare(requestFor(repo, { baseBranch: "develop" }));
  expect(refused).toEqual({
    kind: "refused",
    code: "REPOSITORY_UNUSABLE",
    message: `The branch "develop" does not exist in ${repo}. Choose another base branch in the project's settings.`,
  });
  expect(await world.workspace.prepare(requestFor(repo, { baseBranch: "--help" }))).toMatchObject({ kind: "refused" });
});

test("[W3] branches named camelot and foreign branches of the same name are left alone", async () => {
  await runGit(repo, "branch", "Camelot");
  const first = await prepareOk(world.workspace, requestFor(repo));
  expect(first.branch).toBe("camelot-work/1-fix-login");
  await runGit(repo, "branch", "camelot-work/2-FIX-LOGIN");
  expect((await prepareOk(world.workspace, requestFor(repo, { number: 2 }))).branch).toBe("camelot-work/2-fix-login-2");
});

test("[W3] a bare repository and one with a detached HEAD work", async () => {
  const bare = join(world.folder, "bare.git");
  await runGit(world.folder, "clone", "-q", "--bare", repo, bare);
  expect(await prepareOk(world.workspace, requestFor(bare))).toMatchObject({ branch: "camelot/1-fix-login" });
  await runGit(repo, "checkout", "-q", "--detach");
  expect(await prepareOk(world.workspace, requestFor(repo, { projectId: "p2" }))).toMatchObject({ kind: "ok" });
});
