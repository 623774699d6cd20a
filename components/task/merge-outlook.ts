"use client";
/** What a merge of a task's branch would meet and leave out: read while it can still be merged, and in words for people. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { MergeOutlook, Task } from "@/server/contract/tasks";
import { api } from "../api";
import type { BoardCard } from "../board/columns";
import { lastMove } from "./use-remote";

/** Null as long as it is not known, and once something has become of the work. Asked again when the base has perhaps moved. */
export function useMergeOutlook({ task, live }: BoardCard, tasks: Readonly<Record<string, Task>>): MergeOutlook | null {
  const options = api.tasks.base.queryOptions({ input: { id: task.id } });
  const moved = useMemo(() => lastMove(tasks), [tasks]);
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, moved, task.session?.id, task.session?.status, live?.phase],
    placeholderData: keepPreviousData,
    enabled: task.branch !== null && task.outcome === null,
  });
  return task.outcome === null ? (data ?? null) : null;
}

/** What whoever merges by hand is used to and a merge here does not do (W4); null: it is the same. */
export function leftOutOf({ passedOver }: MergeOutlook): string | null {
  const hooks = passedOver.filter((name) => name !== "commit.gpgSign");
  const parts = [
    hooks.length === 0 ? "" : `runs no hooks of the repository (${hooks.join(", ")})`,
    hooks.length === passedOver.length ? "" : "is not signed",
  ].filter(Boolean);
  return parts.length === 0 ? null : `A merge here ${parts.join(" and ")}.`;
}
