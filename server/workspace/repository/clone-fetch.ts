/**
 * Keeps clones fresh at each start of a session, and lets them follow another address (W1). A fetch that the other end
 * refuses stops the start; a network that is away does not, but what starts says from when its base is.
 */

import type { ProjectId } from "../../core/words";
import type { FetchTrouble, Refused, RepositoryFacts } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { git, gitLine, READ_LIMIT_MS, tryGit, WRITE_LIMIT_MS } from "../git/git";
import { isLasting, sentenceFor, WorkspaceProblem } from "../git/git-problem";
import { exists } from "../places";
import { type Asking, cloneRepository, fetchBranches, setUrl } from "./clone";
import { followRemote } from "./clone-base";
import { readCloneUrl } from "./clone-url";
import { keepCredentials, loginFor, loginWith, lostLogin } from "./credentials";
import { fetchTrouble, noteFetch } from "./fetch-record";
import { remoteCall } from "./remote-call";
import { inspectRepository, type Repository, refusedBy, unusable } from "./repository";

/** A refresh is worth a short wait only: the base we have may do (and the turn is held meanwhile). */
const FETCH_LIMIT_MS = 30_000;
/** Sessions that start together share one refresh. */
const FRESH_ENOUGH_MS = 20_000;
/** A person waits for it, and others for their turn. */
const MOVE_LIMIT_MS = 120_000;
/** Where the base of an address that is being checked lies for a moment. */
const MOVED_REF = "refs/camelot/moved";

/** By git directory, ms since 1970. */
const lastFetches = new Map<string, number>();

/**
 * Brings the remote's branches up to date; null: they are. Throws a sentence for people when the failure will not go by
 * itself; any other is answered, and work goes on from what is here.
 */
export async function fetchClone(
  context: WorkspaceContext,
  repository: Repository,
  baseBranch: string,
  signal?: AbortSignal,
): Promise<FetchTrouble | null> {
  const { path, gitDirectory } = repository;
  const fetchOnce = async () => {
    if (Date.now() - (lastFetches.get(gitDirectory) ?? 0) < FRESH_ENOUGH_MS) return;
    lastFetches.set(gitDirectory, Date.now());
    try {
      const login = await loginFor(context, context.places.credentialsOf(path));
      await fetchBranches(path, "origin", { login, silenceLimitMs: context.silenceLimitMs, signal }, FETCH_LIMIT_MS);
      await followRemote(path, baseBranch);
      await noteFetch(path, null);
    } catch (error) {
      if (signal?.aborted || isLasting(error)) lastFetches.delete(gitDirectory); // the next one tries for itself
      signal?.throwIfAborted();
      const failure = { sentence: sentenceFor(error), isLasting: isLasting(error) };
      context.log(`${path} could not be fetched: ${failure.sentence}`);
      await noteFetch(path, failure);
    }
  };
  await context.turns.onGitDirectory(gitDirectory, fetchOnce, signal);
  const trouble = await fetchTrouble(path);
  if (trouble?.isLasting) throw new WorkspaceProblem(trouble.message);
  return trouble;
}

/** As `fetchClone`, however short ago the last one was. */
export async function fetchCloneAgain(
  context: WorkspaceContext,
  repository: Repository,
  baseBranch: string,
  signal?: AbortSignal,
): Promise<FetchTrouble | null> {
  lastFetches.delete(repository.gitDirectory);
  return fetchClone(context, repository, baseBranch, signal);
}

/** What people have to be told of a clone before they dispatch; null: nothing. */
export async function cloneTrouble(context: WorkspaceContext, path: string): Promise<FetchTrouble | null> {
  const lost = await lostLogin(context, context.places.credentialsOf(path));
  return lost === null ? fetchTrouble(path) : { message: lost, isLasting: true };
}

/** The same clone follows another address or login from now on. What cannot be used is refused and changes nothing. */
export async function moveClone(
  context: WorkspaceContext,
  project: ProjectId,
  given: string,
  baseBranch: string,
  signal: AbortSignal,
): Promise<RepositoryFacts | Refused> {
  const read = readCloneUrl(given);
  if (read.kind === "refused") return unusable(read.message);
  const path = context.places.clone(project);
  if (!(await exists(path))) return cloneRepository(context, project, given, { signal });
  const repository = await inspectRepository(context.places, path);
  if (repository.kind === "refused") return repository;
  const file = context.places.credentialsOf(path);
  const move = async () => {
    const login = await loginWith(file, read.credentials);
    const asking = { login, silenceLimitMs: context.silenceLimitMs, signal };
    await refuseOtherHistory(path, read.url, asking, baseBranch);
    await fetchBranches(path, read.url, asking, MOVE_LIMIT_MS);
    await setUrl(path, read.url);
    await keepCredentials(context, file, read.credentials);
    await followRemote(path, baseBranch);
    await noteFetch(path, null);
  };
  try {
    await context.turns.onGitDirectory(repository.gitDirectory, move, signal);
    return repository;
  } catch (error) {
    return refusedBy(error, path);
  }
}

/** Tasks would start from, and be compared with, what has nothing to do with them. */
async function refuseOtherHistory(path: string, url: string, asking: Asking, baseBranch: string): Promise<void> {
  const base = baseBranch === "" || baseBranch === "HEAD" ? "HEAD" : `refs/heads/${baseBranch}`;
  try {
    const args = ["fetch", "--progress", "--no-tags", "--no-recurse-submodules", "--", url, `+${base}:${MOVED_REF}`];
    await git(remoteCall({ ...asking, at: path, args, limitMs: MOVE_LIMIT_MS }));
    const common = await tryGit({ at: path, args: ["merge-base", "HEAD", MOVED_REF], limitMs: READ_LIMIT_MS });
    if (common.code === 0) return;
    throw new WorkspaceProblem(
      "The repository at this address has another history than this project's. Make a new project for it.",
    );
  } finally {
    await gitLine({ at: path, args: ["update-ref", "-d", MOVED_REF], limitMs: WRITE_LIMIT_MS });
  }
}
