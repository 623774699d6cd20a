/**
 * How a project is tied to GitHub: its token, which repository its remote is there, and the label by which issues come in.
 * Who may write is the gate's (owners). The token is told to nobody: not to people, not to agents, not to the log.
 */
import { iso } from "../../../contract/common";
import type { ProjectGitHubView } from "../../../contract/pull-requests";
import { GITHUB_API, readApiUrl, repositoryOn } from "../../../core/text/github-address";
import type { ProjectId, UserId } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { ProjectStore, StoredProject } from "../../../ports/project-store";
import type { ProjectGitHubStore } from "../../../ports/pull-request-store";
import type { Remotes } from "../../../ports/remotes";
import { NOT_THERE, type Refusal, refuse } from "../refusal";

export interface GitHubDeskParts {
  readonly gitHub: ProjectGitHubStore;
  readonly projects: Pick<ProjectStore, "project">;
  readonly workspace: Remotes;
  readonly clock: Clock;
}

export type GitHubDesk = ReturnType<typeof createGitHubDesk>;

export interface GitHubWish {
  readonly token?: string | undefined;
  readonly apiUrl?: string | null | undefined;
  /** Empty or null: none come in. */
  readonly issueLabel?: string | null | undefined;
}

export function createGitHubDesk({ gitHub, projects, workspace, clock }: GitHubDeskParts) {
  async function viewOf(project: StoredProject): Promise<ProjectGitHubView> {
    const set = await gitHub.read(project.id);
    const apiUrl = set?.apiUrl ?? null;
    const remote = await workspace.remote(project.path, project.baseBranch).catch(() => null);
    return {
      isSet: set !== null,
      isLost: set !== null && set.token === null,
      apiUrl,
      repository: remote && repositoryOn(remote.address, apiUrl ?? GITHUB_API),
      changedAt: set && iso(set.changedAt),
      issueLabel: set?.label?.name ?? null,
      issuesReadAt: set?.issues.at == null ? null : iso(set.issues.at),
      issuesProblem: set?.issues.problem ?? null,
    };
  }

  return {
    async view(id: ProjectId): Promise<ProjectGitHubView | Refusal> {
      const project = await projects.project(id);
      return project === null ? NOT_THERE : viewOf(project);
    },
    async set(userId: UserId, id: ProjectId, wish: GitHubWish): Promise<ProjectGitHubView | Refusal> {
      const project = await projects.project(id);
      if (project === null) return NOT_THERE;
      const before = await gitHub.read(id);
      const read = wish.apiUrl ? readApiUrl(wish.apiUrl) : { url: GITHUB_API };
      if ("mistake" in read) return refuse("BAD_REQUEST", read.mistake, { field: "apiUrl" });
      const apiUrl = wish.apiUrl === undefined ? (before?.apiUrl ?? null) : read.url === GITHUB_API ? null : read.url;
      // A token goes only where it was meant to go.
      const kept = before?.apiUrl === apiUrl ? before.token : null;
      const token = wish.token ?? kept;
      if (token == null) return refuse("BAD_REQUEST", "Enter the token for this address.", { field: "token" });
      const named = wish.issueLabel === undefined ? before?.label?.name : wish.issueLabel;
      const isSame = named === before?.label?.name;
      const label = named ? { name: named, by: isSame ? (before?.label?.by ?? userId) : userId } : null;
      await gitHub.set(id, { token, apiUrl, label }, clock.now());
      return viewOf(project);
    },
    remove: (id: ProjectId) => gitHub.remove(id),
  };
}
