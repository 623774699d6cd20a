/**
 * Folders of a worktree that cannot be looked into, so that nobody knows what work is in them (W2). git passes over them:
 * it says a word on its standard error, ends well, and takes for unchanged what it could not see. So its words are the sign
 * to look, and this look is the answer: those words are cut when there are many, and name no folder where only files count.
 */
import { constants, type Dirent } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { TREE_LIMIT_MS, tryGit } from "../git/git";

/** How git writes the top of a tree. */
const TOP = "./";

/**
 * Paths with a slash at the end, bytes as latin1, without those that git ignores. `complaint`: what `git status` said on
 * its standard error; nothing, and nothing is looked at.
 */
export async function unreadableFolders(
  worktree: string,
  environment: Readonly<Record<string, string>>,
  complaint: string,
): Promise<string[]> {
  if (complaint === "") return [];
  const found: string[] = [];
  const ahead = [""];
  for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
    const inside = await insideOf(worktree, folder);
    if (inside === null) found.push(folder === "" ? TOP : folder);
    for (const entry of inside ?? []) {
      const name = entry.name.toString("latin1");
      // A link is no folder here, wherever it leads.
      if (entry.isDirectory() && name !== ".git") ahead.push(`${folder}${name}/`);
    }
  }
  const ignored = await ignoredAmong(worktree, environment, found);
  return found.filter((folder) => !ignored.has(folder));
}

/** Null: it is there and cannot be looked into. */
async function insideOf(worktree: string, folder: string): Promise<Dirent<Buffer>[] | null> {
  const path = Buffer.concat([Buffer.from(`${worktree}/`), Buffer.from(folder, "latin1")]);
  try {
    await access(path, constants.R_OK | constants.X_OK);
    return await readdir(path, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : null;
  }
}

async function ignoredAmong(
  worktree: string,
  environment: Readonly<Record<string, string>>,
  folders: readonly string[],
): Promise<Set<string>> {
  const asked = folders.filter((folder) => folder !== TOP);
  if (asked.length === 0) return new Set();
  const stdin = Buffer.from(`${asked.join("\0")}\0`, "latin1");
  const args = ["check-ignore", "-z", "--stdin"];
  const end = await tryGit({ at: worktree, args, environment, stdin, limitMs: TREE_LIMIT_MS });
  // 1: none of them. Anything else (one lies in a submodule): in doubt all of them count.
  return new Set(end.code === 0 ? end.stdout.toString("latin1").split("\0") : []);
}
