/** Everything in a repository that belongs to its person, byte for byte: files of the tree, index, HEAD and branches. */
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "./git-repositories";

export interface TreePhoto {
  /** By path: mode and content. `.git` and submodules' own are left out. */
  readonly files: Readonly<Record<string, string>>;
  /** Base64; empty where there is none. */
  readonly index: string;
  readonly head: string;
  readonly refs: string;
}

/** `path`: a tree, or a bare repository, of which there is no tree. */
export async function photoOf(path: string): Promise<TreePhoto> {
  const own = await runGit(path, "rev-parse", "--absolute-git-dir");
  const isBare = (await runGit(path, "rev-parse", "--is-bare-repository")) === "true";
  const index = await readFile(join(own, "index")).catch(() => Buffer.alloc(0));
  return {
    files: isBare ? {} : await filesBelow(path, ""),
    index: index.toString("base64"),
    head: await readFile(join(own, "HEAD"), "utf8"),
    refs: await runGit(path, "for-each-ref", "refs/heads", "refs/tags", "refs/stash"),
  };
}

/** The files alone, to compare two trees of one commit. */
export async function filesBelow(root: string, inside: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(join(root, inside))).sort()) {
    if (name === ".git") continue;
    const path = inside === "" ? name : `${inside}/${name}`;
    const full = join(root, path);
    const stat = await lstat(full);
    if (stat.isDirectory()) Object.assign(found, await filesBelow(root, path));
    else if (stat.isSymbolicLink()) found[path] = `link ${await readlink(full)}`;
    else found[path] = `${(stat.mode & 0o111) === 0 ? "file" : "program"} ${(await readFile(full)).toString("base64")}`;
  }
  return found;
}
