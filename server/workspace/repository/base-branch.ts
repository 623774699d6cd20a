/**
 * May new work start from this branch? Asked when a project gets its base branch, not at every dispatch. Reads only, but for
 * the refresh of a clone of ours that may not know the branch yet.
 */
import type { Refused } from "../../ports/workspace";
import type { WorkspaceContext } from "../context";
import { git, READ_LIMIT_MS, tryGit } from "../git/git";
import { BRANCH_PREFIXES } from "./branch-name";
import { fetchClone } from "./clone-fetch";
import { inspectRepository, refusedBy, unusable } from "./repository";

/** Branches named in the refusal: those with the newest commits. */
const NAMED_BRANCHES = 8;
/** Refs looked at for them: tasks' own branches are left out. */
const REFS_READ = 500;

const LOCAL = "refs/heads/";
const REMOTE = "refs/remotes/origin/";

/** Null: work can start there, or there is no commit yet and so no branch to be wrong about (GIT-1). */
export async function refuseBase(
  context: WorkspaceContext,
  given: string,
  baseBranch: string,
): Promise<Refused | null> {
  const repository = await inspectRepository(context.places, given);
  if (repository.kind === "refused") return repository.code === "NO_COMMIT" ? null : repository;
  try {
    const { path } = repository;
    if (baseBranch === repository.defaultBranch || (await hasBranch(path, baseBranch))) return null;
    if (context.places.isClone(path)) {
      await fetchClone(context, repository, baseBranch);
      if (await hasBranch(path, baseBranch)) return null;
    }
    return unusable(`There is no branch “${baseBranch}” in this repository. ${offer(await newestBranches(path))}`);
  } catch (error) {
    return refusedBy(error, repository.path);
  }
}

/** By its whole name: `main~1` is a commit, and no branch. */
async function hasBranch(path: string, branch: string): Promise<boolean> {
  for (const folder of [LOCAL, REMOTE]) {
    const args = ["show-ref", "--verify", "--quiet", "--", `${folder}${branch}`];
    if ((await tryGit({ at: path, args, limitMs: READ_LIMIT_MS })).code === 0) return true;
  }
  return false;
}

async function newestBranches(path: string): Promise<string[]> {
  const order = [`--count=${REFS_READ}`, "--sort=-committerdate", "--format=%(refname)"];
  const end = await git({ at: path, args: ["for-each-ref", ...order, LOCAL, REMOTE], limitMs: READ_LIMIT_MS });
  const refs = end.stdout.toString("utf8").split("\n").filter(Boolean);
  const names = refs.map((ref) => ref.slice((ref.startsWith(LOCAL) ? LOCAL : REMOTE).length));
  const isOfTask = (name: string) => BRANCH_PREFIXES.some((prefix) => name.startsWith(`${prefix}/`));
  return [...new Set(names)].filter((name) => name !== "HEAD" && !isOfTask(name));
}

function offer(branches: readonly string[]): string {
  if (branches.length === 0) return "It has no branch at all: leave the base branch out.";
  const [first, ...others] = branches.slice(0, NAMED_BRANCHES);
  if (others.length === 0) return `It has only “${first}”.`;
  const rest = branches.length > NAMED_BRANCHES ? ` and ${branches.length - NAMED_BRANCHES} more` : "";
  return `It has: ${[first, ...others].join(", ")}${rest}.`;
}
