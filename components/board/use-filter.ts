"use client";
/** The board's filter as the address has it, and changing it there: choosing is a new place in the history, typing on is not. */
import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { createSlot } from "../ui/slot";
import { type BoardFilter, isSameFilter, readFilter, writeFilter } from "./filter";

/** Whether its fields are wanted though nothing is filtered yet; each wish is another object, and brings the focus there. */
export const filterSlot = createSlot<object>();

export function openFilter(): void {
  filterSlot.open({});
}

export function useFilter(): BoardFilter {
  const search = useSearchParams();
  return useMemo(() => readFilter(search), [search]);
}

/** The framework hears of changes of the history, so nothing is fetched for it. */
export function changeFilter(next: BoardFilter): void {
  const { pathname, search } = globalThis.location;
  const before = readFilter(new URLSearchParams(search));
  if (isSameFilter(before, next)) return;
  const address = pathname + writeFilter(next, search);
  // Beside an open task it is no new place either: one step back from the task leads to the board.
  const isBeside = pathname.includes("/tasks/");
  const isTypingOn =
    before.text !== "" && next.text !== "" && isSameFilter({ ...before, text: "" }, { ...next, text: "" });
  if (isTypingOn || isBeside) globalThis.history.replaceState(null, "", address);
  else globalThis.history.pushState(null, "", address);
}
