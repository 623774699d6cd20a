"use client";
/** The cards of the sessions in somebody's line, across one's projects: their numbers and titles. */
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Task } from "@/server/contract/tasks";
import { api } from "../api";
import { LINE_SHOWN_MAX, type LineEntry, type PersonLine } from "./line-order";

const STALE_MS = 30_000;

export interface LineTasks {
  readonly tasks: Readonly<Record<string, Task>>;
  /** Some are still being read: what is not in `tasks` yet is not "elsewhere". */
  readonly isReading: boolean;
}

/** `known`: cards that are at hand already, and are not read again; they stand in `tasks` as well. */
export function useLineTasks(line: PersonLine | null, known: LineTasks["tasks"] = NONE): LineTasks {
  const ids = [...new Set([...firstOf(line?.running), ...firstOf(line?.queued)])].filter((id) => !(id in known));
  const { tasks, isReading } = useQueries({
    queries: ids.map((id) => api.tasks.get.queryOptions({ input: { id }, staleTime: STALE_MS })),
    combine: byId,
  });
  return useMemo(() => ({ tasks: { ...tasks, ...known }, isReading }), [tasks, known, isReading]);
}

const NONE: LineTasks["tasks"] = {};

/** Those that have a row on the screen. */
function firstOf(entries: readonly LineEntry[] = []): readonly string[] {
  return entries.slice(0, LINE_SHOWN_MAX).map(({ session }) => session.taskId);
}

function byId(results: readonly { readonly data: Task | undefined; readonly isPending: boolean }[]): LineTasks {
  const tasks = Object.fromEntries(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])));
  return { tasks, isReading: results.some(({ isPending }) => isPending) };
}
