/**
 * Looks at a repository: is it one, may it be used, what is its default branch, where is its real git directory.
 * Local and read-only (≤ 200 ms, W1). Never fetches, never writes.
 */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { Refused, RepositoryFacts } from "../../ports/workspace";
import { git, gitLine, READ_LIMIT_MS, tryGit } from "../git/git";
import { GitProblem, sentenceFor, WorkspaceProblem } from "../git/git-problem";
import type { Places } from "../places";

/** A path on a dead network share does not hang a dispatch; a machine that is only busy answers before. */
const PATH_LIMIT_MS = 10_000;
const OLDEST_GIT = [2, 38] as const;

export interface Repository extends RepositoryFacts {
  /** The real git directory that all worktrees share: the key of turns (W1). */
  readonly gitDirectory: string;
}

export async function inspectRepository(places: Places, given: string): Promise<Repository | Refused> {
  try {
    const path = await places.find(given);
    const refusal = (await refuseByPath(path)) ?? (await refuseByVersion());
    return refusal ?? (await lookInside(path));
  } catch (error) {
    return refusedBy(error, given);
  }
}

/** Any failure as a refusal with its sentence. Bugs (errors that are not git's or the file system's) are thrown on. */
export function refusedBy(error: unknown, path: string): Refused {
  if (error instanceof GitProblem) {
    const code = error.kind === "missing" ? "GIT_MISSING" : "REPOSITORY_UNUSABLE";
    return { kind: "refused", code, message: sentenceFor(error) };
  }
  if (error instanceof WorkspaceProblem) return unusable(error.message);
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOSPC" || code === "EDQUOT") return unusable("The disk is full. Free some space, then try again.");
  if (code === "EACCES" || code === "EPERM") return unusable(`The user that runs Camelot may not enter ${path}.`);
  if (code === "EROFS" || code === "EIO" || code === "ENAMETOOLONG" || code === "ELOOP") {
    return unusable(`${path} cannot be used: ${code}.`);
  }
  throw error;
}

export function unusable(message: string): Refused {
  return { kind: "refused", code: "REPOSITORY_UNUSABLE", message };
}

/** A ref's commit, or null. `name` is a full ref or an object name. */
export async function commitOf(repository: string, name: string): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const end = await tryGit({ at: repository, args, limitMs: READ_LIMIT_MS });
  return end.code === 0 ? end.stdout.toString("utf8").trim() : null;
}

/** The commit a new branch starts from: the local branch, else the one on origin, else null. */
export async function baseCommitOf(repository: string, baseBranch: string): Promise<string | null> {
  if (baseBranch === "HEAD") return commitOf(repository, "HEAD");
  const local = await commitOf(repository, `refs/heads/${baseBranch}`);
  return local ?? (await commitOf(repository, `refs/remotes/origin/${baseBranch}`));
}

async function refuseByPath(path: string): Promise<Refused | null> {
  if (path.includes("\0") || !isAbsolute(path))
    return unusable("Give the full path of the repository, beginning with /.");
  const found = await Promise.race([stat(path).catch((error: NodeJS.ErrnoException) => error), slowPath()]);
  if (found === "slow") return unusable(`${path} does not answer. Is it on a network drive that is away?`);
  if (found instanceof Error) {
    if (found.code === "ENOENT" || found.code === "ENOTDIR") return unusable(`There is nothing at ${path}.`);
    return refusedBy(found, path);
  }
  if (!found.isDirectory()) return unusable(`${path} is a file, not a folder with a git repository.`);
  return null;
}

/** An answer that came while we were busy ourselves is heard first: it is read between one turn of the loop and the next. */
function slowPath(): Promise<"slow"> {
  return new Promise((resolve) => {
    setTimeout(() => setImmediate(() => setImmediate(() => resolve("slow"))), PATH_LIMIT_MS).unref();
  });
}

const LOCAL_REF = "refs/heads/";

let knownVersion: Promise<Refused | null> | null = null;

/** Asked once per process; a missing git is asked for again, so that installing it needs no restart. */
async function refuseByVersion(): Promise<Refused | null> {
  knownVersion ??= readVersion();
  const asked = knownVersion;
  const refusal = await asked.catch((error: unknown) => {
    knownVersion = null;
    throw error;
  });
  if (refusal) knownVersion = null;
  return refusal;
}

async function readVersion(): Promise<Refused | null> {
  const line = await gitLine({ at: null, args: ["version"], limitMs: READ_LIMIT_MS });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(line) ?? [];
  const isOldEnough =
    Number(major) > OLDEST_GIT[0] || (Number(major) === OLDEST_GIT[0] && Number(minor) >= OLDEST_GIT[1]);
  if (isOldEnough) return null;
  return { kind: "refused", code: "GIT_MISSING", message: `Camelot needs git 2.38 or newer; here is ${line}.` };
}

/** All in one question, because every dispatch waits for it (W1). Only an unborn HEAD fails after the rest is answered. */
const QUESTIONS = ["--is-bare-repository", "--is-inside-git-dir", "--git-common-dir", "--show-prefix"];
const HEAD_QUESTION = ["--symbolic-full-name", "HEAD"];

async function lookInside(path: string): Promise<Repository | Refused> {
  const args = ["rev-parse", "--path-format=absolute", ...QUESTIONS, ...HEAD_QUESTION];
  const end = await tryGit({ at: path, args, limitMs: READ_LIMIT_MS });
  const answers = end.stdout.toString("utf8").split("\n");
  if (end.code !== 0 && answers.length <= QUESTIONS.length) {
    if (/not a git repository/.test(end.stderr)) return unusable(`${path} is not a git repository.`);
    if (/cannot change to .*Permission denied/.test(end.stderr)) {
      return unusable(`The user that runs Camelot may not look into ${path}. Give it access, or another folder.`);
    }
    throw new GitProblem("failed", "rev-parse", end.code, end.stderr, `${path} cannot be read as a git repository.`);
  }
  const [isBare, isInsideGit, gitDirectory = "", prefix = "", head = ""] = answers;
  const real = await realpath(path);
  if (isBare === "true" ? real !== (await realpath(gitDirectory)) : isInsideGit === "true") {
    return unusable(`${path} is a folder of git's own. Give the path of the repository itself.`);
  }
  if (isBare !== "true" && prefix !== "") {
    const top = await gitLine({ at: path, args: ["rev-parse", "--show-toplevel"], limitMs: READ_LIMIT_MS });
    return unusable(`${path} is a folder inside the repository ${top}. Use ${top}.`);
  }
  const isOnBranch = end.code === 0 && head.startsWith(LOCAL_REF);
  const defaultBranch = isOnBranch ? head.slice(LOCAL_REF.length) : await findDefaultBranch(path);
  if (defaultBranch === null) return noCommit(path);
  return { kind: "ok", path, defaultBranch, gitDirectory: await realpath(gitDirectory) };
}

/** `place`: path or address, without a login. */
export function noCommit(place: string): Refused {
  const message = `${place} has no commit yet. Make a first commit, then try again.`;
  return { kind: "refused", code: "NO_COMMIT", message };
}

/**
 * The branch that is checked out if it has a commit; with a detached HEAD (or one that names an empty branch) main,
 * master or the branch used last; "HEAD" when there are commits but no branch at all; null when there is no commit.
 */
async function findDefaultBranch(path: string): Promise<string | null> {
  const head = await tryGit({ at: path, args: ["symbolic-ref", "--quiet", "HEAD"], limitMs: READ_LIMIT_MS });
  const name = head.stdout
    .toString("utf8")
    .trim()
    .replace(/^refs\/heads\//, "");
  const hasCommit = (await commitOf(path, "HEAD")) !== null;
  if (hasCommit && head.code === 0) return name;
  const args = ["for-each-ref", "--count=50", "--sort=-committerdate", "--format=%(refname)", "refs/heads"];
  const end = await git({ at: path, args, limitMs: READ_LIMIT_MS });
  const branches = end.stdout
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((ref) => ref.slice("refs/heads/".length));
  const others = branches.filter((branch) => !/^camelot(-\w+)?\//.test(branch));
  const named = ["main", "master"].find((usual) => branches.includes(usual));
  return named ?? others[0] ?? (hasCommit ? "HEAD" : null);
}
