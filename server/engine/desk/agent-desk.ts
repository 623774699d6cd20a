/** Agents: who has which, whether a task may use one, and what is missing here. Who may change them is the gate's (server/api). */
import type { Agent } from "../../contract/agents";
import type { AgentId, ProjectId, UserId } from "../../core/words";
import type { AgentChange, AgentStore, Programs, StoredAgent } from "../../ports/agent-store";
import type { Clock } from "../../ports/clock";
import type { Machine } from "../../ports/runner";
import { agentUsable } from "./agent-check";
import { NOT_THERE, type Refusal, refuse } from "./refusal";

/** Agents in one answer. */
const PAGE = 500;

export interface AgentDeskParts {
  readonly agents: AgentStore;
  readonly programs: Programs;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly newId: () => string;
}

type NewAgentWish = Omit<StoredAgent, "id">;

export type AgentDesk = ReturnType<typeof createAgentDesk>;

export function createAgentDesk({ agents, programs, machine, clock, newId }: AgentDeskParts) {
  async function view(agent: StoredAgent): Promise<Agent> {
    const { id, name, kind, settings, projectId } = agent;
    const problem = await agentUsable(programs, machine, agent);
    return { id, name, kind, settings: { ...settings }, projectId, problem };
  }

  return {
    agent: (id: AgentId) => agents.agent(id),
    async list(userId: UserId, projectId: ProjectId | null, after: AgentId | null) {
      const found = await agents.visibleTo(userId, { projectId, after, limit: PAGE });
      return {
        items: await Promise.all(found.map(view)),
        next: found.length === PAGE ? (found.at(-1)?.id ?? null) : null,
      };
    },
    async create(wish: NewAgentWish): Promise<Agent> {
      const agent = { id: newId(), ...wish };
      await agents.create(agent, clock.now());
      return view(agent);
    },
    async change(id: AgentId, change: AgentChange): Promise<Agent | Refusal> {
      await agents.change(id, change);
      const agent = await agents.agent(id);
      return agent === null ? NOT_THERE : view(agent);
    },
    /** Tasks and sessions that name it keep the name; dispatching with it answers that it was removed. */
    remove: (id: AgentId) => agents.remove(id, clock.now()),
  };
}

/** An agent that somebody names for a task of this project: the installation's, or the project's own (S2). */
export async function agentNamed(
  agents: Pick<AgentStore, "agent">,
  projectId: ProjectId,
  id: AgentId,
): Promise<StoredAgent | Refusal> {
  const agent = await agents.agent(id);
  const isForeign = agent !== null && agent.projectId !== null && agent.projectId !== projectId;
  return agent === null || isForeign ? refuse("NOT_FOUND", "There is no such agent here.") : agent;
}
