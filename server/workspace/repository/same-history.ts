/** May a project's folder be another one? Tasks would start from, and be compared with, what has nothing to do with them. */
import type { Refused } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { git, READ_LIMIT_MS, TREE_LIMIT_MS } from "../git/git";
import { inspectRepository, refusedBy, unusable } from "./repository";

const OTHER_HISTORY =
  "The repository in this folder has another history than this project's. Make a new project for it.";

/**
 * Null: it may. `former`: the folder so far, which may be gone; `commits`: what the project's tasks began at, all of which
 * have to be in the new one.
 */
export async function refuseOtherFolder(
  context: WorkspaceContext,
  given: string,
  former: string,
  commits: readonly string[],
): Promise<Refused | null> {
  const found = await inspectRepository(context.places, given);
  if (found.kind === "refused") return found;
  try {
    const before = await inspectRepository(context.places, former);
    const lacking = await missing(found.path, commits);
    if (before.kind === "refused") return lacking.length === 0 ? null : unusable(OTHER_HISTORY);
    if (before.path === found.path) return null;
    // What is lost where it was is lost anyway.
    if ((await missing(before.path, lacking)).length < lacking.length) return unusable(OTHER_HISTORY);
    // Either way round: of a shallow clone the first commits are not those of the whole history.
    const isShared = (await holdsFirst(found.path, before.path)) || (await holdsFirst(before.path, found.path));
    return isShared ? null : unusable(OTHER_HISTORY);
  } catch (error) {
    return refusedBy(error, found.path);
  }
}

/** Whether a first commit of the other's HEAD is in it. */
async function holdsFirst(path: string, other: string): Promise<boolean> {
  const args = ["rev-list", "--max-parents=0", "HEAD"];
  const end = await git({ at: other, args, limitMs: TREE_LIMIT_MS });
  const first = end.stdout.toString("utf8").split("\n").filter(Boolean);
  return (await missing(path, first)).length < first.length;
}

/** Those of the commits that are not in it. */
async function missing(path: string, commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return [];
  const stdin = Buffer.from(`${commits.join("\n")}\n`);
  const end = await git({ at: path, args: ["cat-file", "--batch-check"], stdin, limitMs: READ_LIMIT_MS });
  const lines = end.stdout.toString("utf8").split("\n");
  return lines.filter((line) => line.endsWith(" missing")).map((line) => line.slice(0, -" missing".length));
}
