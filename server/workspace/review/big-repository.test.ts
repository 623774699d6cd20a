import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type GitWorld,
  makeGitWorld,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  writeFiles,
} from "../../testing/git-repositories";

// A tree is written three times, and a machine may do other things too.
vi.setConfig({ testTimeout: 600_000 });

const LONG = Boolean(process.env.CAMELOT_TEST_ALL);
const NORA = { name: "Nora", email: "nora@example.test" };
const FILES_IN_A_FOLDER = 500;

interface Size {
  readonly files: number;
  /** Of each; random, so that nothing is packed away. */
  readonly fileBytes: number;
}

const SIZES: readonly (readonly [string, Size])[] = [
  ["50,000 files", { files: 50_000, fileBytes: 32 }],
  ...(LONG ? ([["500 MB", { files: 50, fileBytes: 10_000_000 }]] as const) : []),
];

let world: GitWorld;
let repo = "";

beforeEach(async () => {
  world = await makeGitWorld();
  repo = join(world.folder, "repo");
});
afterEach(() => world.remove());

test.each(SIZES)(
  "[W4][W3][W2][GIT-6] a repository of %s: dispatched, saved, shown and merged, and its person's tree stays as it is",
  async (_name, size) => {
    await makeBig(size);
    await writeFiles(repo, { "notes.txt": "mine\n" });
    const before = await looksOf(repo);

    const made = await prepareOk(world.workspace, requestFor(repo));
    expect(await runGit(made.path, "status", "--porcelain")).toBe("");
    expect(await looksOf(repo)).toEqual(before);

    const changed = nameOf(size.files - 1);
    await writeFiles(made.path, { [changed]: "two\n", "new.txt": "new\n" });
    const saved = await world.workspace.save(saveRequestFor(repo, made));
    expect(saved).toMatchObject({ files: 2, leftOut: [] });
    expect(await looksOf(repo)).toEqual(before);

    const { branch, baseCommit } = made;
    const files = await world.workspace.diff({ repository: repo, worktree: made.path, branch, baseCommit });
    expect(files.map(({ path }) => path)).toEqual([changed, "new.txt"]);
    expect(await looksOf(repo)).toEqual(before);

    const request = { repository: repo, baseBranch: "main", branch, baseCommit, message: "Merge #1", author: NORA };
    expect(await world.workspace.merge(request)).toMatchObject({ kind: "merged" });
    expect(await runGit(repo, "status", "--porcelain")).toBe("?? notes.txt");
    const after = await looksOf(repo);
    expect(withoutOf(after.files, changed, "new.txt")).toEqual(withoutOf(before.files, changed));
    expect(await world.workspace.tidy({ repository: repo, worktree: made.path })).toBe(true);
  },
);

/** One commit, and the person's tree on it. */
async function makeBig({ files, fileBytes }: Size): Promise<void> {
  await mkdir(repo);
  await runGit(repo, "init", "-q", "-b", "main");
  const importing = spawn("git", ["-C", repo, "fast-import", "--quiet"], { stdio: ["pipe", "ignore", "inherit"] });
  const isOver = once(importing, "close");
  await pipeline(Readable.from(commitOf(files, fileBytes)), importing.stdin);
  expect((await isOver)[0]).toBe(0);
  await runGit(repo, "reset", "-q", "--hard");
}

function* commitOf(files: number, fileBytes: number): Generator<Buffer | string> {
  yield "commit refs/heads/main\ncommitter T <t@example.test> 1700000000 +0000\ndata 3\none\n";
  for (let number = 0; number < files; number++) {
    yield `M 100644 inline ${nameOf(number)}\ndata ${fileBytes}\n`;
    yield randomBytes(fileBytes);
    yield "\n";
  }
}

function nameOf(number: number): string {
  return `folder-${Math.floor(number / FILES_IN_A_FOLDER)}/file-${number}.bin`;
}

/** What cannot stay the same when somebody writes a file: mode, size and time of its last change, of each; and the index. */
async function looksOf(path: string): Promise<{ index: string; files: Map<string, string> }> {
  const args = [path, "-path", `${path}/.git`, "-prune", "-o", "-type", "f", "-printf", "%P\\t%m %s %C@\\n"];
  const { stdout } = await promisify(execFile)("find", args, { maxBuffer: 100_000_000 });
  const lines = stdout.trimEnd().split("\n");
  const files = new Map(lines.map((line) => line.split("\t") as [string, string]));
  return { index: (await readFile(join(path, ".git", "index"))).toString("base64"), files };
}

function withoutOf(files: ReadonlyMap<string, string>, ...names: readonly string[]): Map<string, string> {
  return new Map([...files].filter(([name]) => !names.includes(name)));
}
