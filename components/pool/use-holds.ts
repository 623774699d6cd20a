"use client";
/**
 * Why a dispatch in a project would be held (A8), as agents and projects tell it. The lists are no live pictures: they are
 * asked for again when something was heard that tells of a hold.
 */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import type { Hold } from "@/server/contract/common";
import type { Task } from "@/server/contract/tasks";
import { agentsKey, useAgents } from "../agent/use-agents";
import { usePool } from "../live/live-provider";
import { projectsKey, useProjects } from "../project/use-projects";

export type HoldOf = (agentId: string | null) => Hold | null;

/** By the agent that would run; null: the one that everybody gets who named none. */
export function useHolds(projectId: string): HoldOf {
  const agents = useAgents(projectId);
  const ofProject = useProjects()?.find(({ id }) => id === projectId)?.hold ?? null;
  return useCallback(
    (agentId) => {
      const agent = agentId === null ? agents?.[0] : agents?.find(({ id }) => id === agentId);
      return agent?.hold ?? ofProject;
    },
    [agents, ofProject],
  );
}

/** For a form: as they are when it opens. */
export function useHoldsAtOpening(): void {
  const cache = useQueryClient();
  useEffect(() => askAgain(cache), [cache]);
}

/** For a board: the pool holds other sessions than before, or one failed, which may be why the next ones will be held. */
export function useHoldNews(tasks: Readonly<Record<string, Task>> | undefined): void {
  const cache = useQueryClient();
  const held = usePool()?.held;
  const failed = Object.values(tasks ?? {}).filter(({ session }) => session?.status === "failed").length;
  const isShown = held !== undefined && tasks !== undefined;
  const seen = useRef<{ readonly held: typeof held; readonly failed: number } | null>(null);
  useEffect(() => {
    if (!isShown) return;
    const before = seen.current;
    seen.current = { held, failed };
    if (before !== null && (before.held !== held || before.failed < failed)) askAgain(cache);
  }, [cache, held, failed, isShown]);
}

/** What is on its way is not asked for twice. */
function askAgain(cache: QueryClient): void {
  for (const queryKey of [agentsKey, projectsKey]) {
    void cache.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }
}
