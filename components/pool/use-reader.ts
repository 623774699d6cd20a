"use client";
/** The pool's picture together with what sentences about it need: who I am, what people are called, which card is whose. */
import { useMemo } from "react";
import type { PoolPicture } from "@/server/contract/pool";
import type { Task } from "@/server/contract/tasks";
import { usePool } from "../live/live-provider";
import { useMe, usePeople } from "../people/use-people";
import type { PoolReader } from "./wording";

const NO_TASKS: Readonly<Record<string, Task>> = {};

/** Null until the picture is there. `tasks`: the cards of the board on the screen, by id. */
export function usePoolReader(tasks: Readonly<Record<string, Task>> = NO_TASKS): PoolReader | null {
  const pool = usePool();
  const me = useMe();
  const { nameOf } = usePeople();
  return useMemo(() => {
    if (pool === undefined || me === undefined) return null;
    return { pool, meId: me.id, nameOf, numberOf: numbersIn(pool, tasks) };
  }, [pool, me, nameOf, tasks]);
}

function numbersIn(pool: PoolPicture, tasks: Readonly<Record<string, Task>>): PoolReader["numberOf"] {
  return (sessionId) => {
    const session = pool.sessions[sessionId];
    return session === undefined ? null : (tasks[session.taskId]?.number ?? null);
  };
}
