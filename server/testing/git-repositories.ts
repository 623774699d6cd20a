/**
 * Repositories for tests, ordinary and odd, made with real git in a folder of their own. Independent of the machine's git
 * configuration. Nothing of the product imports this.
 */
import { execFile } from "node:child_process";
import { appendFile, chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createSeal } from "../db/sealed";
import type { Seal } from "../ports/seal";
import type { MergeRequest, SaveRequest, Workspace, Worktree, WorktreeRequest } from "../ports/workspace";
import { createWorkspace, type OpenWorkspace } from "../workspace/workspace";

const run = promisify(execFile);

const PERSON = ["-c", "user.name=Tester", "-c", "user.email=tester@example.test", "-c", "commit.gpgSign=false"];
const OUTPUT_LIMIT_BYTES = 32 * 1024 * 1024;

/** A new empty folder (its real path) and the function that removes it. */
export async function makeTestFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "camelot-git-")));
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }) };
}

/** With a secret for tests. */
export const testSeal: Seal = createSeal("a secret of thirty-two letters or more");

/** A workspace on a data directory of its own beside the folder for repositories. */
export interface GitWorld {
  /** For repositories. */
  readonly folder: string;
  readonly dataDir: string;
  readonly workspace: OpenWorkspace;
  /** What the workspace logged. */
  readonly lines: string[];
  readonly remove: () => Promise<void>;
}

export async function makeGitWorld(): Promise<GitWorld> {
  const { folder, remove } = await makeTestFolder();
  const lines: string[] = [];
  const dataDir = join(folder, "data");
  const workspace = createWorkspace({ dataDir, seal: testSeal, log: (line) => lines.push(line) });
  return { folder, dataDir, lines, remove, workspace };
}

/** The request for a task of this repository, on `main`, at its first session unless told otherwise. */
export function requestFor(repository: string, changes: Partial<WorktreeRequest> = {}): WorktreeRequest {
  const number = changes.number ?? 1;
  const task = { projectId: "p1", taskId: `task-${changes.projectId ?? "p1"}-${number}`, number, title: "Fix login" };
  return { ...task, repository, baseBranch: "main", branch: null, ...changes };
}

/** Prepares a worktree that must come about. */
export async function prepareOk(workspace: Workspace, request: WorktreeRequest): Promise<Worktree> {
  const made = await workspace.prepare(request);
  if (made.kind === "refused") throw new Error(`refused: ${made.message}`);
  return made;
}

export function saveRequestFor(repository: string, made: Worktree): SaveRequest {
  const { path, branch, baseCommit } = made;
  return { repository, worktree: path, branch, baseCommit, message: "Fix login\n\nBy an agent." };
}

/** Runs git in a folder and gives its stdout; throws with git's words when it fails. */
/** By somebody with a name, into main. */
export function mergeRequestFor(
  repository: string,
  { branch, baseCommit }: Worktree,
  changes: Partial<MergeRequest> = {},
): MergeRequest {
  const author = { name: "Nora", email: "nora@example.test" };
  return { repository, baseBranch: "main", branch, baseCommit, message: "Merge #1 Fix login", author, ...changes };
}

export async function runGit(at: string, ...args: string[]): Promise<string> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...environment } = process.env;
  const options = { env: { ...environment, GIT_ALLOW_PROTOCOL: "file" }, maxBuffer: OUTPUT_LIMIT_BYTES };
  const { stdout } = await run("git", ["-C", at, ...PERSON, ...args], options);
  return stdout.trimEnd();
}

/** Writes files below a folder, with the folders they need. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** A repository on `main` with one commit of these files. */
export async function makeRepository(
  path: string,
  files: Readonly<Record<string, string | Uint8Array>> = { "a.txt": "one\n" },
): Promise<string> {
  await mkdir(path, { recursive: true });
  await runGit(path, "init", "-q", "-b", "main");
  // Whoever runs the tests may have no name of their own in git.
  await appendFile(join(path, ".git", "config"), "[user]\n\tname = Tester\n\temail = tester@example.test\n");
  await writeFiles(path, files);
  await commitAll(path, "one");
  return path;
}

/** Commits everything in the folder and gives the commit. */
export async function commitAll(path: string, message: string): Promise<string> {
  await runGit(path, "add", "-A");
  await runGit(path, "commit", "-q", "--allow-empty", "-m", message);
  return runGit(path, "rev-parse", "HEAD");
}

/** Repositories without a commit: empty, with files, bare. */
export async function makeUnbornRepositories(base: string): Promise<{ empty: string; files: string; bare: string }> {
  const places = { empty: join(base, "empty"), files: join(base, "files"), bare: join(base, "bare.git") };
  await mkdir(base, { recursive: true });
  await runGit(base, "init", "-q", "-b", "main", places.empty);
  await runGit(base, "init", "-q", "-b", "main", places.files);
  await writeFiles(places.files, { "readme.txt": "not committed\n" });
  await runGit(base, "init", "-q", "--bare", "-b", "main", places.bare);
  return places;
}

/** A one-commit repository below a path with blanks, quotes, a dollar sign and other scripts. */
export function makeNastyPathRepository(base: string): Promise<string> {
  const path = join(base, "My Projects (2)", "it's a test", "проект 日本 🚀", "re'po $HOME");
  return makeRepository(path, { "a b.txt": "hi\n" });
}

/** A repository whose post-checkout hook writes its process group into `.git/hook-log` and then sleeps. */
export async function makeSlowStartRepository(path: string, hookSeconds: number): Promise<string> {
  await makeRepository(path);
  const hook = `#!/bin/sh\necho $PPID > "$(git rev-parse --git-common-dir)/hook-log"\nsleep ${hookSeconds}\n`;
  await writeHook(path, "post-checkout", hook);
  return path;
}

export async function writeHook(repository: string, name: string, script: string): Promise<void> {
  const path = join(repository, ".git", "hooks", name);
  await writeFiles(dirname(path), { [name]: script });
  await chmod(path, 0o755);
}

export type StaleMode = "dir-gone" | "not-known" | "branch-only" | "checked-out";

/** Leaves behind what a crash leaves, for just this worktree path and branch. */
export async function leaveStaleWorktree(
  repo: string,
  worktree: string,
  branch: string,
  mode: StaleMode,
): Promise<void> {
  switch (mode) {
    case "dir-gone":
      await runGit(repo, "worktree", "add", "-q", "-b", branch, worktree);
      return rm(worktree, { recursive: true });
    case "not-known":
      return writeFiles(worktree, { "precious.txt": "left by a crash\n" });
    case "branch-only":
      await runGit(repo, "worktree", "add", "-q", "-b", branch, `${worktree}.tmp`);
      await writeFiles(`${worktree}.tmp`, { "precious.txt": "work\n" });
      await commitAll(`${worktree}.tmp`, "unpushed work");
      await runGit(repo, "worktree", "remove", `${worktree}.tmp`);
      return;
    case "checked-out":
      await runGit(repo, "worktree", "add", "-q", "-b", branch, `${worktree}.other`);
      return writeFiles(`${worktree}.other`, { "precious.txt": "dirty\n" });
    default:
      mode satisfies never;
  }
}

/** Works like an agent that edits, adds and stages, and never commits. */
export async function workWithoutCommit(worktree: string, tracked: string): Promise<void> {
  await writeFiles(worktree, {
    [tracked]: "edited by the agent\n",
    "new-dir/untracked.txt": "new\n",
    "staged.txt": "staged\n",
  });
  await runGit(worktree, "add", "--", "staged.txt");
}

/** Titles that are no good as branch, folder or shell words. */
export const ODD_TITLES: readonly string[] = [
  "🚀🔥",
  "🎉🎊",
  "修复登录问题",
  "ログイン修正",
  "إصلاح تسجيل الدخول",
  "Исправить вход",
  "fix login",
  "Fix Login",
  "FIX: login!!!",
  "../../etc/passwd",
  "a..b",
  "foo.lock",
  "ends with dot.",
  ".starts with dot",
  "-starts with dash",
  "--help",
  "@{upstream}",
  "HEAD",
  "with~tilde^caret:colon?question*star[bracket\\backslash",
  "   only spaces around   ",
  "\u00e9\u00e9\u00e9 (NFC)",
  "e\u0301e\u0301e\u0301 (NFD)",
  "tab\tinside",
  "line\nbreak",
  "$(touch pwned) `touch pwned`; touch pwned",
  "",
  "a".repeat(300),
];
