/**
 * Repositories given by address: cloned once under the data directory (W1). How they are kept fresh: clone-fetch.ts.
 * A clone is bare: its branches are ours, the remote's stand under `refs/remotes/origin`. Nobody works in it but worktrees.
 * Order not to break: everything is made beside its place and renamed in last, so a clone that is there is whole.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ProjectId } from "../../core/words";
import type { Refused, RepositoryFacts } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { git, READ_LIMIT_MS, tryGit, WRITE_LIMIT_MS } from "../git/git";
import { exists } from "../places";
import { followRemote } from "./clone-base";
import { type CloneUrl, readCloneUrl } from "./clone-url";
import { type GitLogin, keepCredentials, loginFor } from "./credentials";
import { noteFetch } from "./fetch-record";
import { commitOf, inspectRepository, noCommit, refusedBy, unusable } from "./repository";

const CLONE_LIMIT_MS = 30 * 60_000;

/** Of addresses to clone: what git may speak. */
export const ALLOWED_PROTOCOLS = "https:http:ssh:file";
const REFSPEC = "+refs/heads/*:refs/remotes/origin/*";

type ReadUrl = Extract<CloneUrl, { kind: "ok" }>;

export interface CloneOptions {
  readonly onProgress?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export async function cloneRepository(
  context: WorkspaceContext,
  project: ProjectId,
  given: string,
  options: CloneOptions,
): Promise<RepositoryFacts | Refused> {
  const read = readCloneUrl(given);
  if (read.kind === "refused") return unusable(read.message);
  const path = context.places.clone(project);
  try {
    return await context.turns.inProcess(`clone:${path}`, async () => {
      const login = context.places.credentialsOf(path);
      await keepCredentials(context, login, read.credentials);
      if (await exists(path)) await setUrl(path, read.url);
      const refusal = (await exists(path))
        ? null
        : await makeClone(path, read, await loginFor(context, login), options);
      return refusal ?? (await inspectRepository(context.places, path));
    });
  } catch (error) {
    if (!(await exists(path))) await keepCredentials(context, context.places.credentialsOf(path), null);
    if (options.signal?.aborted) throw error;
    return refusedBy(error, path);
  }
}

async function makeClone(path: string, read: ReadUrl, login: GitLogin, options: CloneOptions): Promise<Refused | null> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  const isLeftover = (name: string) => name.startsWith(`${basename(path)}.part-`);
  for (const name of (await readdir(parent)).filter(isLeftover))
    await rm(join(parent, name), { recursive: true, force: true });
  const part = `${path}.part-${randomUUID()}`;
  try {
    await git({ at: null, args: ["init", "--quiet", "--bare", "--", part], limitMs: WRITE_LIMIT_MS });
    await git({ at: part, args: ["remote", "add", "--", "origin", read.url], limitMs: WRITE_LIMIT_MS });
    await fetchBranches(part, login, CLONE_LIMIT_MS, options);
    await adoptDefaultBranch(part, login);
    await noteFetch(part, null);
    if ((await commitOf(part, "HEAD")) === null) return noCommit(read.url);
    await rename(part, path);
    return null;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

export async function fetchBranches(
  path: string,
  login: GitLogin,
  limitMs: number,
  options: CloneOptions,
): Promise<void> {
  await git({
    at: path,
    options: login.options,
    args: ["fetch", "--progress", "--prune", "--no-recurse-submodules", "origin", REFSPEC],
    environment: { ...login.environment, GIT_ALLOW_PROTOCOL: ALLOWED_PROTOCOLS },
    ...(login.handed === undefined ? {} : { handed: login.handed }),
    limitMs,
    ...(options.onProgress ? { onStderrLine: options.onProgress } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

/** HEAD becomes the remote's default branch; main, master or any other where the remote does not tell. */
async function adoptDefaultBranch(path: string, login: GitLogin): Promise<void> {
  const environment = { ...login.environment, GIT_ALLOW_PROTOCOL: ALLOWED_PROTOCOLS };
  const ask = ["ls-remote", "--symref", "origin", "HEAD"];
  const handed = login.handed === undefined ? {} : { handed: login.handed };
  const asking = { at: path, options: login.options, args: ask, environment, ...handed, limitMs: WRITE_LIMIT_MS };
  const end = await tryGit(asking);
  const told = /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(end.stdout.toString("utf8"))?.[1];
  const list = [
    "for-each-ref",
    "--count=1",
    "--sort=-committerdate",
    "--format=%(refname:lstrip=3)",
    "refs/remotes/origin",
  ];
  const newest = (await git({ at: path, args: list, limitMs: READ_LIMIT_MS })).stdout.toString("utf8").trim();
  for (const branch of [told, "main", "master", newest]) {
    if (!branch || (await commitOf(path, `refs/remotes/origin/${branch}`)) === null) continue;
    await git({ at: path, args: ["symbolic-ref", "HEAD", `refs/heads/${branch}`], limitMs: WRITE_LIMIT_MS });
    return followRemote(path, branch);
  }
}

export async function setUrl(path: string, url: string): Promise<void> {
  await git({ at: path, args: ["remote", "set-url", "--", "origin", url], limitMs: WRITE_LIMIT_MS });
}
