import { lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  commitAll,
  type GitWorld,
  leaveStaleWorktree,
  makeGitWorld,
  makeNastyPathRepository,
  makeRepository,
  ODD_TITLES,
  prepareOk,
  requestFor,
  runGit,
  writeFiles,
  writeHook,
} from "../testing/git-repositories";
import { createWorkspace } from "./workspace";

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

test("[GIT-2] registered but the folder is gone: made anew", async () => {
  const path = join(world.dataDir, "worktrees", "p1", "1-fix-login");
  await leaveStaleWorktree(repo, path, "camelot/1-fix-login", "dir-gone");
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(made.path).toBe(path);
  expect(await headOf(path)).toBe(made.branch);
});

test("[GIT-2] the folder of a used worktree was deleted by hand: branch and commits are taken up again", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  await writeFiles(made.path, { "b.txt": "b" });
  await commitAll(made.path, "work");
  await rm(made.path, { recursive: true });
  const again = await prepareOk(world.workspace, requestFor(repo, { branch: made.branch }));
  expect(again).toEqual(made);
  expect(await readFile(join(made.path, "b.txt"), "utf8")).toBe("b");
});

test("[GIT-2] a folder that git does not know is kept under another name", async () => {
  const path = join(world.dataDir, "worktrees", "p1", "1-fix-login");
  await leaveStaleWorktree(repo, path, "camelot/1-fix-login", "not-known");
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(made.path).toBe(path);
  const kept = (await readdir(join(path, ".."))).find((name) => name.startsWith("1-fix-login.kept-"));
  expect(await readFile(join(path, "..", kept ?? "", "precious.txt"), "utf8")).toBe("left by a crash\n");
  expect(world.lines.join("\n")).toContain("is kept as");
});

test("[GIT-2] a dangling link in the way is moved aside too", async () => {
  const parent = join(world.dataDir, "worktrees", "p1");
  await mkdir(parent, { recursive: true });
  await symlink("/nowhere/at/all", join(parent, "1-fix-login"));
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect((await lstat(made.path)).isDirectory()).toBe(true);
});

test("[GIT-2] somebody's branch with an unpushed commit is left as it is", async () => {
  const path = join(world.dataDir, "worktrees", "p1", "1-fix-login");
  await leaveStaleWorktree(repo, path, "camelot/1-fix-login", "branch-only");
  const tip = await runGit(repo, "rev-parse", "camelot/1-fix-login");
  expect((await prepareOk(world.workspace, requestFor(repo))).branch).toBe("camelot/1-fix-login-2");
  expect(await runGit(repo, "rev-parse", "camelot/1-fix-login")).toBe(tip);
});

test("[GIT-2] the task's own branch without a worktree is used again, with its commits", async () => {
  const path = join(world.dataDir, "worktrees", "p1", "1-fix-login");
  await leaveStaleWorktree(repo, path, "camelot/1-fix-login", "branch-only");
  const made = await prepareOk(world.workspace, requestFor(repo, { branch: "camelot/1-fix-login" }));
  expect(await readFile(join(made.path, "precious.txt"), "utf8")).toBe("work\n");
  expect(made.baseCommit).toBe(await runGit(repo, "rev-parse", "main"));
});

test("[GIT-2] a branch that is checked out elsewhere: another name, or for the task's own a sentence with the path", async () => {
  const path = join(world.dataDir, "worktrees", "p1", "1-fix-login");
  await leaveStaleWorktree(repo, path, "camelot/1-fix-login", "checked-out");
  expect((await prepareOk(world.workspace, requestFor(repo))).branch).toBe("camelot/1-fix-login-2");
  const refused = await world.workspace.prepare(requestFor(repo, { number: 2, branch: "camelot/1-fix-login" }));
  expect(refused).toMatchObject({
    kind: "refused",
    message: expect.stringContaining(`is checked out in ${path}.other`),
  });
  expect(await readFile(`${path}.other/precious.txt`, "utf8")).toBe("dirty\n");
});

test("[W3] a task's branch that was deleted after a merge begins again from the base", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  await world.workspace.tidy({ repository: repo, worktree: made.path });
  await runGit(repo, "branch", "-D", made.branch);
  const base = await commitAll(repo, "main goes on");
  const again = await prepareOk(world.workspace, requestFor(repo, { branch: made.branch }));
  expect(again).toEqual({ ...made, baseCommit: base });
});

test("[W3] a lock left by a git that is over does not stand in the way", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  const own = join(repo, ".git", "worktrees", "1-fix-login");
  await writeFiles(own, { "index.lock": "half" });
  await writeFiles(join(repo, ".git", "refs", "heads", "camelot"), { "1-fix-login.lock": "" });
  await prepareOk(world.workspace, requestFor(repo, { branch: made.branch }));
  await commitAll(made.path, "works again");
});

test("[W3] the repository moved: worktree and work are taken along", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  await writeFiles(made.path, { "work.txt": "uncommitted" });
  const moved = join(world.folder, "elsewhere", "repo");
  await mkdir(join(world.folder, "elsewhere"));
  await rename(repo, moved);
  const again = await prepareOk(world.workspace, requestFor(moved, { branch: made.branch }));
  expect(again).toEqual(made);
  expect(await runGit(made.path, "status", "--porcelain")).toBe("?? work.txt");
});

test("[W3] the data directory moved: worktree and work are found at the new place", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  await writeFiles(made.path, { "work.txt": "uncommitted" });
  const dataDir = join(world.folder, "data-moved");
  await rename(world.dataDir, dataDir);
  const workspace = createWorkspace({ dataDir, log: () => undefined });
  const again = await prepareOk(workspace, requestFor(repo, { branch: made.branch }));
  expect(again).toEqual({ ...made, path: join(dataDir, "worktrees", "p1", "1-fix-login") });
  expect(await runGit(again.path, "status", "--porcelain")).toBe("?? work.txt");
  expect(await runGit(repo, "worktree", "list", "--porcelain")).not.toContain(`${world.dataDir}/`);
});

test("[W3] both moved: the links are found from either side", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  await writeFiles(made.path, { "work.txt": "uncommitted" });
  const dataDir = join(world.folder, "data-moved");
  const moved = join(world.folder, "repo-moved");
  await rename(world.dataDir, dataDir);
  await rename(repo, moved);
  const workspace = createWorkspace({ dataDir, log: () => undefined });
  const again = await prepareOk(workspace, requestFor(moved, { branch: made.branch }));
  expect(await readFile(join(again.path, "work.txt"), "utf8")).toBe("uncommitted");
  expect(await headOf(again.path)).toBe(made.branch);
});

test("[W3] an agent that left the branch is brought back when no file is at stake", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  await runGit(made.path, "checkout", "-q", "--detach");
  await prepareOk(world.workspace, requestFor(repo, { branch: made.branch }));
  expect(await headOf(made.path)).toBe(made.branch);
});

test("[W3] an agent that deleted or replaced .git: the worktree works again, its files stay", async () => {
  const made = await prepareOk(world.workspace, requestFor(repo));
  await writeFiles(made.path, { "work.txt": "uncommitted" });
  await rm(join(made.path, ".git"));
  await prepareOk(world.workspace, requestFor(repo, { branch: made.branch }));
  expect(await runGit(made.path, "status", "--porcelain")).toBe("?? work.txt");
  await rm(join(made.path, ".git"));
  await runGit(made.path, "init", "-q");
  await prepareOk(world.workspace, requestFor(repo, { branch: made.branch }));
  expect(await runGit(made.path, "status", "--porcelain")).toBe("?? work.txt");
  expect((await readdir(join(made.path, ".."))).filter((name) => name.includes(".git-kept-"))).toHaveLength(1);
});

test("[W1] the repository's post-checkout hook runs as git would run it, and its failure is not ours", async () => {
  await writeHook(repo, "post-checkout", '#!/bin/sh\necho "$1 $2 $3" > hook-args\nexit 7\n');
  const made = await prepareOk(world.workspace, requestFor(repo));
  const base = await runGit(repo, "rev-parse", "main");
  expect(await readFile(join(made.path, "hook-args"), "utf8")).toBe(`${"0".repeat(40)} ${base} 1\n`);
  expect(world.lines.join("\n")).toContain("post-checkout hook ended with code 7");
});

test("[W3] submodules are there, at any depth", async () => {
  const inner = await makeRepository(join(world.folder, "inner"), { "inner.txt": "inner" });
  const middle = await makeRepository(join(world.folder, "middle"));
  await runGit(middle, "submodule", "--quiet", "add", inner, "deep");
  await commitAll(middle, "with inner");
  await runGit(repo, "submodule", "--quiet", "add", middle, "lib/middle");
  await commitAll(repo, "with middle");
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(await readFile(join(made.path, "lib/middle/deep/inner.txt"), "utf8")).toBe("inner");
  expect(await world.workspace.tidy({ repository: repo, worktree: made.path })).toBe(true);
});

test("[W3] a submodule that cannot be fetched is one plain sentence, and the next try works", async () => {
  const inner = await makeRepository(join(world.folder, "inner"));
  await runGit(repo, "submodule", "--quiet", "add", inner, "lib");
  await commitAll(repo, "with inner");
  await rename(inner, `${inner}-away`);
  const refused = await world.workspace.prepare(requestFor(repo));
  expect(refused).toMatchObject({
    kind: "refused",
    message: expect.stringMatching(/^The submodules of .* cannot be fetched\. /),
  });
  await rename(`${inner}-away`, inner);
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(made.branch).toBe("camelot/1-fix-login");
  expect(await readFile(join(made.path, "lib/a.txt"), "utf8")).toBe("one\n");
});

test("[W3] a list of submodules that an agent wrote reaches no local path", async () => {
  const secret = await makeRepository(join(world.folder, "secret"), { "secret.txt": "secret" });
  const made = await prepareOk(world.workspace, requestFor(repo));
  await runGit(made.path, "submodule", "--quiet", "add", secret, "stolen");
  await commitAll(made.path, "agent's submodule");
  await runGit(made.path, "submodule", "deinit", "-q", "--all");
  await runGit(repo, "worktree", "remove", "--force", made.path);
  const refused = await world.workspace.prepare(requestFor(repo, { branch: made.branch }));
  expect(refused).toMatchObject({ kind: "refused", message: expect.stringContaining("not allowed") });
});

test("[W3] LFS pointers stay pointers when there is no LFS, and sparse checkouts stay sparse", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
  await writeFiles(repo, {
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "big.bin": pointer,
    "out/b.txt": "b",
  });
  await commitAll(repo, "pointer");
  await runGit(repo, "sparse-checkout", "set", "--no-cone", "/*", "!/out");
  const made = await prepareOk(world.workspace, requestFor(repo));
  expect(await readFile(join(made.path, "big.bin"), "utf8")).toBe(pointer);
  expect(await readdir(made.path)).not.toContain("out");
});

test("[W1] an aborted prepare can be repeated", async () => {
  await writeHook(repo, "post-checkout", "#!/bin/sh\nif [ ! -e ../go ]; then sleep 600; fi\n");
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("cancelled")), 300);
  await expect(world.workspace.prepare(requestFor(repo), stop.signal)).rejects.toThrow("cancelled");
  await writeFiles(join(world.dataDir, "worktrees", "p1"), { go: "" });
  expect(await prepareOk(world.workspace, requestFor(repo))).toMatchObject({ branch: "camelot/1-fix-login" });
});
