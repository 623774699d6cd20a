/** From what a person gave (a path, an address, or "sample") to a repository that can be worked in (W1). */
import { kindOf } from "../../core/text/repository-kind";
import type { ProjectId } from "../../core/words";
import type { Refused, RepositoryFacts, Workspace } from "../../ports/workspace";
import { type Refusal, refuse } from "./refusal";

export interface NewRepository {
  readonly repository: string;
  readonly baseBranch?: string | undefined;
}

export interface FoundRepository {
  readonly kind: "found";
  /** As it is shown: without credentials. */
  readonly repository: string;
  readonly path: string;
  readonly baseBranch: string;
}

type Repositories = Pick<Workspace, "inspect" | "refuseBase" | "makeSample" | "clone" | "discard">;

export async function findRepository(
  workspace: Repositories,
  projectId: ProjectId,
  wish: NewRepository,
  givenUp?: AbortSignal,
): Promise<FoundRepository | Refusal> {
  const chosen = await lookAt(workspace, projectId, wish, givenUp);
  if (chosen.kind === "refused" || wish.baseBranch === undefined) return chosen;
  let isUsable = false;
  try {
    const wrongBase = await workspace.refuseBase(chosen.path, wish.baseBranch);
    isUsable = wrongBase === null;
    return wrongBase === null ? chosen : unusable(wrongBase, "baseBranch");
  } finally {
    if (!isUsable) await workspace.discard(projectId);
  }
}

async function lookAt(
  workspace: Repositories,
  projectId: ProjectId,
  wish: NewRepository,
  givenUp: AbortSignal | undefined,
): Promise<FoundRepository | Refusal> {
  const { repository } = wish;
  const kind = kindOf(repository);
  if (kind === "sample") {
    const path = await workspace.makeSample(projectId);
    return found(wish, repository, await workspace.inspect(path));
  }
  if (kind === "folder") return found(wish, repository, await workspace.inspect(repository));
  if (kind === null) {
    const sentence = "Give an absolute path (beginning with /), a clone URL, or “sample”.";
    return refuse("BAD_REQUEST", sentence, { field: "repository" });
  }
  const cloned = await workspace.clone(projectId, repository, { signal: givenUp });
  return found(wish, withoutLogin(repository), cloned);
}

/** One without a first commit is refused as well: nothing could be dispatched in it, and it has no base branch (GIT-1). */
function found(wish: NewRepository, repository: string, facts: RepositoryFacts | Refused): FoundRepository | Refusal {
  if (facts.kind === "refused") return unusable(facts);
  return { kind: "found", repository, path: facts.path, baseBranch: wish.baseBranch ?? facts.defaultBranch };
}

export function cutOffIn(facts: RepositoryFacts | Refused): string | null {
  return facts.kind === "ok" ? (facts.cutOff ?? null) : null;
}

/** Of a repository that a project has already: whatever would refuse a dispatch, or makes its base an old one; null: nothing. */
export function obstacleIn(facts: RepositoryFacts | Refused): string | null {
  return facts.kind === "ok" ? (facts.trouble?.message ?? null) : facts.message;
}

/** `field`: what the person gave that it is about. */
export function unusable(refused: Refused, field: "repository" | "baseBranch" = "repository"): Refusal {
  return refuse("REPOSITORY_UNUSABLE", refused.message, { field });
}

/** A name before the host stays for ssh, where it is no secret. */
export function withoutLogin(repository: string): string {
  const isUrl = URL.canParse(repository);
  if (!isUrl) return repository;
  const url = new URL(repository);
  url.password = "";
  if (url.protocol !== "ssh:") url.username = "";
  return url.href;
}
