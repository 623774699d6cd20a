/**
 * The worktree's present content as a git tree, through an index of its own: the real index, its lock and a merge in
 * progress are not touched. Saving and showing a diff both look through this, so they agree on what counts as work.
 * Order not to break: copy the index (with its time stamp), compare, take back what is left out, then add the rest.
 */
import { copyFile, mkdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { DURABLE, type GitEnd, git, gitLine, TREE_LIMIT_MS, tryGit } from "../git/git";
import { environmentOf } from "../git/worktree-list";
import { canBeCommitted, looksLikeSecret } from "./left-out";
import { unreadableFolders } from "./unreadable";

/** Looks at files side by side; more would only crowd the thread pool. */
const LOOKS_AT_ONCE = 32;

/** After so many changes the event loop gets a turn (P20). */
const LINES_AT_ONCE = 2_000;
/** More files than this are left to the system to write out: saving ends within its time (W2). */
const DURABLE_LIMIT_FILES = 500;

export interface StagingPlace {
  readonly worktree: string;
  /** The worktree's private git directory. */
  readonly own: string;
  /** The shared git directory. */
  readonly shared: string;
  /** An empty folder that is removed afterwards. */
  readonly scratch: string;
}

export interface Staged {
  readonly tree: string;
  /** Display names of what stays uncommitted: files, and with a slash at the end folders nobody can look into. */
  readonly leftOut: readonly string[];
  readonly indexFile: string;
  /** For further calls of git that shall see this index (and, for a look, its objects). */
  readonly environment: Readonly<Record<string, string>>;
}

/** One changed path; bytes as latin1, because names need not be UTF-8. */
interface Change {
  readonly path: string;
  /** `mode object` at HEAD to go back to (zeros: no such file); null for a file that no index knows. */
  readonly atHead: string | null;
  /** The file is not in the worktree any more; what it lay in may be a link by now. */
  readonly isGone: boolean;
  /** A submodule with work of its own inside. */
  readonly holdsOwnWork: boolean;
}

/** `keep`: objects go to the repository; otherwise to the scratch folder, so that looking leaves no trace. */
export async function stageWorktree(place: StagingPlace, objects: "keep" | "scratch"): Promise<Staged> {
  const indexFile = join(place.scratch, "index");
  const environment: Record<string, string> = {
    ...environmentOf(place.worktree, place.own),
    GIT_INDEX_FILE: indexFile,
  };
  if (objects === "scratch") {
    environment.GIT_OBJECT_DIRECTORY = join(place.scratch, "objects");
    environment.GIT_ALTERNATE_OBJECT_DIRECTORIES = join(place.shared, "objects");
    await mkdir(environment.GIT_OBJECT_DIRECTORY);
  }
  const { changes, complaint } = await readChanges(place, indexFile, environment);
  const unreadable = await unreadableFolders(place.worktree, environment, complaint);
  const { taken, leftOut } = await sortChanges(place, changes);
  await takeBack(place, environment, leftOut);
  const options = objects === "keep" && taken.length <= DURABLE_LIMIT_FILES ? DURABLE : [];
  await add(place, environment, options, taken);
  const tree = await gitLine({
    at: place.worktree,
    options,
    args: ["write-tree"],
    environment,
    limitMs: TREE_LIMIT_MS,
  });
  const inside = changes.filter((change) => change.holdsOwnWork);
  const paths = [...leftOut, ...inside].map((change) => change.path);
  const elsewhere = paths.filter((path) => !unreadable.some((folder) => path.startsWith(folder)));
  const names = [...unreadable, ...elsewhere].map(displayName);
  return { tree, leftOut: [...new Set(names)], indexFile, environment };
}

export function displayName(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** `complaint`: what git said beside, about what it could not read. */
async function readChanges(
  place: StagingPlace,
  indexFile: string,
  environment: Record<string, string>,
): Promise<{ changes: Change[]; complaint: string }> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none"];
  const ask = () => tryGit({ at: place.worktree, args, environment, limitMs: TREE_LIMIT_MS });
  const isCopied = await copyIndex(join(place.own, "index"), indexFile);
  const first = isCopied ? await ask() : null;
  if (first?.code === 0) return toChanges(first);
  await readHeadIntoIndex(place, environment); // no index, or a broken one
  return toChanges(await git({ at: place.worktree, args, environment, limitMs: TREE_LIMIT_MS }));
}

async function toChanges({ stdout, stderr }: GitEnd): Promise<{ changes: Change[]; complaint: string }> {
  return { changes: await parseStatus(stdout.toString("latin1")), complaint: stderr };
}

/** The time stamp goes along (rounded down): git re-reads files that changed in the index's last instant by it. */
async function copyIndex(from: string, to: string): Promise<boolean> {
  const found = await stat(from).catch(() => null);
  if (found === null) return false;
  await copyFile(from, to);
  const time = Math.floor(found.mtimeMs) / 1_000;
  await utimes(to, time, time);
  return true;
}

async function readHeadIntoIndex(place: StagingPlace, environment: Record<string, string>): Promise<void> {
  const hasHead = await tryGit({
    at: place.worktree,
    args: ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
    environment,
    limitMs: TREE_LIMIT_MS,
  });
  const what = hasHead.code === 0 ? "HEAD" : "--empty";
  await git({ at: place.worktree, args: ["read-tree", what], environment, limitMs: TREE_LIMIT_MS });
}

/** `1 XY sub mH mI mW hH hI path` · `u XY sub m1 m2 m3 mW h1 h2 h3 path` · `? path` */
async function parseStatus(output: string): Promise<Change[]> {
  const changes: Change[] = [];
  for (const line of output.split("\0")) {
    if (changes.length % LINES_AT_ONCE === 0) await pause();
    const kind = line[0];
    if (kind === "?") changes.push({ path: line.slice(2), atHead: null, isGone: false, holdsOwnWork: false });
    if (kind !== "1" && kind !== "u") continue;
    const fields = line.split(" ");
    const width = kind === "1" ? 8 : 10;
    const path = fields.slice(width).join(" ");
    const [mode, object] = kind === "1" ? [fields[3], fields[6]] : [fields[4], fields[8]]; // unmerged: our side
    const holdsOwnWork = /^S.(M|.U)/.test(fields[2] ?? "");
    const isGone = kind === "1" && fields[1]?.[1] === "D";
    changes.push({ path, atHead: `${mode} ${object}`, isGone, holdsOwnWork });
  }
  return changes;
}

async function sortChanges(
  place: StagingPlace,
  changes: readonly Change[],
): Promise<{ taken: Change[]; leftOut: Change[] }> {
  const taken: Change[] = [];
  const leftOut: Change[] = [];
  const isRoot = process.getuid?.() === 0;
  for (let from = 0; from < changes.length; from += LOOKS_AT_ONCE) {
    const some = changes.slice(from, from + LOOKS_AT_ONCE);
    const verdicts = await Promise.all(some.map((change) => isTaken(place, change, isRoot)));
    for (const [index, change] of some.entries()) (verdicts[index] ? taken : leftOut).push(change);
  }
  return { taken, leftOut };
}

async function isTaken(place: StagingPlace, change: Change, isRoot: boolean): Promise<boolean> {
  if (change.path.endsWith("/")) return false; // a repository inside the worktree
  const full = Buffer.concat([Buffer.from(`${place.worktree}/`), Buffer.from(change.path, "latin1")]);
  if (!(await canBeCommitted(full, isRoot))) return false;
  return !looksLikeSecret(displayName(change.path)) || (await isGone(full));
}

async function isGone(path: Buffer): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}

/** Left-out files that the agent staged go back to what HEAD has of them. */
async function takeBack(
  place: StagingPlace,
  environment: Record<string, string>,
  changes: readonly Change[],
): Promise<void> {
  const lines = changes.filter((change) => change.atHead !== null).map((change) => `${change.atHead}\t${change.path}`);
  await writeLines(place, environment, lines);
}

/** Mode 0 takes a path out of the index. */
async function removeFrom(place: StagingPlace, environment: Record<string, string>, changes: readonly Change[]) {
  const gone = changes.filter((change) => change.isGone);
  const lines = gone.map((change) => `0 ${change.atHead?.split(" ")[1]}\t${change.path}`);
  await writeLines(place, environment, lines);
}

/** `mode object TAB path` */
async function writeLines(place: StagingPlace, environment: Record<string, string>, lines: readonly string[]) {
  if (lines.length === 0) return;
  const stdin = Buffer.from(`${lines.join("\0")}\0`, "latin1");
  const args = ["update-index", "-z", "--index-info"];
  await git({ at: place.worktree, args, environment, stdin, limitMs: TREE_LIMIT_MS });
}

async function add(
  place: StagingPlace,
  environment: Record<string, string>,
  options: readonly string[],
  changes: readonly Change[],
): Promise<void> {
  // By name: git does not look for a file behind a link.
  await removeFrom(place, environment, changes);
  const there = changes.filter((change) => !change.isGone);
  if (there.length === 0) return;
  const stdin = Buffer.from(`${there.map((change) => change.path).join("\0")}\0`, "latin1");
  const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  await git({ at: place.worktree, options, args, environment, stdin, limitMs: TREE_LIMIT_MS });
}
