/**
 * A bare repository is what other people push to: where its owner wrote hooks that decide about a push, or act on one, a merge
 * asks them like anybody's push. git's own rule that nothing is overwritten holds as well.
 */
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import type { ReviewRefused } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { gitLine, READ_LIMIT_MS, tryGit } from "../git/git";
import { GitProblem, lastWords } from "../git/git-problem";
import type { Repository } from "../repository/repository";
import type { BaseMove } from "./base-trees";
import { pushAnswer } from "./push-answer";

const HOOKS = ["pre-receive", "update", "post-receive", "post-update"];
/** A hook may deploy. */
const HOOKS_LIMIT_MS = 120_000;

/** False for our own clones: agents could have written their hooks. */
export async function hasPushHooks(context: WorkspaceContext, { path, gitDirectory }: Repository): Promise<boolean> {
  if (context.places.isClone(path)) return false;
  const { isBare, folder } = await hooksOf(gitDirectory);
  if (!isBare) return false;
  const found = await Promise.all(HOOKS.map((name) => isProgram(join(folder, name))));
  return found.includes(true);
}

/** Null: it moved. */
export async function moveByPush({ gitDirectory, path }: Repository, move: BaseMove): Promise<ReviewRefused | null> {
  const refspec = `${move.to}:refs/heads/${move.branch}`;
  const args = ["push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", "--", gitDirectory, refspec];
  const end = await tryGit({ at: gitDirectory, args, limitMs: HOOKS_LIMIT_MS });
  if (end.code === 0) return null;
  const words = { stdout: end.stdout.toString("utf8"), stderr: end.stderr, branch: move.branch, remote: path };
  const answer = pushAnswer(words);
  if (answer !== null) return { kind: "refused", code: "CONFLICT", message: answer.sentence };
  throw new GitProblem("failed", "push", end.code, end.stderr, `The merge failed: ${lastWords(end.stderr)}`);
}

/** Where git looks for hooks, as seen from the folder `at`: a path of its own may be a relative one. */
export async function hooksOf(at: string): Promise<{ readonly isBare: boolean; readonly folder: string }> {
  const asked = ["rev-parse", "--is-bare-repository", "--path-format=absolute", "--git-path", "hooks"];
  const [isBare, folder = ""] = (await gitLine({ at, args: asked, limitMs: READ_LIMIT_MS })).split("\n");
  return { isBare: isBare === "true", folder };
}

/** It is there and may be run. */
export async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
