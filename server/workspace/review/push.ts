/**
 * Sends a branch to the remote (W4): the task's, or the base it was merged into. Never forced. A clone is pushed with its
 * own stored login and without hooks, which agents could have written; a person's own repository with that person's hooks,
 * as Git LFS needs them. Takes no turn on the git directory: the network may be slow, and only the remote changes.
 */
import { maskText } from "../../core/text/masking";
import type { Pushed, PushRequest, ReviewRefused } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { gitLine, READ_LIMIT_MS, tryGit, WITHOUT_HOOKS } from "../git/git";
import { GitProblem, lastWords, sentenceFor, WorkspaceProblem } from "../git/git-problem";
import { fetchCloneAgain } from "../repository/clone-fetch";
import { loginFor, secretsOfLogin } from "../repository/credentials";
import { ALLOWED_PROTOCOLS } from "../repository/remote-call";
import { commitOf, inspectRepository, type Repository, refusedBy } from "../repository/repository";
import { joinRemote } from "./clone-join";
import { mendMove } from "./move-mend";
import { type PushAnswer, pushAnswer } from "./push-answer";

/** A person waits for it. */
const PUSH_LIMIT_MS = 120_000;

export async function pushBranch(
  context: WorkspaceContext,
  request: PushRequest,
  signal: AbortSignal,
): Promise<Pushed | ReviewRefused> {
  const repository = await inspectRepository(context.places, request.repository);
  if (repository.kind === "refused")
    return { kind: "refused", code: "REPOSITORY_UNUSABLE", message: repository.message };
  const branch = request.what === "base" ? request.baseBranch : request.branch;
  const pushing = () => pushOnce(context, repository, request, branch, signal);
  const answer = await context.turns.inProcess(`push:${repository.gitDirectory}`, pushing).catch((error: unknown) => {
    return pushRefused(error instanceof GitProblem ? sentenceFor(error) : refusedBy(error, repository.path).message);
  });
  if (answer.kind === "pushed" || !context.places.isClone(repository.path)) return answer;
  // The other end may repeat what it was shown.
  const secrets = await secretsOfLogin(context, context.places.credentialsOf(repository.path));
  return { ...answer, message: maskText(answer.message, secrets) };
}

async function pushOnce(
  context: WorkspaceContext,
  repository: Repository,
  request: PushRequest,
  branch: string,
  signal: AbortSignal,
): Promise<Pushed | ReviewRefused> {
  const { path } = repository;
  if ((await commitOf(path, `refs/heads/${branch}`)) === null) {
    return pushRefused(`There is no branch “${branch}” in the project’s repository to push.`);
  }
  const isClone = context.places.isClone(path);
  const to = isClone ? { remote: "origin", ref: `refs/heads/${branch}` } : await placeOf(path, request, branch);
  const pushing = () => push(context, path, branch, to, signal);
  let answer = await pushing();
  // The other one may be ours, cut off from whoever pressed by the end of a server.
  if (answer?.isRaced) answer = await pushing();
  if (answer?.isBehind && isClone && request.what === "base") {
    const refusal = await catchUp(context, repository, branch, signal);
    if (refusal !== null) return refusal;
    answer = await pushing();
  }
  return answer === null ? { kind: "pushed", remote: to.remote } : pushRefused(answer.sentence);
}

/** Nobody but us can bring the remote's commits into a clone. */
async function catchUp(context: WorkspaceContext, repository: Repository, branch: string, signal: AbortSignal) {
  await fetchCloneAgain(context, repository, branch, signal);
  return context.turns.onGitDirectory(repository.gitDirectory, async () => {
    await mendMove(context, repository);
    return joinRemote(context, repository, branch);
  });
}

/** Null: it is there. */
async function push(
  context: WorkspaceContext,
  path: string,
  branch: string,
  { remote, ref }: PushPlace,
  signal: AbortSignal,
): Promise<PushAnswer | null> {
  const isClone = context.places.isClone(path);
  const login = isClone ? await loginFor(context, context.places.credentialsOf(path)) : null;
  const plain = ["--porcelain", "--no-follow-tags", "--no-signed", "--no-mirror"];
  const end = await tryGit({
    at: path,
    options: isClone ? [...(login?.options ?? []), ...WITHOUT_HOOKS] : [],
    args: ["push", ...plain, "--", remote, `refs/heads/${branch}:${ref}`],
    environment: { ...login?.environment, ...(isClone ? { GIT_ALLOW_PROTOCOL: ALLOWED_PROTOCOLS } : {}) },
    ...(login?.handed === undefined ? {} : { handed: login.handed }),
    limitMs: PUSH_LIMIT_MS,
    signal,
  });
  if (end.code === 0) return null;
  const answer = pushAnswer({ stdout: end.stdout.toString("utf8"), stderr: end.stderr, branch, remote });
  if (answer !== null) return answer;
  throw new GitProblem(
    "failed",
    "push",
    end.code,
    end.stderr,
    `The push failed: ${lastWords(end.stderr) || "git was ended in the middle."}`,
  );
}

interface PushPlace {
  readonly remote: string;
  readonly ref: string;
}

/** Where the base is on the remote that branches are pushed to. Throws a problem for people when no remote can be told. */
export function placeOfBase(path: string, baseBranch: string): Promise<PushPlace> {
  return placeOf(path, { baseBranch, what: "base" }, baseBranch);
}

/** The base goes where it comes from, whatever it is called there. */
async function placeOf(
  path: string,
  { baseBranch, what }: Pick<PushRequest, "baseBranch" | "what">,
  branch: string,
): Promise<PushPlace> {
  const remote = await remoteOf(path, baseBranch);
  const own = `refs/heads/${branch}`;
  if (what !== "base" || (await configOf(path, `branch.${baseBranch}.remote`)) !== remote) return { remote, ref: own };
  const followed = await configOf(path, `branch.${baseBranch}.merge`);
  return { remote, ref: /^refs\/heads\/[^:\s]+$/.test(followed) ? followed : own };
}

async function configOf(path: string, key: string): Promise<string> {
  const end = await tryGit({ at: path, args: ["config", "--get", key], limitMs: READ_LIMIT_MS });
  return end.stdout.toString("utf8").trim();
}

/** The one the base follows; else the only one; else origin. */
async function remoteOf(path: string, baseBranch: string): Promise<string> {
  const list = await gitLine({ at: path, args: ["remote"], limitMs: READ_LIMIT_MS });
  const remotes = list.split("\n").filter(Boolean);
  const upstream = await configOf(path, `branch.${baseBranch}.remote`);
  const [only, ...others] = remotes;
  if (only === undefined)
    throw new WorkspaceProblem("The project’s repository has no remote to push to. Add one with “git remote add”.");
  if (remotes.includes(upstream)) return upstream;
  if (others.length === 0) return only;
  if (remotes.includes("origin")) return "origin";
  throw new WorkspaceProblem(
    `The project’s repository has several remotes (${remotes.join(", ")}) and ${baseBranch} follows none of them: set its upstream, then push again.`,
  );
}

function pushRefused(message: string): ReviewRefused {
  return { kind: "refused", code: "PUSH_REFUSED", message };
}
