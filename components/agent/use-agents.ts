"use client";
/** The agents one may dispatch to in a project, and what they are called. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Agent } from "@/server/contract/agents";
import { api } from "../api";
import { useUnknown } from "../ui/use-unknown";

const agentsKey = api.agents.list.key();

export function useAgents(projectId?: string): readonly Agent[] | undefined {
  const input = projectId === undefined ? {} : { projectId };
  return useQuery(api.agents.list.queryOptions({ input, staleTime: 60_000 })).data?.items;
}

/** The name of an agent; without one the project's first agent is meant, which the server decides at dispatch. */
export function useAgentNames(projectId: string): (agentId: string | null) => string {
  const agents = useAgents(projectId);
  const names = useMemo(() => new Map(agents?.map(({ id, name }) => [id, name])), [agents]);
  const fallback = agents?.[0]?.name ?? "";
  const takeNote = useUnknown(agentsKey);
  return useCallback(
    (agentId: string | null) => {
      if (agentId === null) return fallback;
      const name = names.get(agentId);
      // Nothing is better than a wrong name while the names are still on their way.
      if (name !== undefined || names.size === 0) return name ?? "";
      takeNote(agentId);
      return "Removed agent";
    },
    [names, fallback, takeNote],
  );
}
