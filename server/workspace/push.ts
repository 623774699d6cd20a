/**
 * Sends a branch to the remote (W4): the task's, or the base it was merged into. Never forced. A clone is pushed with its
 * own stored login and without hooks, which agents could have written; a person's own repository with that person's hooks,
 * as Git LFS needs them. Takes no turn on the git directory: the network may be slow, and only the remote changes.
 */
import type { Pushed, PushRequest, ReviewRefused } from "../ports/workspace";
import { ALLOWED_PROTOCOLS } from "./clone";
import type { WorkspaceContext } from "./context";
import { loginFor } from "./credentials";
import { type GitEnd, gitLine, READ_LIMIT_MS, tryGit, WITHOUT_HOOKS } from "./git";
import { GitProblem, lastWords, sentenceFor, WorkspaceProblem } from "./git-problem";
import { pushSentence } from "./push-answer";
import { commitOf, inspectRepository, type Repository, refusedBy } from "./repository";

/** A person waits for it. */
const PUSH_LIMIT_MS = 120_000;

export async function pushBranch(context: WorkspaceContext, request: PushRequest): Promise<Pushed | ReviewRefused> {
  const repository = await inspectRepository(context.places, request.repository);
  if (repository.kind === "refused")
    return { kind: "refused", code: "REPOSITORY_UNUSABLE", message: repository.message };
  try {
    const branch = request.what === "base" ? request.baseBranch : request.branch;
    return await context.turns.inProcess(`push:${repository.gitDirectory}`, () =>
      pushOnce(context, repository, request, branch),
    );
  } catch (error) {
    return pushRefused(error instanceof GitProblem ? sentenceFor(error) : refusedBy(error, repository.path).message);
  }
}

async function pushOnce(
  context: WorkspaceContext,
  repository: Repository,
  request: PushRequest,
  branch: string,
): Promise<Pushed | ReviewRefused> {
  const ref = `refs/heads/${branch}`;
  if ((await commitOf(repository.path, ref)) === null) {
    return pushRefused(`There is no branch “${branch}” in ${repository.path} to push.`);
  }
  const isClone = context.places.isClone(repository.path);
  const remote = isClone ? "origin" : await remoteOf(repository.path, request.baseBranch);
  const end = await push(context, repository.path, remote, ref, isClone);
  if (end.code === 0) return { kind: "pushed", remote };
  const sentence = pushSentence({ stdout: end.stdout.toString("utf8"), stderr: end.stderr, branch, remote });
  if (sentence !== null) return pushRefused(sentence);
  throw new GitProblem("failed", "push", end.code, end.stderr, `The push failed: ${lastWords(end.stderr)}`);
}

async function push(
  context: WorkspaceContext,
  path: string,
  remote: string,
  ref: string,
  isClone: boolean,
): Promise<GitEnd> {
  const login = isClone ? await loginFor(context, context.places.credentialsOf(path)) : null;
  const plain = ["--porcelain", "--no-follow-tags", "--no-signed", "--no-mirror"];
  return tryGit({
    at: path,
    options: isClone ? [...(login?.options ?? []), ...WITHOUT_HOOKS] : [],
    args: ["push", ...plain, "--", remote, `${ref}:${ref}`],
    environment: { ...login?.environment, ...(isClone ? { GIT_ALLOW_PROTOCOL: ALLOWED_PROTOCOLS } : {}) },
    ...(login?.handed === undefined ? {} : { handed: login.handed }),
    limitMs: PUSH_LIMIT_MS,
  });
}

/** The one the base follows; else the only one; else origin. */
async function remoteOf(path: string, baseBranch: string): Promise<string> {
  const list = await gitLine({ at: path, args: ["remote"], limitMs: READ_LIMIT_MS });
  const remotes = list.split("\n").filter(Boolean);
  const asked = ["config", "--get", `branch.${baseBranch}.remote`];
  const followed = await tryGit({ at: path, args: asked, limitMs: READ_LIMIT_MS });
  const upstream = followed.stdout.toString("utf8").trim();
  const [only, ...others] = remotes;
  if (only === undefined)
    throw new WorkspaceProblem(`${path} has no remote to push to. Add one with “git remote add”.`);
  if (remotes.includes(upstream)) return upstream;
  if (others.length === 0) return only;
  if (remotes.includes("origin")) return "origin";
  throw new WorkspaceProblem(
    `${path} has several remotes (${remotes.join(", ")}) and ${baseBranch} follows none of them: set its upstream, then push again.`,
  );
}

function pushRefused(message: string): ReviewRefused {
  return { kind: "refused", code: "PUSH_REFUSED", message };
}
