/**
 * A project's repository is given anew (W1): a clone follows another address or login, a folder has moved. What kind of
 * repository it is stays, because branches and worktrees lie in it.
 */
import { kindOf, WHAT_FITS } from "../../core/text/repository-kind";
import type { ProjectStore, StoredProject } from "../../ports/project-store";
import type { SessionStore } from "../../ports/session-store";
import type { Workspace } from "../../ports/workspace";
import { type Refusal, refuse } from "./refusal";
import { unusable, withoutLogin } from "./repository-choice";

export interface RepositoryChangeParts {
  readonly workspace: Pick<Workspace, "inspect" | "refuseBase" | "refuseOtherFolder" | "moveClone">;
  readonly projects: Pick<ProjectStore, "baseCommits">;
  readonly sessions: Pick<SessionStore, "live">;
}

interface Moved {
  readonly kind: "moved";
  readonly repository: string;
  readonly path: string;
}

interface RepositoryWish {
  readonly repository: string;
  /** The one the project will have. */
  readonly baseBranch: string;
  readonly givenUp: AbortSignal | undefined;
}

/** Null: it is the one the project has. */
export async function moveRepository(
  { workspace, sessions, projects }: RepositoryChangeParts,
  project: StoredProject,
  { repository, baseBranch, givenUp }: RepositoryWish,
): Promise<Moved | Refusal | null> {
  // What a form sends back as it was is no new choice.
  if (repository === project.repository) return null;
  const kind = kindOf(repository);
  const former = kindOf(project.repository);
  if (kind === null && former !== null && former !== "sample")
    return refuse("BAD_REQUEST", WHAT_FITS[former], { field: "repository" });
  if (kind !== former || kind === "sample") {
    const sentence = "The kind of repository (sample, folder, clone URL) stays. Make a new project for another one.";
    return refuse("CONFLICT", sentence, { field: "repository" });
  }
  if (kind === "address") {
    const moved = await workspace.moveClone(project.id, repository, baseBranch, givenUp);
    if (moved.kind === "refused") return unusable(moved);
    return { kind: "moved", repository: withoutLogin(repository), path: moved.path };
  }
  const live = await sessions.live({ projectId: project.id });
  if (live.some(({ status }) => status === "running")) {
    return refuse("CONFLICT", "Agents run in this folder now. Wait for their end or stop them, then change it.");
  }
  const found = await workspace.inspect(repository);
  if (found.kind === "refused") return unusable(found);
  const begun = await projects.baseCommits(project.id);
  const otherFolder = await workspace.refuseOtherFolder(found.path, project.path, begun);
  if (otherFolder !== null) return unusable(otherFolder);
  const wrongBase = baseBranch === "" ? null : await workspace.refuseBase(found.path, baseBranch);
  return wrongBase === null ? { kind: "moved", repository, path: found.path } : unusable(wrongBase, "baseBranch");
}
