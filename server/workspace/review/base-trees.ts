/**
 * Where a base branch is checked out, and whether that tree may move with it (W4): it is there, nothing in it differs from
 * its commit, no operation is under way, and no file of somebody's would be overwritten. Looks only: index and files stay
 * as they are, byte for byte.
 */
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReviewRefused } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { git, READ_LIMIT_MS, TREE_LIMIT_MS, tryGit } from "../git/git";
import { lastWords } from "../git/git-problem";
import { listWorktrees } from "../git/worktree-list";
import { exists, realpathOrNull } from "../places";
import { OPERATION_MARKS } from "../repository/head";
import type { Repository } from "../repository/repository";
import { filesInTheWay } from "./in-the-way";

/** Files named in a refusal. */
export const NAMED_FILES = 100;
/** Of one name in a sentence. */
const SHOWN_CHARS = 200;

/** A tree on the base that may move. */
export interface BaseTree {
  readonly kind: "tree";
  readonly path: string;
  /** Its private git directory. */
  readonly own: string;
}

export interface BaseMove {
  readonly branch: string;
  /** Null: the branch is not here yet. */
  readonly from: string | null;
  readonly to: string;
}

/** Null: nobody has the branch checked out, so only the branch itself moves. */
export async function treeOfBase(
  context: WorkspaceContext,
  repository: Repository,
  move: BaseMove,
): Promise<BaseTree | ReviewRefused | null> {
  const { branch } = move;
  const rebasing = await rebasingTree(repository, branch);
  if (rebasing !== null) {
    return notClean(rebasing, [], `${branch} is being rebased in ${rebasing}. Finish that first, then merge again.`);
  }
  const paths = await pathsOn(repository, branch);
  const [path, other] = paths;
  if (path === undefined) return null;
  if (other !== undefined) {
    return notClean(path, [], `${branch} is checked out in ${path} and in ${other}: only one of them could follow.`);
  }
  const own = await ownDirectory(repository, path);
  if (own === null) {
    return notClean(
      path,
      [],
      `${branch} is checked out in ${path}, which is not there. Bring it back, or run “git worktree prune”, then merge again.`,
    );
  }
  const tree: BaseTree = { kind: "tree", path, own };
  return (await refuseUnclean(tree, branch)) ?? (await refuseOverwriting(context, tree, move)) ?? tree;
}

export function notClean(path: string, files: readonly string[], message: string): ReviewRefused {
  return { kind: "refused", code: "BASE_NOT_CLEAN", message, path, files: files.slice(0, NAMED_FILES) };
}

/** “a.txt”, “a.txt and 3 more” */
export function nameFiles(files: readonly string[]): string {
  const [first = "", ...more] = files;
  const shown = first.replace(/\p{Cc}/gu, "?");
  const name = shown.length <= SHOWN_CHARS ? shown : `${shown.slice(0, SHOWN_CHARS)}…`;
  return more.length === 0 ? `“${name}”` : `“${name}” and ${more.length} more`;
}

async function pathsOn(repository: Repository, branch: string): Promise<string[]> {
  const entries = await listWorktrees(repository.path);
  const [main] = entries;
  return Promise.all(
    entries
      .filter((entry) => entry.branch === branch)
      .map((entry) => (entry === main ? mainPath(repository, entry.path) : entry.path)),
  );
}

/** git's list is wrong about the main tree where its git directory lies elsewhere (submodules, `--separate-git-dir`). */
async function mainPath(repository: Repository, listed: string): Promise<string> {
  const isMain = (await ownDirectory(repository, repository.path)) === repository.gitDirectory;
  return isMain ? repository.path : listed;
}

/** Null: it is not there, or no tree of this repository (any more). */
async function ownDirectory({ gitDirectory }: Repository, path: string): Promise<string | null> {
  if (!(await exists(path))) return null;
  const asked = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir", "--is-inside-work-tree"];
  const end = await tryGit({ at: path, args: asked, limitMs: READ_LIMIT_MS });
  if (end.code !== 0) return null;
  const [common = "", own = "", isTree] = end.stdout.toString("utf8").split("\n");
  if (isTree !== "true" || (await realpathOrNull(common)) !== gitDirectory) return null;
  return realpathOrNull(own);
}

/** A rebase takes its branch off HEAD and puts it back, somewhere else, when it ends. */
async function rebasingTree(repository: Repository, branch: string): Promise<string | null> {
  for (const { path } of await listWorktrees(repository.path)) {
    const own = await ownDirectory(repository, path);
    if (own === null) continue;
    for (const folder of ["rebase-merge", "rebase-apply"]) {
      const name = await readFile(join(own, folder, "head-name"), "utf8").catch(() => "");
      if (name.trim() === `refs/heads/${branch}`) return path;
    }
  }
  return null;
}

async function refuseUnclean({ path, own }: BaseTree, branch: string): Promise<ReviewRefused | null> {
  for (const mark of OPERATION_MARKS) {
    if (!(await exists(join(own, mark)))) continue;
    return notClean(path, [], `In ${path}, where ${branch} is checked out, ${mark} says that something is under way.`);
  }
  const files = await changedFiles(path);
  if (files.length === 0) return null;
  const what = files.length === 1 ? "is not committed" : "are not committed";
  return notClean(
    path,
    files,
    `${branch} is checked out in ${path}, where ${nameFiles(files)} ${what}. Commit or stash there, then merge again.`,
  );
}

/** Tracked files that differ from HEAD, in the index or on disk. */
export async function changedFiles(path: string): Promise<string[]> {
  const options = ["--porcelain", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=untracked"];
  const end = await git({ at: path, args: ["status", ...options], limitMs: TREE_LIMIT_MS });
  const lines = end.stdout.toString("utf8").split("\0").filter(Boolean);
  return lines.map((line) => line.slice(3));
}

/** What is only somebody's, and git's own rehearsal on a copy of the index. */
async function refuseOverwriting(
  context: WorkspaceContext,
  { path, own }: BaseTree,
  { branch, from, to }: BaseMove,
): Promise<ReviewRefused | null> {
  if (from === null) return notClean(path, [], `${branch} is checked out in ${path} and has no commit there yet.`);
  const files = await filesInTheWay(path, from, to);
  if (files.length > 0) {
    const sentence = `The merge would overwrite ${nameFiles(files)} in ${path}, where ${branch} is checked out. Move that away, then merge again.`;
    return notClean(path, files, sentence);
  }
  return context.places.withScratch(async (scratch) => {
    const copy = join(scratch, "index");
    await copyFile(join(own, "index"), copy);
    const environment = { GIT_INDEX_FILE: copy };
    await tryGit({ at: path, args: ["update-index", "-q", "--refresh"], environment, limitMs: TREE_LIMIT_MS });
    const args = ["read-tree", "-m", "-u", "--dry-run", from, to];
    const end = await tryGit({ at: path, args, environment, limitMs: TREE_LIMIT_MS });
    if (end.code === 0) return null;
    const hidden = [...end.stderr.matchAll(NOT_AS_COMMITTED)].map(([, name = ""]) => name);
    const sentence =
      hidden.length === 0
        ? `${path}, where ${branch} is checked out, cannot follow: ${lastWords(end.stderr)}`
        : `${branch} is checked out in ${path}, where ${nameFiles(hidden)} differs from its commit and git was told not to look: ${LOOK_AGAIN}`;
    return notClean(path, hidden, sentence);
  });
}

/** Of a file that `git status` does not show as changed. */
const NOT_AS_COMMITTED = /Entry '(.*)' not uptodate/g;
const LOOK_AGAIN =
  "run “git update-index --no-skip-worktree --no-assume-unchanged” on it, commit or stash it, then merge again.";
