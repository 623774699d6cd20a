/** Agents: who has which, and whether a task may use one. Who may change them is the gate's (server/api). */
import type { Agent } from "../../contract/agents";
import type { AgentId, ProjectId, UserId } from "../../core/words";
import type { AgentChange, AgentStore, StoredAgent } from "../../ports/agent-store";
import type { Clock } from "../../ports/clock";
import { NOT_THERE, type Refusal, refuse } from "./refusal";

/** Agents in one answer. */
const PAGE = 500;

export interface AgentDeskParts {
  readonly agents: AgentStore;
  readonly clock: Clock;
  readonly newId: () => string;
}

type NewAgentWish = Omit<StoredAgent, "id">;

export type AgentDesk = ReturnType<typeof createAgentDesk>;

export function createAgentDesk({ agents, clock, newId }: AgentDeskParts) {
  return {
    agent: (id: AgentId) => agents.agent(id),
    async list(userId: UserId, projectId: ProjectId | null, after: AgentId | null) {
      const found = await agents.visibleTo(userId, { projectId, after, limit: PAGE });
      return { items: found.map(agentView), next: found.length === PAGE ? (found.at(-1)?.id ?? null) : null };
    },
    async create(wish: NewAgentWish): Promise<Agent> {
      const agent = { id: newId(), ...wish };
      await agents.create(agent, clock.now());
      return agentView(agent);
    },
    async change(id: AgentId, change: AgentChange): Promise<Agent | Refusal> {
      await agents.change(id, change);
      const agent = await agents.agent(id);
      return agent === null ? NOT_THERE : agentView(agent);
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

function agentView(agent: StoredAgent): Agent {
  const { id, name, kind, settings, projectId } = agent;
  return { id, name, kind, settings: { ...settings }, projectId };
}
