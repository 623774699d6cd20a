/** What crashes, moves, people and agents leave behind, met by `prepare`. */
import { lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  commitAll,
  type GitWorld,
  leaveStaleWorktree,
  makeGitWorld,
  makeRepository,
  prepareOk,
  requestFor,
  runGit,
  testSeal,
  writeFiles,
} from "../../testing/git-repositories";
import { createWorkspace } from "../workspace";

let world: GitWorld;
let repo = "";

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"));
});
afterEach(() => world.remove());

const headOf = (path: string) => runGit(path, "rev-parse", "--abbrev-ref", "HEAD");

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
  const workspace = createWorkspace({ dataDir, seal: testSeal, log: () => undefined });
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
  const workspace = createWorkspace({ dataDir, seal: testSeal, log: () => undefined });
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
