/**
 * Gives a tree back what it had before a move that was cut off. Touches only files that are provably ours: gone, or the
 * beginning of what the new commit has at that path. One change of somebody's among them, and nothing is touched.
 */
import { createHash } from "node:crypto";
import { lstat, readFile, readlink, realpath, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AS_A_PERSON, git, READ_LIMIT_MS, TREE_LIMIT_MS, tryGit, WITHOUT_HOOKS } from "../git/git";
import { changedFiles } from "./base-trees";
import type { MoveRecord } from "./move-record";

/** Letters of a SHA-1 name; longer ones are SHA-256. */
const SHA1_LETTERS = 40;
/** `:100644 100644 <before> <after> M` */
const RAW_CHANGE = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) ([A-Z])/;

interface Change {
  /** As in git's lists: A, M, T, D. */
  readonly status: string;
  /** The blob's name in the later commit. */
  readonly blob: string;
}

/** To what `head`, the commit that the tree's index stands at, has. Null: done; else the file that is somebody's. */
export async function undo({ path, from, to }: MoveRecord, head: string): Promise<string | null> {
  const changed = await changedFiles(path);
  const moved = await changesBetween(path, from, to);
  const isOurs = async (name: string) => {
    const change = moved.get(name);
    return change !== undefined && (await isAsMoved(path, name, to, change.blob));
  };
  for (const name of changed) if (!(await isOurs(name))) return name;
  const added: string[] = [];
  for (const [name, { status }] of await changesBetween(path, head, to)) {
    if (status === "A" && (await isThere(join(path, name))) && (await isOurs(name))) added.push(name);
  }
  for (const name of added) await removeFile(path, name);
  if (changed.length === 0) return null;
  const stdin = `${changed.join("\0")}\0`;
  const args = ["checkout-index", "--force", "-u", "-z", "--stdin"];
  await git({ at: path, options: WITHOUT_HOOKS, args, stdin, environment: AS_A_PERSON, limitMs: TREE_LIMIT_MS });
  return null;
}

async function changesBetween(path: string, from: string, to: string): Promise<Map<string, Change>> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to, "--"];
  const end = await git({ at: path, args, limitMs: TREE_LIMIT_MS });
  const parts = end.stdout.toString("utf8").split("\0");
  const changes = new Map<string, Change>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, blob = "", status = ""] = RAW_CHANGE.exec(parts[at] ?? "") ?? [];
    changes.set(parts[at + 1] ?? "", { status, blob });
  }
  return changes;
}

/** Gone, or as far as git had come with writing what the new commit has there. */
async function isAsMoved(tree: string, name: string, to: string, blob: string): Promise<boolean> {
  const full = join(tree, name);
  const found = await lstat(full).catch(() => null);
  if (found === null) return true;
  if (!found.isFile() && !found.isSymbolicLink()) return false;
  // A folder that is a link by now leads to what is not ours.
  if ((await realpath(dirname(full))) !== join(await realpath(tree), dirname(name))) return false;
  const asked = { at: tree, environment: AS_A_PERSON, limitMs: READ_LIMIT_MS };
  if (found.isSymbolicLink()) {
    const end = await tryGit({ ...asked, args: ["cat-file", "blob", `${to}:${name}`] });
    return end.code === 0 && end.stdout.toString("utf8") === (await readlink(full));
  }
  const content = await readFile(full);
  // git is asked only about the few that are not there in whole: a process for each of thousands takes minutes.
  if (blobName(content, blob.length) === blob) return true;
  const end = await tryGit({ ...asked, args: ["cat-file", "--filters", `${to}:${name}`] });
  return end.code === 0 && content.equals(end.stdout.subarray(0, content.length));
}

/** What git calls a file with this content. */
function blobName(content: Buffer, letters: number): string {
  const hash = createHash(letters === SHA1_LETTERS ? "sha1" : "sha256");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

async function removeFile(tree: string, name: string): Promise<void> {
  await unlink(join(tree, name));
  for (let folder = dirname(name); folder !== "."; folder = dirname(folder)) {
    const isRemoved = await rmdir(join(tree, folder)).then(
      () => true,
      () => false, // something else is in it
    );
    if (!isRemoved) return;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
