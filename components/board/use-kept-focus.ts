"use client";
/**
 * Whoever has a card in focus still has it after the card went elsewhere: there it is a new element. A new task's card
 * gets it when it comes (`focus-wish.ts`). Where only the first cards of its column are drawn, the column draws as many more
 * as it takes.
 */
import { type RefObject, useEffect, useRef, useState } from "react";
import { bringIntoView } from "../ui/into-view";
import { useSlot } from "../ui/slot";
import { useBeforePaint } from "../ui/use-before-paint";
import { type BoardColumns, cardsOf } from "./columns";
import { focusWish } from "./focus-wish";

/** `shown`: the cards that pass the filter. The answer is the card that is to be drawn for its focus; null: each that has it is. */
export function useKeptFocus(board: RefObject<HTMLElement | null>, shown: BoardColumns): string | null {
  const focused = useRef<string | null>(null);
  const [sought, seek] = useState<string | null>(null);
  const wished = useSlot(focusWish);
  useEffect(() => {
    if (wished === null) return;
    document.addEventListener("focusin", focusWish.close);
    return () => document.removeEventListener("focusin", focusWish.close);
  }, [wished]);
  useEffect(() => {
    const element = board.current;
    if (element === null) return;
    const came = (event: FocusEvent) => {
      const card = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-task-id]") : null;
      focused.current = card?.dataset.taskId ?? null;
    };
    const went = (event: FocusEvent) => {
      // Without a next element the focused one was removed, or the window lost the focus: both keep the memory.
      if (event.relatedTarget !== null) focused.current = null;
    };
    element.addEventListener("focusin", came);
    element.addEventListener("focusout", went);
    return () => {
      element.removeEventListener("focusin", came);
      element.removeEventListener("focusout", went);
    };
  }, [board]);
  useBeforePaint(() => {
    const id = wished ?? focused.current;
    if (id === null || (document.activeElement !== null && document.activeElement !== document.body)) return seek(null);
    const card = board.current?.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(id)}"]`) ?? null;
    if (card === null) return seek(cardsOf(shown).some(({ task }) => task.id === id) ? id : null);
    card.focus({ preventScroll: true });
    if (wished !== null) focusWish.close();
    if (wished !== null || (card.matches(":focus-visible") && !goesThereByItself(card))) bringIntoView(card);
    seek(null);
  }, [board, shown, sought, wished]);
  return sought;
}

/** What the pool does disturbs nobody who reads elsewhere; elsewhere a card comes by what somebody did with it. */
function goesThereByItself({ dataset: { column } }: HTMLElement): boolean {
  return column === "running" || column === "review";
}
