"use client";
/** The cards of the sessions in somebody's line, across one's projects: their numbers and titles. */
import { useQueries } from "@tanstack/react-query";
import type { Task } from "@/server/contract/tasks";
import { api } from "../api";
import { LINE_SHOWN_MAX, type LineEntry, type PersonLine } from "./line-order";

const STALE_MS = 30_000;

export function useLineTasks(line: PersonLine | null): Readonly<Record<string, Task>> {
  const entries: readonly LineEntry[] = line === null ? [] : [...line.running, ...line.queued];
  const ids = [...new Set(entries.slice(0, LINE_SHOWN_MAX).map(({ session }) => session.taskId))];
  return useQueries({
    queries: ids.map((id) => api.tasks.get.queryOptions({ input: { id }, staleTime: STALE_MS })),
    combine: byId,
  });
}

function byId(results: readonly { readonly data: Task | undefined }[]): Readonly<Record<string, Task>> {
  return Object.fromEntries(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])));
}
