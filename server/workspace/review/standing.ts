/** Which merges the remote does not have yet, and what it has that the base lacks: told without asking it. */
import type { BaseStanding } from "../../ports/remotes";
import type { WorkspaceContext } from "../context";
import { gitLine, READ_LIMIT_MS } from "../git/git";
import { WorkspaceProblem } from "../git/git-problem";
import { apartSentence } from "../repository/clone-base";
import { commitOf, inspectRepository } from "../repository/repository";
import { placeOfBase } from "./push";

/** Merges that wait for one push. */
const UNPUSHED_MAX = 500;

export async function standingOf(
  { places }: WorkspaceContext,
  repository: string,
  baseBranch: string,
): Promise<BaseStanding | null> {
  const found = await inspectRepository(places, repository);
  if (found.kind === "refused") return null;
  const { path } = found;
  const isClone = places.isClone(path);
  try {
    const { remote, ref } = isClone
      ? { remote: "origin", ref: `refs/heads/${baseBranch}` }
      : await placeOfBase(path, baseBranch);
    const base = ref.replace("refs/heads/", "");
    const unpushed = await unpushedOf(path, baseBranch, `refs/remotes/${remote}/${base}`);
    const apart = isClone ? await apartSentence(path, baseBranch) : null;
    return { kind: "remote", name: remote, base, unpushed, apart };
  } catch (error) {
    if (error instanceof WorkspaceProblem) return { kind: "nowhere", why: error.message };
    throw error;
  }
}

async function unpushedOf(path: string, baseBranch: string, followed: string): Promise<string[] | null> {
  const [ours, theirs] = [await commitOf(path, `refs/heads/${baseBranch}`), await commitOf(path, followed)];
  if (ours === null || theirs === null) return null;
  const args = ["rev-list", "--first-parent", `--max-count=${UNPUSHED_MAX}`, `${theirs}..${ours}`, "--"];
  return (await gitLine({ at: path, args, limitMs: READ_LIMIT_MS })).split("\n").filter(Boolean);
}
