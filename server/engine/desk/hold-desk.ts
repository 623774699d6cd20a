/** "Try again" (A8): whoever may dispatch may say that an agent or a repository can be used once more. */
import type { Agent } from "../../contract/agents";
import type { AgentId, ProjectId, UserId } from "../../core/words";
import type { AgentStore } from "../../ports/agent-store";
import type { Standings } from "../../ports/project-store";
import type { Holds } from "../session/holds";
import { NOT_THERE, type Refusal } from "./refusal";

export interface HoldDeskParts {
  readonly holds: Pick<Holds, "lift">;
  readonly agents: Pick<AgentStore, "agent">;
  readonly standings: Pick<Standings, "standing">;
  readonly agentView: (id: AgentId) => Promise<Agent | Refusal>;
}

export type HoldDesk = ReturnType<typeof createHoldDesk>;

export function createHoldDesk({ holds, agents, standings, agentView }: HoldDeskParts) {
  return {
    async tryAgentAgain(userId: UserId, id: AgentId): Promise<Agent | Refusal> {
      const agent = await agents.agent(id);
      if (agent === null) return NOT_THERE;
      const place = agent.projectId === null ? null : ({ kind: "project", id: agent.projectId } as const);
      if (place !== null && (await standings.standing(userId, place)) === null) return NOT_THERE;
      await holds.lift("agent", id);
      return agentView(id);
    },
    tryRepositoryAgain: (projectId: ProjectId) => holds.lift("repository", projectId),
  };
}
