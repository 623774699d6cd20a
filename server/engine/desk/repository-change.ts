/**
 * A project's repository is given anew (W1): a clone follows another address or login, a folder has moved. What kind of
 * repository it is stays, because branches and worktrees lie in it.
 */
import type { StoredProject } from "../../ports/project-store";
import type { SessionStore } from "../../ports/session-store";
import type { Workspace } from "../../ports/workspace";
import { type Refusal, refuse } from "./refusal";
import { kindOf, unusable, withoutLogin } from "./repository-choice";

export interface RepositoryChangeParts {
  readonly workspace: Pick<Workspace, "inspect" | "refuseBase" | "moveClone">;
  readonly sessions: Pick<SessionStore, "live">;
}

interface Moved {
  readonly kind: "moved";
  readonly repository: string;
  readonly path: string;
}

/** Null: it is the one the project has. `baseBranch`: the one the project will have. */
export async function moveRepository(
  { workspace, sessions }: RepositoryChangeParts,
  project: StoredProject,
  repository: string,
  baseBranch: string,
): Promise<Moved | Refusal | null> {
  // What a form sends back as it was is no new choice.
  if (repository === project.repository) return null;
  const kind = kindOf(repository);
  if (kind === null) return refuse("BAD_REQUEST", "Give an absolute path (beginning with /) or a clone URL.");
  if (kind !== kindOf(project.repository) || kind === "sample") {
    const sentence = "The kind of repository (sample, folder, clone URL) stays. Make a new project for another one.";
    return refuse("CONFLICT", sentence);
  }
  if (kind === "address") {
    const moved = await workspace.moveClone(project.id, repository, baseBranch);
    if (moved.kind === "refused") return unusable(moved);
    return { kind: "moved", repository: withoutLogin(repository), path: moved.path };
  }
  const live = await sessions.live({ projectId: project.id });
  if (live.some(({ status }) => status === "running")) {
    return refuse("CONFLICT", "Agents run in this folder now. Wait for their end or stop them, then change it.");
  }
  const found = await workspace.inspect(repository);
  if (found.kind === "refused") return unusable(found);
  const wrongBase = baseBranch === "" ? null : await workspace.refuseBase(found.path, baseBranch);
  return wrongBase === null ? { kind: "moved", repository, path: found.path } : unusable(wrongBase);
}
