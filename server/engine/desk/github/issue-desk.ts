/**
 * Open issues with a project's label come in as tasks (W4), each once for good: task and issue are one commit, and what came
 * in before is known by rows. Nothing is dispatched: what somebody wrote there is text that a person reads first.
 */
import { issueAddress } from "../../../core/text/github-address";
import type { ProjectId, TaskId, UserId } from "../../../core/words";
import type { AgentStore } from "../../../ports/agent-store";
import type { Clock } from "../../../ports/clock";
import type { Feed } from "../../../ports/feed";
import { type GitHub, type GitHubPlace, ISSUES_READ_MAX, type Issues } from "../../../ports/github";
import type { IssueStore } from "../../../ports/issue-store";
import type { ProjectStore, StoredProject } from "../../../ports/project-store";
import type { ProjectGitHubStore } from "../../../ports/pull-request-store";
import type { Remotes } from "../../../ports/remotes";
import type { TaskStore } from "../../../ports/task-store";
import { NOT_THERE, type Refusal } from "../refusal";
import { type OutOfReach, placeFor, refusedAs } from "./github-place";
import { issuePrompt, issueTitle } from "./issue-text";

export interface IssueDeskParts {
  readonly projects: Pick<ProjectStore, "project">;
  readonly gitHub: Pick<ProjectGitHubStore, "read" | "issuesRead">;
  readonly gitHubApi: Pick<GitHub, "issues">;
  readonly issues: IssueStore;
  readonly tasks: Pick<TaskStore, "create">;
  readonly agents: Pick<AgentStore, "readerFor">;
  readonly workspace: Remotes;
  readonly feed: Pick<Feed, "tasksChanged">;
  readonly clock: Clock;
  readonly newId: () => string;
}

export type IssueDesk = ReturnType<typeof createIssueDesk>;

export interface BroughtIn {
  readonly kind: "brought-in";
  /** Tasks that were made now. */
  readonly count: number;
  /** False: GitHub has more than are read at once. */
  readonly isAll: boolean;
}

export function createIssueDesk(parts: IssueDeskParts) {
  /** Null: the project is not there. What went wrong, or was left out, is kept for the project's settings. */
  async function bringIn(id: ProjectId): Promise<BroughtIn | OutOfReach | null> {
    const project = await parts.projects.project(id);
    if (project === null) return null;
    const set = await parts.gitHub.read(id);
    if (set?.label === null) return NO_LABEL;
    const read = await readOf(project, set?.label.name ?? "");
    const problem = read.kind === "refused" ? read.message : read.isAll ? null : LEFT_OUT;
    const count = read.kind === "refused" ? 0 : await makeTasks(parts, id, set?.label.by ?? null, read);
    await parts.gitHub.issuesRead(id, { at: parts.clock.now(), problem });
    return read.kind === "refused" ? read : { kind: "brought-in", count, isAll: read.isAll };
  }

  async function readOf(project: StoredProject, label: string): Promise<Found | OutOfReach> {
    const to = await placeFor(parts, project);
    if (to.kind === "refused") return to;
    const read = await parts.gitHubApi.issues(to.place, label);
    return read.kind === "refused" ? read : { ...read, place: to.place };
  }

  return {
    /** For the beat: null when there was nothing in the way. */
    async look(id: ProjectId): Promise<OutOfReach | null> {
      const done = await bringIn(id);
      return done?.kind === "refused" ? done : null;
    },
    async bringIn(id: ProjectId): Promise<BroughtIn | Refusal> {
      const done = await bringIn(id);
      if (done === null) return NOT_THERE;
      return done.kind === "refused" ? refusedAs("ISSUES_REFUSED", done) : done;
    },
  };
}

interface Found extends Issues {
  readonly place: GitHubPlace;
}

/** The oldest first, as somebody would have written them down. Whoever set the label made them. */
async function makeTasks(
  { issues, tasks, agents, feed, clock, newId }: IssueDeskParts,
  projectId: ProjectId,
  createdBy: UserId | null,
  { place: { apiUrl, repository }, issues: read }: Found,
): Promise<number> {
  const fresh = await issues.unknown(projectId, { apiUrl, repository }, read);
  if (fresh.length === 0) return 0;
  const agent = await agents.readerFor(projectId);
  const made: TaskId[] = [];
  try {
    for (const issue of fresh.toReversed()) {
      const { number, id } = issue;
      const from = { apiUrl, repository, number, id };
      const prompt = issuePrompt(issue, issueAddress(from), agent?.kind ?? null);
      const facts = { projectId, title: issueTitle(issue), prompt, agentId: agent?.id ?? null, createdBy };
      const task = { id: newId(), ...facts, at: clock.now(), issue: from };
      if (await tasks.create(task)) made.push(task.id);
    }
  } finally {
    if (made.length > 0) feed.tasksChanged(projectId, made);
  }
  return made.length;
}

const NO_LABEL: OutOfReach = {
  kind: "refused",
  reason: "no-label",
  message: "The project has no label for issues: an owner sets one in its settings.",
};
const LEFT_OUT = `Only the newest ${ISSUES_READ_MAX} with the label are read: older ones come in when fewer are open.`;
