/**
 * What a merge would take from somebody whose tree has the base checked out: files that git does not know, where the merge
 * brings new ones. git itself protects those that are not ignored only, and takes ignored ones (`.env`, a build) for worthless;
 * in a tree that is not ours nothing is. Looks only.
 */
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { git, gitLine, TREE_LIMIT_MS } from "../git/git";

/** Paths in one command: far from what a command line may hold, even of long names. */
const PATHS_AT_ONCE = 200;

/** The files of nobody's commit that stand where files are new from one commit to the other; sorted, relative to the tree. */
export async function filesInTheWay(tree: string, from: string, to: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", from, to, "--"];
  const added = (await gitLine({ at: tree, args, limitMs: TREE_LIMIT_MS })).split("\0").filter(Boolean);
  const taken = await placesTaken(tree, added);
  const found = new Set<string>();
  for (let at = 0; at < taken.length; at += PATHS_AT_ONCE) {
    for (const file of await unknownAt(tree, taken.slice(at, at + PATHS_AT_ONCE))) found.add(file);
  }
  return [...found].sort();
}

/** Where something stands already: at the path itself, or as no folder on the way to it. */
async function placesTaken(tree: string, names: readonly string[]): Promise<string[]> {
  const folders = new Map<string, Promise<string | null>>();
  const taken = new Set<string>();
  for (const name of names) {
    const place = (await blockedAt(tree, dirname(name), folders)) ?? ((await isThere(tree, name)) ? name : null);
    if (place !== null) taken.add(place);
  }
  return [...taken];
}

/** The first part of a folder's path that is there and is no folder; links are none. Each folder is looked at once. */
function blockedAt(tree: string, folder: string, known: Map<string, Promise<string | null>>): Promise<string | null> {
  if (folder === ".") return Promise.resolve(null);
  const before = known.get(folder);
  if (before) return before;
  const asked = blockedAt(tree, dirname(folder), known).then(async (above) => {
    if (above !== null) return above;
    const found = await lstat(join(tree, folder)).catch(() => null);
    return found === null || found.isDirectory() ? null : folder;
  });
  known.set(folder, asked);
  return asked;
}

/** Links that lead nowhere are there as well. */
function isThere(tree: string, name: string): Promise<boolean> {
  return lstat(join(tree, name)).then(
    () => true,
    () => false,
  );
}

/** Files, links and repositories at or below these paths that the index does not know, ignored or not. */
async function unknownAt(tree: string, places: readonly string[]): Promise<string[]> {
  const args = ["ls-files", "-z", "--others", "--", ...places];
  const end = await git({ at: tree, options: ["--literal-pathspecs"], args, limitMs: TREE_LIMIT_MS });
  return end.stdout.toString("utf8").split("\0").filter(Boolean);
}
