"use client";
/** Makes the board's cards draggable. The code for it is fetched soon after the page; until then a press is a click. */
import { type RefObject, useEffect, useRef } from "react";
import { COLUMNS, type Column } from "@/server/core/words";
import { client, sentenceOf } from "../api";
import { toast } from "../ui/toast";
import { dispatchTask, moveCard } from "./card-actions";
import type { BoardCard, BoardColumns } from "./columns";
import type { followPress } from "./drag";
import { type Drop, type DropHelp, dropOf } from "./drops";

/** How long after the page the code is fetched, and how long until another try, in milliseconds. */
const SOON_MS = 1_000;

export function useDrag(board: RefObject<HTMLElement | null>, columns: BoardColumns, help: DropHelp): void {
  const now = useRef({ columns, help });
  useEffect(() => {
    now.current = { columns, help };
  }, [columns, help]);

  useEffect(() => {
    const element = board.current;
    if (element === null) return;
    let follow: typeof followPress | null = null;
    const fetchCode = () => {
      import("./drag").then(
        (code) => {
          follow = code.followPress;
        },
        () => {
          timer = setTimeout(fetchCode, SOON_MS);
        },
      );
    };
    let timer = setTimeout(fetchCode, SOON_MS);
    const pressed = (event: PointerEvent) => {
      const isControl = event.target instanceof Element && event.target.closest("button, input, select") !== null;
      if (event.button !== 0 || event.pointerType === "touch" || isControl || follow === null) return;
      follow(event, element, {
        cardOf: (taskId) => find(now.current.columns, taskId),
        dropOf: (card, column, before) => dropOf(card, column, before, now.current.help),
        drop: (card, column, drop) => void perform(card, column, drop, now.current.columns),
      });
    };
    // A link would be dragged by the browser itself.
    const noNativeDrag = (event: DragEvent) => event.preventDefault();
    element.addEventListener("pointerdown", pressed);
    element.addEventListener("dragstart", noNativeDrag);
    return () => {
      clearTimeout(timer);
      element.removeEventListener("pointerdown", pressed);
      element.removeEventListener("dragstart", noNativeDrag);
    };
  }, [board]);
}

function find(columns: BoardColumns, taskId: string): BoardCard | undefined {
  for (const column of COLUMNS) {
    const card = columns[column].find(({ task }) => task.id === taskId);
    if (card !== undefined) return card;
  }
  return undefined;
}

async function perform(card: BoardCard, column: Column, drop: Drop, columns: BoardColumns): Promise<void> {
  switch (drop.kind) {
    case "dispatch":
      return dispatchTask(card.task);
    case "move":
      return moveCard(card, column);
    case "order":
      return moveCard(card, column, drop.before?.task.id ?? null);
    case "reorder-line":
      return reorderLine(card, drop.before, columns);
    case "nothing":
      return;
    default:
      return drop satisfies never;
  }
}

/** Before the next session of one's own below the drop; other people's cards in between are not one's line. */
async function reorderLine(card: BoardCard, before: BoardCard | null, { waiting }: BoardColumns): Promise<void> {
  if (card.liveId === null) return;
  const from = before === null ? waiting.length : waiting.findIndex(({ task }) => task.id === before.task.id);
  const mine = waiting
    .slice(from)
    .find(({ live, liveId }) => live?.userId === card.live?.userId && liveId !== card.liveId);
  try {
    await client.sessions.reorder({ id: card.liveId, before: mine?.liveId ?? null });
  } catch (error) {
    toast({ icon: "alert", isBad: true, text: `#${card.task.number}: ${sentenceOf(error)}` });
  }
}
