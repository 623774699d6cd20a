/** Which remote a repository's branches are pushed to, told without asking it. */
import type { RemotePlace } from "../../ports/remotes";
import type { WorkspaceContext } from "../context";
import { gitLine, READ_LIMIT_MS } from "../git/git";
import { WorkspaceProblem } from "../git/git-problem";
import { inspectRepository } from "../repository/repository";
import { placeOfBase } from "./push";

export async function remoteOf(
  { places }: WorkspaceContext,
  path: string,
  baseBranch: string,
): Promise<RemotePlace | null> {
  const repository = await inspectRepository(places, path);
  if (repository.kind === "refused") return null;
  const at = repository.path;
  const to = places.isClone(at)
    ? { remote: "origin", ref: `refs/heads/${baseBranch}` }
    : await placeOfBase(at, baseBranch).catch(nullUnlessProblem);
  if (to === null) return null;
  const args = ["remote", "get-url", "--push", "--", to.remote];
  const address = await gitLine({ at, args, limitMs: READ_LIMIT_MS });
  return { kind: "remote", address: withoutLogin(address), base: to.ref.replace("refs/heads/", "") };
}

/** No remote, or several: that is no place. */
function nullUnlessProblem(error: unknown): null {
  if (error instanceof WorkspaceProblem) return null;
  throw error;
}

function withoutLogin(address: string): string {
  return address.replace(/^(https?:\/\/)[^/@]*@/, "$1");
}
