"use client";
/** Everything a task's page shows, from the same pictures as the board: the live card, and what is only read for it. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useContext, useMemo } from "react";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { COLUMNS } from "@/server/core/words";
import { api } from "../api";
import { arrange, type BoardCard } from "../board/columns";
import { useBoard, usePool } from "../live/live-provider";
import { TaskPlace } from "./task-place";

export type TaskAtHand =
  | { readonly kind: "loading" }
  /** Not there, or not yours. */
  | { readonly kind: "missing" }
  | { readonly kind: "task"; readonly card: BoardCard; readonly tasks: Readonly<Record<string, Task>> };

export function useTaskAtHand(projectId: string, number: number): TaskAtHand {
  const { first } = useContext(TaskPlace);
  const board = useBoard(projectId, first);
  const pool = usePool();
  return useMemo(() => {
    if (board === undefined) return { kind: "loading" };
    const task = Object.values(board.tasks).find((one) => one.number === number);
    if (task === undefined) return { kind: "missing" };
    const columns = arrange([task], pool);
    const card = COLUMNS.flatMap((column) => columns[column])[0];
    return card === undefined ? { kind: "missing" } : { kind: "task", card, tasks: board.tasks };
  }, [board, pool, number]);
}

/** The whole prompt; the board has only its beginning. Null until it is read. */
export function usePrompt(task: Task): string | null {
  const options = api.tasks.get.queryOptions({ input: { id: task.id } });
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, task.updatedAt],
    placeholderData: keepPreviousData,
  });
  return data?.prompt ?? null;
}

/** All sessions, newest first; the newest one is the board's own, so that it is as live as the card. */
export function useSessions(task: Task): readonly Session[] {
  const newest = task.session;
  const options = api.tasks.sessions.queryOptions({ input: { id: task.id } });
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, newest?.id, newest?.status],
    placeholderData: keepPreviousData,
    enabled: task.sessionCount > 1,
  });
  return useMemo(() => {
    if (newest === null) return [];
    return [newest, ...(data?.items ?? []).filter(({ id }) => id !== newest.id)];
  }, [newest, data]);
}
