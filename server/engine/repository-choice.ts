/** From what a person gave (a path, an address, or "sample") to a repository that can be worked in (W1). */
import type { ProjectId } from "../core/words";
import type { Refused, RepositoryFacts, Workspace } from "../ports/workspace";
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
  /** Empty: there is no commit yet; the first dispatch finds the base (GIT-1). */
  readonly baseBranch: string;
}

const SAMPLE = "sample";
const URL_WITH_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** user@host:path, as git and ssh write it. */
const HOST_AND_PATH = /^[^\s/@]+@[^\s/:]+:/;

export async function findRepository(
  workspace: Pick<Workspace, "inspect" | "makeSample" | "clone">,
  projectId: ProjectId,
  wish: NewRepository,
): Promise<FoundRepository | Refusal> {
  const { repository } = wish;
  if (repository === SAMPLE) {
    const path = await workspace.makeSample(projectId);
    return found(wish, SAMPLE, path, await workspace.inspect(path));
  }
  if (repository.startsWith("/")) return found(wish, repository, repository, await workspace.inspect(repository));
  if (!URL_WITH_SCHEME.test(repository) && !HOST_AND_PATH.test(repository)) {
    return refuse("BAD_REQUEST", "Give an absolute path (beginning with /), a clone URL, or “sample”.");
  }
  const cloned = await workspace.clone(projectId, repository);
  return cloned.kind === "refused" ? unusable(cloned) : found(wish, withoutLogin(repository), cloned.path, cloned);
}

function found(
  wish: NewRepository,
  repository: string,
  givenPath: string,
  facts: RepositoryFacts | Refused,
): FoundRepository | Refusal {
  if (facts.kind === "ok") {
    return { kind: "found", repository, path: facts.path, baseBranch: wish.baseBranch ?? facts.defaultBranch };
  }
  // A repository before its first commit is one already: dispatching says what is missing until it is there (GIT-1).
  if (facts.code !== "NO_COMMIT") return unusable(facts);
  return { kind: "found", repository, path: givenPath, baseBranch: wish.baseBranch ?? "" };
}

function unusable(refused: Refused): Refusal {
  return refuse("REPOSITORY_UNUSABLE", refused.message);
}

/** A name before the host stays for ssh, where it is no secret. */
function withoutLogin(repository: string): string {
  const isUrl = URL.canParse(repository);
  if (!isUrl) return repository;
  const url = new URL(repository);
  url.password = "";
  if (url.protocol !== "ssh:") url.username = "";
  return url.href;
}
