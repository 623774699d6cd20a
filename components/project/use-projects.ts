"use client";
/** My projects, and which one the address is about. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "next/navigation";
import { useMemo } from "react";
import type { Project, ProjectWithNote } from "@/server/contract/projects";
import { api } from "../api";
import { useLastBoard } from "../frame/places";

export const projectsKey = api.projects.list.key();

export function useProjects(): readonly Project[] | undefined {
  return useQuery(api.projects.list.queryOptions({ input: {} })).data?.items;
}

/** The repository is looked at again after so long, ms. */
const STALE_MS = 10_000;

/** With what is found out by looking at its repository. */
export function useLookedAt(projectId: string): ProjectWithNote | undefined {
  return useQuery(
    api.projects.get.queryOptions({
      input: { id: projectId },
      staleTime: STALE_MS,
      // What was cut off goes away without anybody's press.
      refetchInterval: ({ state }) => (state.data?.cutOff == null ? false : STALE_MS),
    }),
  ).data;
}

/** The project of the address, else the last board one was on, else the first; null when there is none. */
export function useCurrentProject(): Project | null {
  const { project: inAddress } = useParams<{ project?: string }>();
  const projects = useProjects();
  const last = useLastBoard();
  return useMemo(() => {
    if (projects === undefined) return null;
    if (inAddress !== undefined) return projects.find(({ id }) => id === inAddress) ?? null;
    return projects.find(({ id }) => id === last) ?? projects[0] ?? null;
  }, [projects, inAddress, last]);
}
