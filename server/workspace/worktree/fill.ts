/**
 * Gives a just registered worktree its files: checkout, the repository's own post-checkout hook, submodules; the same steps
 * in the same order as git's own `worktree add`, but outside the turn, because each may take minutes.
 * Every process of a step carries MAKING_MARK, so that a later life of the server can end what we left behind.
 */
import { join } from "node:path";
import type { WorkspaceContext } from "../context";
import { type GitCall, git, READ_LIMIT_MS, tryGit, WITHOUT_HOOKS, WRITE_LIMIT_MS } from "../git/git";
import { GitProblem, sentenceFor, WorkspaceProblem } from "../git/git-problem";
import { exists } from "../places";
import type { Repository } from "../repository/repository";
import type { TaskRecord } from "./task-record";

const CHECKOUT_LIMIT_MS = 10 * 60_000;
const HOOK_LIMIT_MS = 10 * 60_000;
const SUBMODULES_LIMIT_MS = 10 * 60_000;

/** Local paths only join when the list of submodules is the base's own, not one an agent wrote. */
const REMOTE_PROTOCOLS = "https:http:ssh:git";

/** In the environment of git and its hooks while they make the worktree at this path. */
export const MAKING_MARK = "CAMELOT_MAKING_WORKTREE";

export interface Filling {
  readonly repository: Repository;
  readonly path: string;
  readonly record: TaskRecord;
  readonly signal: AbortSignal | undefined;
}

export async function fillWorktree(context: WorkspaceContext, filling: Filling): Promise<void> {
  const { path } = filling;
  const checkout = ["reset", "--hard", "--quiet", "--no-recurse-submodules"];
  await step(filling, { at: path, options: WITHOUT_HOOKS, args: checkout, limitMs: CHECKOUT_LIMIT_MS });
  await runPostCheckoutHook(context, filling);
  if (await exists(join(path, ".gitmodules"))) await fetchSubmodules(context, filling);
}

/** As in git, the hook's exit code does not undo the worktree; one that never ends does. */
async function runPostCheckoutHook(context: WorkspaceContext, filling: Filling): Promise<void> {
  const head = await git({ at: filling.path, args: ["rev-parse", "HEAD"], limitMs: READ_LIMIT_MS });
  const commit = head.stdout.toString("utf8").trim();
  const args = ["hook", "run", "--ignore-missing", "post-checkout", "--", "0".repeat(commit.length), commit, "1"];
  const onStderrLine = (line: string) => context.log(`post-checkout: ${line}`);
  try {
    await step(filling, { at: filling.path, args, limitMs: HOOK_LIMIT_MS, onStderrLine });
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    if (error.kind === "failed") return context.log(`The post-checkout hook ended with code ${error.code}.`);
    throw new WorkspaceProblem(
      `The repository's post-checkout hook did not end within ${HOOK_LIMIT_MS / 60_000} min and was stopped.`,
    );
  }
}

async function fetchSubmodules(context: WorkspaceContext, filling: Filling): Promise<void> {
  const { repository, path, record, signal } = filling;
  const compare = ["diff", "--quiet", record.baseCommit, "HEAD", "--", ".gitmodules"];
  const isUntouched = (await tryGit({ at: path, args: compare, limitMs: READ_LIMIT_MS })).code === 0;
  const environment = { GIT_ALLOW_PROTOCOL: isUntouched ? `${REMOTE_PROTOCOLS}:file` : REMOTE_PROTOCOLS };
  try {
    // `init` writes the repository's shared config: in turn. `update` writes only what is this worktree's own.
    const init: GitCall = { at: path, args: ["submodule", "--quiet", "init"], environment, limitMs: WRITE_LIMIT_MS };
    await context.turns.onGitDirectory(repository.gitDirectory, () => git(init), signal);
    const args = ["submodule", "--quiet", "update", "--init", "--recursive"];
    await step(filling, { at: path, args, environment, limitMs: SUBMODULES_LIMIT_MS });
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    throw new WorkspaceProblem(`The submodules of ${repository.path} cannot be fetched. ${sentenceFor(error)}`);
  }
}

async function step(filling: Filling, call: GitCall): Promise<void> {
  const environment = { ...call.environment, [MAKING_MARK]: filling.path };
  const { signal } = filling;
  await git({ ...call, environment, ...(signal ? { signal } : {}) });
}
