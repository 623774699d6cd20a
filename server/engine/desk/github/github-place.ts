/** Where a project is on GitHub, and as whom it is spoken with; or what stands in the way, as GitHub's own refusals say it. */
import { iso } from "../../../contract/common";
import type { RefusalCode } from "../../../contract/refusals";
import { GITHUB_API, repositoryOn } from "../../../core/text/github-address";
import type { GitHubPlace, GitHubRefused } from "../../../ports/github";
import type { StoredProject } from "../../../ports/project-store";
import type { ProjectGitHubStore } from "../../../ports/pull-request-store";
import type { Remotes } from "../../../ports/remotes";
import { type Refusal, refuse } from "../refusal";

export interface Place {
  readonly kind: "place";
  readonly place: GitHubPlace;
  /** What the base is called there. */
  readonly base: string;
}

/** GitHub's no, or one that it needs not be asked for. */
export interface OutOfReach extends Omit<GitHubRefused, "reason"> {
  readonly reason: GitHubRefused["reason"] | "no-token" | "no-label";
}

export interface PlaceParts {
  readonly gitHub: Pick<ProjectGitHubStore, "read">;
  readonly workspace: Remotes;
}

export async function placeFor(parts: PlaceParts, project: StoredProject): Promise<Place | OutOfReach> {
  const token = await tokenOf(parts, project);
  if (typeof token !== "string") return token;
  const apiUrl = (await parts.gitHub.read(project.id))?.apiUrl ?? GITHUB_API;
  const remote = await parts.workspace.remote(project.path, project.baseBranch);
  const repository = remote && repositoryOn(remote.address, apiUrl);
  if (remote === null || repository === null) {
    const where = remote === null ? "has no remote" : `is pushed to ${remote.address}`;
    return no("not-found", `The project's repository ${where}, which is not on the GitHub behind ${apiUrl}.`);
  }
  return { kind: "place", place: { apiUrl, repository, token }, base: remote.base };
}

export async function tokenOf(
  { gitHub }: Pick<PlaceParts, "gitHub">,
  { id }: StoredProject,
): Promise<string | OutOfReach> {
  const set = await gitHub.read(id);
  if (set === null) return no("no-token", "The project has no token for GitHub: an owner sets one in its settings.");
  const lost = "The project's token for GitHub cannot be read any more: an owner enters it again in its settings.";
  return set.token ?? no("no-token", lost);
}

/** As an answer to a person. */
export function refusedAs(code: RefusalCode, { reason, message, until }: OutOfReach): Refusal {
  return refuse(code, message, { reason, ...(until === undefined ? {} : { until: iso(until) }) });
}

function no(reason: OutOfReach["reason"], message: string): OutOfReach {
  return { kind: "refused", reason, message };
}
