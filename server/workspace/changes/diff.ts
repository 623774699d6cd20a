/**
 * What a task's branch changes against its base commit, uncommitted work included. A look: the worktree's index, its files and
 * the repository's objects stay as they are. Files that are left out of saving (left-out.ts) are not shown either.
 */
import type { DiffFile } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { git, TREE_LIMIT_MS } from "../git/git";
import { sentenceFor, WorkspaceProblem } from "../git/git-problem";
import { gitDirectoryOfWorktree } from "../git/worktree-list";
import { exists } from "../places";
import { readHead } from "../repository/head";
import { commitOf, inspectRepository, type Repository } from "../repository/repository";
import { changesFrom } from "./changes-from";
import { type ChangedFile, parseChanges } from "./diff-list";
import { type PatchLimits, type PatchOf, PatchReader } from "./diff-patches";
import { displayName, stageWorktree } from "./staging";

/** More renamed files than this are shown as deleted and added. */
const RENAME_LIMIT_FILES = 1_000;
/** The patch of one file that is asked for by itself: 5 MB (10⁶). */
const ONE_FILE: PatchLimits = { file: 5_000_000, all: 5_000_000 };
/** An agent at work changes files under our eyes: look again that often. */
const LOOKS_LIMIT = 3;

export interface DiffRequest {
  readonly repository: string;
  readonly worktree: string | null;
  readonly branch: string;
  readonly baseCommit: string;
  readonly baseBranch?: string;
  /** Only this file, with a longer patch than among all of them; nothing when it is not changed. */
  readonly file?: string;
}

/** What is compared with the base: a tree, and the environment in which git finds it. */
interface Side {
  readonly tree: string;
  readonly environment: Readonly<Record<string, string>>;
}

export async function diffTask(context: WorkspaceContext, request: DiffRequest): Promise<DiffFile[]> {
  const repository = await inspectRepository(context.places, request.repository);
  if (repository.kind === "refused") throw new WorkspaceProblem(repository.message);
  const worktree = request.worktree === null ? null : await context.places.find(request.worktree);
  const own = worktree === null ? null : await livingWorktree(repository, worktree);
  for (let look = 1; ; look++) {
    try {
      if (worktree === null || own === null) return await diffBranch(repository, request);
      return await diffWorktree(context, repository, worktree, own, request);
    } catch (error) {
      if (look < LOOKS_LIMIT && own !== null) continue;
      throw new WorkspaceProblem(`The changes of ${request.branch} cannot be shown. ${sentenceFor(error)}`, {
        cause: error,
      });
    }
  }
}

/** Counts for the card: files and lines between two commits. */
export async function countChanges(
  repository: string,
  baseCommit: string,
  tip: string,
): Promise<{ files: number; additions: number; deletions: number }> {
  const changes = await listChanges(repository, baseCommit, { tree: tip, environment: {} });
  return {
    files: changes.length,
    additions: changes.reduce((sum, change) => sum + change.additions, 0),
    deletions: changes.reduce((sum, change) => sum + change.deletions, 0),
  };
}

async function livingWorktree(repository: Repository, worktree: string): Promise<string | null> {
  if (!(await exists(worktree))) return null;
  return gitDirectoryOfWorktree(repository.gitDirectory, worktree);
}

async function diffBranch(repository: Repository, request: DiffRequest): Promise<DiffFile[]> {
  const tip = await commitOf(repository.path, `refs/heads/${request.branch}`);
  if (tip === null) throw new WorkspaceProblem(`The branch ${request.branch} is not in ${repository.path} any more.`);
  return diffTrees(repository.path, request, { tree: tip, environment: {} }, tip);
}

async function diffWorktree(
  context: WorkspaceContext,
  repository: Repository,
  worktree: string,
  own: string,
  request: DiffRequest,
): Promise<DiffFile[]> {
  return context.places.withScratch(async (scratch) => {
    const staged = await stageWorktree({ worktree, own, shared: repository.gitDirectory, scratch }, "scratch");
    const head = await readHead(own, repository.path, request.branch);
    // HEAD elsewhere and nothing uncommitted: the branch is what counts.
    if (!head.isOnBranch && staged.tree === head.tree) return diffBranch(repository, request);
    const { GIT_OBJECT_DIRECTORY = "", GIT_ALTERNATE_OBJECT_DIRECTORIES = "" } = staged.environment;
    const environment = { GIT_OBJECT_DIRECTORY, GIT_ALTERNATE_OBJECT_DIRECTORIES };
    return diffTrees(repository.path, request, { tree: staged.tree, environment }, head.tip);
  });
}

/** `tip`: of the branch; null: it has none. */
async function diffTrees(
  repository: string,
  request: DiffRequest,
  side: Side,
  tip: string | null,
): Promise<DiffFile[]> {
  const { file } = request;
  const baseCommit = await changesFrom(repository, request, tip);
  const changes = await listChanges(repository, baseCommit, side);
  if (file === undefined) return withPatches(repository, baseCommit, side, changes);
  const change = changes.find((one) => one.path === file);
  if (change === undefined) return [];
  const names = change.rawNames.map(displayName);
  // A name that is no UTF-8 cannot be handed to git: then the file is read out of all patches.
  const isNameable = change.rawNames.every((raw, place) => Buffer.from(names[place] ?? "").toString("latin1") === raw);
  const among = isNameable ? await listChanges(repository, baseCommit, side, names) : changes;
  const files = await withPatches(repository, baseCommit, side, among, isNameable ? names : [], ONE_FILE);
  return files.filter((one) => one.path === file);
}

/** `paths`: only these are read, and `changes` are those among them; empty: all. */
async function withPatches(
  repository: string,
  baseCommit: string,
  side: Side,
  changes: readonly ChangedFile[],
  paths: readonly string[] = [],
  limits?: PatchLimits,
): Promise<DiffFile[]> {
  const reader = new PatchReader(changes, limits);
  const format = ["--patch", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"];
  const args = [...diffArgs(format, baseCommit, side), ...paths];
  const onStdout = (chunk: Buffer) => reader.take(chunk);
  await git({ at: repository, args, environment: environmentOf(side), onStdout, limitMs: TREE_LIMIT_MS });
  const patches = reader.end();
  return changes.map((change, index) => toDiffFile(change, patches[index]));
}

async function listChanges(
  repository: string,
  baseCommit: string,
  side: Side,
  paths: readonly string[] = [],
): Promise<ChangedFile[]> {
  const args = [...diffArgs(["--raw", "--numstat", "-z", "--no-abbrev"], baseCommit, side), ...paths];
  const end = await git({ at: repository, args, environment: environmentOf(side), limitMs: TREE_LIMIT_MS });
  return parseChanges(end.stdout.toString("latin1"));
}

/** Names are names and not patterns. */
function environmentOf(side: Side): Readonly<Record<string, string>> {
  return { ...side.environment, GIT_LITERAL_PATHSPECS: "1" };
}

/** Plumbing, so that nobody's diff settings change what is read here. */
function diffArgs(format: readonly string[], baseCommit: string, side: Side): string[] {
  const renames = ["--find-renames", `-l${RENAME_LIMIT_FILES}`];
  const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
  return [
    "diff-tree",
    "-r",
    "--no-commit-id",
    ...format,
    ...renames,
    ...prefixes,
    "--end-of-options",
    baseCommit,
    side.tree,
    "--",
  ];
}

function toDiffFile(change: ChangedFile, patch: PatchOf | undefined): DiffFile {
  const { path, oldPath, status, isBinary, additions, deletions } = change;
  const hasPatch = patch?.kind === "whole" && !isBinary;
  return {
    path,
    oldPath,
    status,
    isBinary,
    additions,
    deletions,
    patch: hasPatch ? patch.text : null,
    isCut: patch?.kind === "cut" && !isBinary,
  };
}
