"use client";
/** The agents one may dispatch to in a project, and what they are called. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { Agent, AgentList, MachineProgram } from "@/server/contract/agents";
import { api } from "../api";
import { useUnknown } from "../ui/use-unknown";

export const agentsKey = api.agents.list.key();

export function useAgents(projectId?: string): readonly Agent[] | undefined {
  const input = projectId === undefined ? {} : { projectId };
  return useQuery(api.agents.list.queryOptions({ input, staleTime: 60_000 })).data?.items;
}

/** Those that came with a project's page: what is called by an agent's name is drawn with it at once. */
export function useFirstAgents(projectId: string, first: AgentList | undefined): void {
  const cache = useQueryClient();
  // While it is drawn for the first time, so that everything below finds them.
  useState(() => {
    const key = api.agents.list.queryKey({ input: { projectId } });
    if (first !== undefined && cache.getQueryData(key) === undefined) cache.setQueryData(key, first);
  });
}

/** How soon one looks again while a program is being asked for its version, in milliseconds. */
const VERSION_LOOK_MS = 1_000;

const nextLook = (programs: readonly Agent["program"][] = []) =>
  programs.some((program) => program?.isVersionAsked) ? VERSION_LOOK_MS : false;

/** The same, everywhere, with versions of programs: those that are slow to say theirs are waited for. */
export function useAgentsWithVersions(): readonly Agent[] | undefined {
  return useQuery({
    ...api.agents.list.queryOptions({ input: {}, staleTime: 60_000 }),
    refetchInterval: ({ state }) => nextLook(state.data?.items.map(({ program }) => program)),
  }).data?.items;
}

/** Programs of agents that are known, with their versions: what is on the machine first. */
export function useMachinePrograms(): readonly MachineProgram[] {
  const { data } = useQuery({
    ...api.runner.get.queryOptions({ staleTime: 60_000 }),
    refetchInterval: ({ state }) => nextLook(state.data?.programs),
  });
  return data?.programs ?? [];
}

/** The same for a press that has to know them: waits for the answer where it is still on its way; rejects without one. */
export function useAgentsAtHand(projectId: string): () => Promise<readonly Agent[]> {
  const cache = useQueryClient();
  return async () => {
    const input = { projectId };
    return (await cache.ensureQueryData(api.agents.list.queryOptions({ input, staleTime: 60_000 }))).items;
  };
}

/** Whether a session of an agent may have cost something: `shell` is no AI (A4). False until the agents are known. */
export function useMayCost(projectId: string): (agentId: string) => boolean {
  const agents = useAgents(projectId);
  return useCallback(
    (agentId: string) => agents !== undefined && agents.find(({ id }) => id === agentId)?.kind !== "shell",
    [agents],
  );
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
