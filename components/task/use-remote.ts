"use client";
/** What the project's remote lacks of its base, and the other way round, as the server knows it. Never asks the remote. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Task } from "@/server/contract/tasks";
import { api } from "../api";
import type { BoardCard } from "../board/columns";
import { useLookedAt } from "../project/use-projects";
import type { Remote } from "./not-pushed";

/** Null: there is none, or it is not known. Looked at again when a push, a merge or a start has perhaps changed it. */
export function useRemote({ task, live }: BoardCard, tasks: Readonly<Record<string, Task>>): Remote | null {
  const { projectId } = task;
  const cache = useQueryClient();
  const moved = useMemo(() => lastMove(tasks), [tasks]);
  const seen = useRef(`${moved} ${live?.phase}`);
  useEffect(() => {
    const now = `${moved} ${live?.phase}`;
    if (seen.current === now) return;
    seen.current = now;
    void cache.invalidateQueries({ queryKey: api.projects.get.key({ input: { id: projectId } }) });
  }, [cache, projectId, moved, live?.phase]);
  const remote = useLookedAt(projectId)?.remote ?? null;
  return remote?.kind === "remote" ? remote : null;
}

/** When somebody merged or pushed last. */
export function lastMove(tasks: Readonly<Record<string, Task>>): string {
  let last = "";
  for (const { outcome, pushedAt } of Object.values(tasks)) {
    for (const at of [outcome?.at, pushedAt]) if (at != null && at > last) last = at;
  }
  return last;
}
