/** A merge that is cut off anywhere (W4). In one file, as every test cuts the same merge. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Worktree } from "../../ports/workspace";
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
  testSeal,
  writeFiles,
} from "../../testing/git-repositories";
import { filesBelow, photoOf } from "../../testing/tree-photo";
import { createWorkspace } from "../workspace";

const TASKS = [1, 2, 3] as const;

let world: GitWorld;
let repo = "";

beforeEach(async () => {
  world = await makeGitWorld();
  repo = await makeRepository(join(world.folder, "repo"), {
    ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`dir/${index}.txt`, `${index}\n`])),
    "gone.txt": "gone\n",
    "kind.txt": "a file\n",
  });
});
afterEach(() => world.remove());

async function worked(number: number, files: Record<string, string>, gone: readonly string[] = []): Promise<Worktree> {
  const made = await prepareOk(world.workspace, requestFor(repo, { number }));
  for (const name of gone) await rm(join(made.path, name));
  await writeFiles(made.path, files);
  await world.workspace.save(saveRequestFor(repo, made));
  return made;
}

const mergeRequest = (of: Worktree, number = 1) => mergeRequestFor(repo, of, { message: `Merge #${number} Fix login` });

const main = () => runGit(repo, "rev-parse", "refs/heads/main");

/** The tree is what a fresh checkout of the base is, and git knows it. */
async function expectFresh(): Promise<void> {
  expect(await runGit(repo, "fsck", "--strict", "--no-dangling")).toBe("");
  expect(await runGit(repo, "status", "--porcelain")).toBe("");
  const fresh = join(world.folder, `fresh-${crypto.randomUUID()}`);
  await runGit(world.folder, "clone", "-q", repo, fresh);
  expect(await filesBelow(repo, "")).toEqual(await filesBelow(fresh, ""));
}

test("[W4] merges at the same moment from two servers on one data directory: all of them land", async () => {
  const second = createWorkspace({ dataDir: world.dataDir, seal: testSeal, log: () => undefined });
  const made = [];
  for (const number of TASKS) made.push(await worked(number, { [`new-${number}.txt`]: "new\n" }));
  const merged = await Promise.all(
    made.map((task, index) => (index % 2 ? second : world.workspace).merge(mergeRequest(task, index + 1))),
  );
  expect(merged.map(({ kind }) => kind)).toEqual(["merged", "merged", "merged"]);
  expect((await runGit(repo, "log", "--first-parent", "--format=%s", "main")).split("\n")).toHaveLength(4);
  await expectFresh();
});

test("[W4] of two that contradict each other at the same moment one lands and the other names the file", async () => {
  const [one, two] = [await worked(1, { "dir/1.txt": "one\n" }), await worked(2, { "dir/1.txt": "two\n" })];
  const answers = await Promise.all([one, two].map((task) => world.workspace.merge(mergeRequest(task))));
  expect(answers.map((answer) => (answer.kind === "merged" ? "merged" : answer.code)).sort()).toEqual([
    "MERGE_CONFLICT",
    "merged",
  ]);
  expect(answers.find(({ kind }) => kind === "refused")).toMatchObject({ files: ["dir/1.txt"] });
  await expectFresh();
});

test("[W4] somebody commits to the base while git fills the tree on it: theirs stays, and the merge is made on top of it", async () => {
  const task = await worked(1, CHANGES, ["gone.txt"]);
  const blob = await runGit(repo, "hash-object", "-w", "kind.txt");
  const tree = `$({ git ls-tree main; printf '100644 blob ${blob}\\ttheirs.txt\\n'; } | git mktree)`;
  const commit = `git update-ref refs/heads/main $(git commit-tree -p main -m theirs ${tree})`;
  await filterOnce("dir/2.txt", `env -u GIT_INDEX_FILE ${commit}`);
  expect(await world.workspace.merge(mergeRequest(task))).toEqual({ kind: "merged", commit: await main() });
  expect(await runGit(repo, "log", "--first-parent", "--format=%s", "main")).toBe("Merge #1 Fix login\ntheirs\none");
  await expectFresh();
});

/**
 * Kills git in the middle of filling the tree: a smudge filter of the repository's own ends its parent at the named file, so
 * the moment is the same each time. It does so once.
 */
async function killAtFile(name: string): Promise<void> {
  const parent = "$(awk '/^PPid:/ { print $2 }' /proc/$PPID/status)";
  await filterOnce(name, `kill -9 ${parent} $PPID; sleep 1`);
}

/** Runs a command, once, when git writes this file into the tree. */
async function filterOnce(name: string, command: string): Promise<void> {
  const filter = join(world.folder, "filter.sh");
  const isFirst = `[ "$1" = "${name}" ] && mkdir "${filter}.once" 2>/dev/null`;
  const identity = "GIT_AUTHOR_NAME=T GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@t";
  await writeFile(filter, `#!/bin/sh\nexport ${identity}\nif ${isFirst}; then ${command}; fi >&2\ncat\n`);
  await chmod(filter, 0o755);
  await writeFiles(join(repo, ".git", "info"), { attributes: "*.txt filter=once\n" });
  await runGit(repo, "config", "filter.once.smudge", `${filter} %f`);
}

const CHANGES = { "dir/1.txt": "changed\n", "dir/2.txt": "changed\n", "new/deep/n.txt": "new\n", "zzz.txt": "new\n" };

test.each([["dir/1.txt"], ["dir/2.txt"], ["new/deep/n.txt"], ["zzz.txt"]])(
  "[W4][GIT-5] git is killed while it writes %s into the tree: all is as before, and the next press merges",
  async (name) => {
    const task = await worked(1, CHANGES, ["gone.txt"]);
    await writeFiles(repo, { "notes.txt": "mine\n" });
    const before = await photoOf(repo);
    await killAtFile(name);
    const cut = await world.workspace.merge(mergeRequest(task));
    expect(cut).toMatchObject({ kind: "refused", code: "BASE_NOT_CLEAN", path: repo });
    expect(await runGit(repo, "fsck", "--strict", "--no-dangling")).toBe("");
    const after = await photoOf(repo);
    expect({ ...after, index: "" }).toEqual({ ...before, index: "" });
    expect(await runGit(repo, "status", "--porcelain")).toBe("?? notes.txt");
    expect(await world.workspace.merge(mergeRequest(task))).toEqual({ kind: "merged", commit: await main() });
    await rm(join(repo, "notes.txt"));
    await expectFresh();
  },
);

test("[W4][GIT-5] the server and git are killed together in the middle: the next press, by whomever, puts it right and merges", async () => {
  const task = await worked(1, CHANGES, ["gone.txt"]);
  await killAtFile("new/deep/n.txt");
  const record = await cutOff(task);
  expect(JSON.parse(record)).toMatchObject({ path: repo, branch: "main" });
  expect(await runGit(repo, "status", "--porcelain")).not.toBe("");
  expect(await runGit(repo, "fsck", "--strict", "--no-dangling")).toBe("");
  expect(await world.workspace.merge(mergeRequest(task))).toEqual({ kind: "merged", commit: await main() });
  await expectFresh();
});

test("[W4] what somebody changed between the crash and the next press is theirs, and named", async () => {
  const task = await worked(1, CHANGES, ["gone.txt"]);
  await killAtFile("new/deep/n.txt");
  await cutOff(task);
  await writeFiles(repo, { "dir/2.txt": "my own\n" });
  const refused = await world.workspace.merge(mergeRequest(task));
  expect(refused).toMatchObject({ code: "BASE_NOT_CLEAN", files: expect.arrayContaining(["dir/2.txt"]) });
  expect(await readFile(join(repo, "dir/2.txt"), "utf8")).toBe("my own\n");
});

test("[W4][GIT-5] the server and git are killed together in the middle: nobody presses, and the tree is given back", async () => {
  const task = await worked(1, CHANGES, ["gone.txt"]);
  const [before, from] = [await photoOf(repo), await main()];
  await killAtFile("new/deep/n.txt");
  await cutOff(task);
  expect(await world.workspace.mendMoves()).toBe(true);
  expect({ ...(await photoOf(repo)), index: "" }).toEqual({ ...before, index: "" });
  expect(await readdir(join(repo, ".git"))).not.toContain("index.lock");
  expect(await main()).toBe(from);
  expect(await readdir(join(world.dataDir, "git-moves"))).toEqual([]);
  await expectFresh();
});

test("[W4] of two repositories one of which is away, the other is mended, and the one that is away when it is back", async () => {
  const task = await worked(1, CHANGES, ["gone.txt"]);
  await killAtFile("new/deep/n.txt");
  await cutOff(task);
  await rename(repo, `${repo}-away`);
  expect(await world.workspace.mendMoves()).toBe(false);
  await rename(`${repo}-away`, repo);
  expect(await world.workspace.mendMoves()).toBe(true);
  await expectFresh();
});

test("[W3][W4] what somebody changed meanwhile stays and is named until it is away, and a lock that comes later is theirs", async () => {
  const task = await worked(1, CHANGES, ["gone.txt"]);
  const before = await photoOf(repo);
  await killAtFile("new/deep/n.txt");
  await cutOff(task);
  await writeFiles(repo, { "dir/2.txt": "my own\n" });
  const cut = await photoOf(repo);
  for (let round = 1; round <= 2; round += 1) expect(await world.workspace.mendMoves()).toBe(false);
  expect(await photoOf(repo)).toEqual(cut);
  const said = expect.stringMatching(/^A merge into main was cut off in .*“dir\/2.txt” was changed there since/);
  expect(await world.workspace.inspect(repo)).toMatchObject({ cutOff: said });
  expect(world.lines.filter((line) => line.includes("stays as it is"))).toHaveLength(1);

  const lock = join(repo, ".git", "index.lock");
  await writeFile(lock, "somebody's");
  expect(await world.workspace.mendMoves()).toBe(false);
  expect(await readFile(lock, "utf8")).toBe("somebody's");
  expect(await world.workspace.inspect(repo)).toMatchObject({ cutOff: expect.stringContaining(lock) });
  await rm(lock);

  await runGit(repo, "checkout", "--", "dir/2.txt");
  expect(await world.workspace.mendMoves()).toBe(true);
  expect({ ...(await photoOf(repo)), index: "" }).toEqual({ ...before, index: "" });
  expect(await world.workspace.inspect(repo)).not.toHaveProperty("cutOff");
});

test("[W4] somebody reset the tree and went to another branch meanwhile: only what the merge brought there is taken away", async () => {
  const task = await worked(1, CHANGES, ["gone.txt"]);
  await killAtFile("zzz.txt");
  await cutOff(task);
  await rm(join(repo, ".git", "index.lock"), { force: true });
  await runGit(repo, "reset", "-q", "--hard");
  await runGit(repo, "switch", "-q", "-c", "other");
  await writeFiles(repo, { "mine.txt": "mine\n" });
  await runGit(repo, "add", "mine.txt");
  await runGit(repo, "commit", "-q", "-m", "mine");
  expect(await world.workspace.mendMoves()).toBe(true);
  expect(await runGit(repo, "status", "--porcelain")).toBe("");
  expect(await readFile(join(repo, "mine.txt"), "utf8")).toBe("mine\n");
});

test("[W4] a tree that is half there is not forgotten over a merge into another base that is checked out elsewhere", async () => {
  const task = await worked(1, CHANGES, ["gone.txt"]);
  await killAtFile("new/deep/n.txt");
  await cutOff(task);
  await writeFiles(repo, { "dir/2.txt": "my own\n" });
  const elsewhere = join(world.folder, "elsewhere");
  await runGit(repo, "worktree", "add", "-q", "-b", "dev", elsewhere, "main");
  const refused = await world.workspace.merge({ ...mergeRequest(task), baseBranch: "dev" });
  expect(refused).toMatchObject({ code: "BASE_NOT_CLEAN", path: repo, message: expect.stringContaining("cut off") });
  await runGit(repo, "checkout", "--", "dir/2.txt");
  expect(await world.workspace.merge({ ...mergeRequest(task), baseBranch: "dev" })).toMatchObject({ kind: "merged" });
  expect(await runGit(repo, "status", "--porcelain")).toBe("");
  expect(await runGit(elsewhere, "status", "--porcelain")).toBe("");
});

test("[W4] the server was killed when tree and index stood at the merge already: the next press only moves the base", async () => {
  const task = await worked(1, CHANGES);
  const from = await main();
  const merged = await world.workspace.merge(mergeRequest(task));
  const to = await main();
  await runGit(repo, "update-ref", "refs/heads/main", from);
  await writeRecord({ from, to });
  await writeFiles(repo, { "dir/5.txt": "edited since\n" });
  const again = await world.workspace.merge(mergeRequest(task));
  expect(again).toEqual(merged);
  expect(await main()).toBe(to);
  expect(await runGit(repo, "status", "--porcelain")).toBe(" M dir/5.txt");
});

test("[W4] a record of a move that somebody else has long gone past changes nothing", async () => {
  const task = await worked(1, CHANGES);
  await writeRecord({ from: "0".repeat(40), to: "1".repeat(40) });
  expect(await world.workspace.merge(mergeRequest(task))).toMatchObject({ kind: "merged" });
  await commitAll(repo, "later");
  await expectFresh();
});

/** Leaves the state of a server that died in the middle: the record stands, half of the tree is written. */
async function cutOff(task: Worktree): Promise<string> {
  const from = await main();
  const tree = (await runGit(repo, "merge-tree", "--write-tree", from, task.branch)).trim();
  const to = await runGit(repo, "commit-tree", "-p", from, "-p", task.branch, "-m", "cut off", tree);
  const record = await writeRecord({ from, to });
  await new Promise<void>((resolve) => {
    spawn("git", ["-C", repo, "read-tree", "-m", "-u", from, to], { stdio: "ignore" }).on("close", () => resolve());
  });
  return record;
}

async function writeRecord(move: { from: string; to: string }): Promise<string> {
  const own = join(repo, ".git");
  const folder = join(world.dataDir, "git-moves");
  await mkdir(folder, { recursive: true });
  const record = JSON.stringify({ path: repo, own, branch: "main", ...move });
  await writeFile(join(folder, `${createHash("sha256").update(own).digest("hex").slice(0, 24)}.json`), record);
  return record;
}
