/**
 * What a merge by hand would do in a repository and ours does not (W4): the owner's hooks, which we run for nobody but where a
 * bare repository decides about a push, and the owner's signature, whose key is not ours.
 */
import { join } from "node:path";
import type { WorkspaceContext } from "../context";
import { gitLine, READ_LIMIT_MS, tryGit } from "../git/git";
import { inspectRepository } from "../repository/repository";
import { hasPushHooks, isProgram } from "./bare-move";

/** Runs with whatever moves a branch. */
const MOVING = "reference-transaction";
/** Those that `git merge` runs, in their order. */
const HOOKS = ["pre-merge-commit", "prepare-commit-msg", "commit-msg", MOVING, "post-merge"];
const SIGNING = "commit.gpgSign";

/** Names of hooks, then of the setting; empty: a merge by hand does the same, or there is no repository. */
export async function passedOver(context: WorkspaceContext, repository: string): Promise<readonly string[]> {
  const found = await inspectRepository(context.places, repository);
  if (found.kind === "refused") return [];
  const { gitDirectory, path } = found;
  const asked = ["rev-parse", "--is-bare-repository", "--path-format=absolute", "--git-path", "hooks"];
  const [isBare, folder = ""] = (await gitLine({ at: path, args: asked, limitMs: READ_LIMIT_MS })).split("\n");
  const asPushed = isBare === "true" && (await hasPushHooks(context, found));
  // In our own clones nobody wrote hooks, unless an agent did.
  const hooks = asPushed || context.places.isClone(path) ? [] : isBare === "true" ? [MOVING] : HOOKS;
  const isThere = await Promise.all(hooks.map((name) => isProgram(join(folder, name))));
  const signs = ["config", "--type=bool", "--get", SIGNING];
  const { stdout } = await tryGit({ at: gitDirectory, args: signs, limitMs: READ_LIMIT_MS });
  const isSigned = stdout.toString("utf8").trim() === "true";
  return [...hooks.filter((_, place) => isThere[place]), ...(isSigned ? [SIGNING] : [])];
}
