/**
 * What git knows about worktrees: its list, and the private git directory of one of them. Read-only.
 * A worktree is found from the repository's side, so that an agent which damaged its own `.git` file loses nothing.
 */
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { realpathOrNull } from "../places";
import { git, READ_LIMIT_MS } from "./git";

export interface WorktreeEntry {
  readonly path: string;
  /** Short name of the branch that is checked out; null when HEAD is detached or the entry is bare. */
  readonly branch: string | null;
  readonly isLocked: boolean;
}

export async function listWorktrees(repository: string): Promise<WorktreeEntry[]> {
  const end = await git({ at: repository, args: ["worktree", "list", "--porcelain", "-z"], limitMs: READ_LIMIT_MS });
  const records = end.stdout
    .toString("utf8")
    .split("\0\0")
    .filter((record) => record !== "");
  return records.map((record) => {
    const lines = record.split("\0");
    const value = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
    return {
      path: value("worktree") ?? "",
      branch: value("branch")?.replace(/^refs\/heads\//, "") ?? null,
      isLocked: lines.some((line) => line === "locked" || line.startsWith("locked ")),
    };
  });
}

/** The private git directory of the worktree at `path` as the shared git directory knows it; null when it does not. */
export async function gitDirectoryOfWorktree(gitDirectory: string, path: string): Promise<string | null> {
  const registrations = join(gitDirectory, "worktrees");
  const names = await readdir(registrations).catch(() => []);
  const wanted = (await realpathOrNull(path)) ?? path;
  for (const name of names) {
    const own = join(registrations, name);
    const dotGit = (await readFile(join(own, "gitdir"), "utf8").catch(() => "")).trim();
    if (dotGit === "") continue;
    const there = dirname(resolve(own, dotGit)); // newer gits may store it relative
    if (there === path || there === wanted) return own;
  }
  return null;
}

/** The private git directory that the worktree's own `.git` file names; null when the file is missing or no such file. */
export async function gitDirectoryByFile(path: string): Promise<string | null> {
  const text = await readFile(join(path, ".git"), "utf8").catch(() => "");
  const target = /^gitdir: (.+?)\s*$/.exec(text)?.[1];
  return target === undefined ? null : realpathOrNull(resolve(path, target));
}

/**
 * Names the worktree outright. Without it a git in a worktree whose `.git` an agent removed would look upwards and find
 * whatever repository the data directory happens to lie in.
 */
export function environmentOf(path: string, own: string): Record<string, string> {
  return { GIT_DIR: own, GIT_WORK_TREE: path };
}
