/**
 * What is looked at before a dispatch goes to the pool (P1, W1): local and quick, never the load. Whatever else can go wrong
 * belongs to the session's start and becomes its ending.
 */

import type { AgentId } from "../../core/words";
import type { AgentStore, Programs, StoredAgent } from "../../ports/agent-store";
import type { Clock } from "../../ports/clock";
import type { ProjectStore, StoredProject } from "../../ports/project-store";
import type { Machine } from "../../ports/runner";
import type { StoredTask } from "../../ports/task-store";
import type { RepositoryFacts, Workspace } from "../../ports/workspace";
import type { Hold } from "../pool";
import type { Holds } from "../session/holds";
import { agentUsable } from "./agent-check";
import { agentNamed } from "./agent-desk";
import { type Refusal, refuse } from "./refusal";

/** A repository that was fine is not looked at again for so long: many dispatches may come at once. */
const FINE_FOR_MS = 1_000;

export interface DispatchCheckParts {
  readonly projects: Pick<ProjectStore, "project" | "change">;
  readonly agents: Pick<AgentStore, "agent" | "defaultFor">;
  readonly programs: Programs;
  readonly machine: Machine;
  readonly workspace: Pick<Workspace, "inspect">;
  readonly holds: Pick<Holds, "forNew">;
  readonly clock: Clock;
}

/** The agent that will run, and what it has to wait for beside its turn (A8). */
export interface Fine {
  readonly kind: "fine";
  readonly agentId: AgentId;
  readonly hold: Hold | null;
}

export interface DispatchWish {
  readonly message?: string | undefined;
  readonly agentId?: AgentId | undefined;
  readonly mode?: "work" | "plan" | undefined;
}

export function createDispatchChecks(parts: DispatchCheckParts) {
  const fine = new Map<string, { readonly until: number; readonly facts: RepositoryFacts }>();

  async function inspect(path: string) {
    const known = fine.get(path);
    if (known && known.until > parts.clock.monotonic()) return known.facts;
    fine.delete(path);
    const found = await parts.workspace.inspect(path);
    if (found.kind === "ok") fine.set(path, { until: parts.clock.monotonic() + FINE_FOR_MS, facts: found });
    return found;
  }

  async function checkRepository(project: StoredProject): Promise<Refusal | null> {
    const found = await inspect(project.path);
    if (found.kind === "refused") return refuse("REPOSITORY_UNUSABLE", found.message);
    // An earlier release made projects of repositories without a commit: now there is one, and with it a base (GIT-1).
    if (project.baseBranch === "") await parts.projects.change(project.id, { baseBranch: found.defaultBranch });
    return null;
  }

  return {
    /** The agent that will run, or why none will. */
    async check(task: StoredTask, wish: DispatchWish): Promise<Fine | Refusal> {
      const [project, agent] = await Promise.all([
        parts.projects.project(task.projectId),
        agentFor(parts.agents, task, wish.agentId),
      ]);
      if (project === null) return refuse("NOT_FOUND", "The project is not there any more.");
      if (agent.kind === "refused") return agent;
      if (wish.mode === "plan")
        return refuse("AGENT_UNUSABLE", `${agent.name} cannot plan first: dispatch it to work.`);
      const missing = await agentUsable(parts.programs, parts.machine, agent);
      if (missing !== null) return refuse("AGENT_UNUSABLE", missing);
      const refusal = await checkRepository(project);
      return refusal ?? { kind: "fine", agentId: agent.id, hold: await parts.holds.forNew(agent.id, project.id) };
    },
  };
}

/** The one named now, else the task's, else the one everybody gets. */
async function agentFor(
  agents: DispatchCheckParts["agents"],
  task: StoredTask,
  named: AgentId | undefined,
): Promise<StoredAgent | Refusal> {
  if (named !== undefined) return agentNamed(agents, task.projectId, named);
  if (task.agentId === null) {
    return (
      (await agents.defaultFor(task.projectId)) ?? refuse("AGENT_UNUSABLE", "There is no agent yet: add one first.")
    );
  }
  const own = await agents.agent(task.agentId);
  return own ?? refuse("AGENT_UNUSABLE", "The agent of this task was removed: choose another one.");
}
