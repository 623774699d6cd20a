/**
 * What a merge by hand would do in a repository and ours does not (W4): the owner's hooks, which we run for nobody but where a
 * bare repository decides about a push, and the owner's signature, whose key is not ours.
 */
import { join } from "node:path";
import type { WorkspaceContext } from "../context";
import { READ_LIMIT_MS, tryGit } from "../git/git";
import type { Repository } from "../repository/repository";
import { hasPushHooks, hooksOf, isProgram } from "./bare-move";

/** Runs with whatever moves a branch. */
const MOVING = "reference-transaction";
/** Those that `git merge` runs, in their order. */
const HOOKS = ["pre-merge-commit", "prepare-commit-msg", "commit-msg", MOVING, "post-merge"];
const SIGNING = "commit.gpgSign";

/** Names of hooks, then of the setting; empty: a merge by hand does the same. */
export async function passedOver(context: WorkspaceContext, repository: Repository): Promise<readonly string[]> {
  const { gitDirectory, path } = repository;
  const { isBare, folder } = await hooksOf(path);
  const asPushed = isBare && (await hasPushHooks(context, repository));
  // In our own clones nobody wrote hooks, unless an agent did.
  const hooks = asPushed || context.places.isClone(path) ? [] : isBare ? [MOVING] : HOOKS;
  const isThere = await Promise.all(hooks.map((name) => isProgram(join(folder, name))));
  const signs = ["config", "--type=bool", "--get", SIGNING];
  const { stdout } = await tryGit({ at: gitDirectory, args: signs, limitMs: READ_LIMIT_MS });
  const isSigned = stdout.toString("utf8").trim() === "true";
  return [...hooks.filter((_, place) => isThere[place]), ...(isSigned ? [SIGNING] : [])];
}
