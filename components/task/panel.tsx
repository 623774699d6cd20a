"use client";
/**
 * The panel beside the live board: no scrim, the board goes on and moves aside so that the opened card stays in view.
 * Escape closes it, unless somebody types; the focus goes back to the card it came from.
 */
import { type ReactNode, useEffect, useRef } from "react";
import { COLUMNS, type Column } from "@/server/core/words";
import { isTyping } from "../frame/keys";
import { bringIntoView } from "../ui/into-view";

/** By how many columns the board moves aside for a card of each column. */
const SHIFTS: Readonly<Record<Column, number>> = { backlog: 0, waiting: 1, running: 1, review: 3, done: 3 };

interface PanelProps {
  readonly label: string;
  /** Null: not known yet. */
  readonly column: Column | null;
  readonly taskId: string | null;
  readonly close: () => void;
  readonly children: ReactNode;
}

export function PanelBesideBoard({ label, column, taskId, close, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useFocusBack(taskId);
  useCardInView(taskId);
  useBoardAside(column);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !isTyping(event.target)) close();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [close]);
  return (
    <section ref={panel} className="over" aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}

/** To the card, unless the focus has gone somewhere by itself. */
function useFocusBack(taskId: string | null): void {
  useEffect(() => {
    if (taskId === null) return;
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        cardOf(taskId)?.focus();
      });
    };
  }, [taskId]);
}

/** The card is marked as the open one: its place is part of what is shown. */
function useCardInView(taskId: string | null): void {
  useEffect(() => {
    const card = taskId === null ? null : cardOf(taskId);
    if (card !== null) bringIntoView(card);
  }, [taskId]);
}

function cardOf(taskId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(taskId)}"]`);
}

function useBoardAside(column: Column | null): void {
  const shift = column === null ? null : SHIFTS[column];
  useEffect(() => {
    if (shift === null) return;
    const { style } = document.documentElement;
    style.setProperty("--board-shift", String(Math.min(shift, COLUMNS.length - 1)));
    return () => {
      style.removeProperty("--board-shift");
    };
  }, [shift]);
}
