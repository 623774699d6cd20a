"use client";
/** What is named by somebody's change before one has heard of it: a list is asked for again, once for each such id. */
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";

/** How long ids are collected before the list is asked for, milliseconds. */
const COLLECTED_FOR_MS = 1_000;

/** Takes note of an id that the list does not have; harmless while drawing. `list` has to be the same object each time. */
export function useUnknown(list: QueryKey): (id: string) => void {
  const cache = useQueryClient();
  const noted = useRef(new Map<string, "new" | "asked">());

  useEffect(() => {
    const ids = noted.current;
    const timer = setInterval(() => {
      const fresh = [...ids].filter(([, state]) => state === "new");
      if (fresh.length === 0) return;
      for (const [id] of fresh) ids.set(id, "asked");
      void cache.invalidateQueries({ queryKey: list });
    }, COLLECTED_FOR_MS);
    return () => clearInterval(timer);
  }, [cache, list]);

  return useCallback((id: string) => {
    if (!noted.current.has(id)) noted.current.set(id, "new");
  }, []);
}
