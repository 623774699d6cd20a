/**
 * Repositories given by address: cloned once under the data directory (W1). How they are kept fresh: clone-fetch.ts.
 * A clone is bare: its branches are ours, the remote's stand under `refs/remotes/origin`. Nobody works in it but worktrees.
 * Order not to break: everything is made beside its place and renamed in last, so a clone that is there is whole.
 */
import { rename } from "node:fs/promises";
import type { ProjectId } from "../../core/words";
import type { Refused, RepositoryFacts } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { git, READ_LIMIT_MS, tryGit, WRITE_LIMIT_MS } from "../git/git";
import { exists } from "../places";
import { followRemote } from "./clone-base";
import { inPart } from "./clone-part";
import { type CloneUrl, readCloneUrl } from "./clone-url";
import { keepCredentials, loginFor } from "./credentials";
import { noteFetch } from "./fetch-record";
import { type RemoteQuestion, remoteCall } from "./remote-call";
import { commitOf, inspectRepository, noCommit, refusedBy, unusable } from "./repository";

/** One that gets on may take so long. */
const CLONE_LIMIT_MS = 30 * 60_000;

const REFSPEC = "+refs/heads/*:refs/remotes/origin/*";

type ReadUrl = Extract<CloneUrl, { kind: "ok" }>;

export interface CloneOptions {
  readonly onProgress?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
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
      options.signal?.throwIfAborted();
      const login = context.places.credentialsOf(path);
      await keepCredentials(context, login, read.credentials);
      if (await exists(path)) await setUrl(path, read.url);
      const asking = { login: await loginFor(context, login), silenceLimitMs: context.silenceLimitMs, ...options };
      const refusal = (await exists(path)) ? null : await makeClone(path, read, asking);
      return refusal ?? (await inspectRepository(context.places, path));
    });
  } catch (error) {
    if (!(await exists(path))) await keepCredentials(context, context.places.credentialsOf(path), null);
    return refusedBy(error, path);
  }
}

/** How the other end is asked. */
export type Asking = Omit<RemoteQuestion, "at" | "args" | "limitMs">;

function makeClone(path: string, read: ReadUrl, asked: Asking): Promise<Refused | null> {
  return inPart(path, async (part) => {
    const asking = { ...asked, environment: part.environment };
    await git({ at: null, args: ["init", "--quiet", "--bare", "--", part.path], limitMs: WRITE_LIMIT_MS });
    await git({ at: part.path, args: ["remote", "add", "--", "origin", read.url], limitMs: WRITE_LIMIT_MS });
    await fetchBranches(part.path, "origin", asking, CLONE_LIMIT_MS);
    await adoptDefaultBranch(part.path, asking);
    await noteFetch(part.path, null);
    if ((await commitOf(part.path, "HEAD")) === null) return noCommit(read.url);
    asking.signal?.throwIfAborted();
    await rename(part.path, path);
    return null;
  });
}

/** `from`: "origin", or the address it may have from now on. */
export async function fetchBranches(path: string, from: string, asking: Asking, limitMs: number): Promise<void> {
  const args = ["fetch", "--progress", "--prune", "--no-recurse-submodules", "--", from, REFSPEC];
  await git(remoteCall({ ...asking, at: path, args, limitMs }));
}

/** HEAD becomes the remote's default branch; main, master or any other where the remote does not tell. */
async function adoptDefaultBranch(path: string, asking: Asking): Promise<void> {
  const ask = ["ls-remote", "--symref", "origin", "HEAD"];
  const end = await tryGit(remoteCall({ ...asking, at: path, args: ask, limitMs: WRITE_LIMIT_MS }));
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
