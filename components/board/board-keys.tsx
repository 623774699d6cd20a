"use client";
/**
 * The board by keyboard (B4): from card to card, and what can be done with the card in focus. Letters do nothing but with a
 * card in focus, or beside it in its open task, and can be switched off (WCAG 2.1.4); never while somebody types. Draws
 * nothing.
 */
import { useEffect } from "react";
import type { Column } from "@/server/core/words";
import { hasModifier, isTyping, keyOf } from "../frame/keys";
import { hasLetterKeys } from "../frame/letter-keys";
import { paletteSlot } from "../frame/places";
import { usePoolNow } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { editWish } from "../task/edit-wish";
import { useTaskOpener } from "../task/open-task";
import { announce } from "../ui/announce";
import { bringIntoView } from "../ui/into-view";
import { columnName } from "./card-actions";
import { KEY_OF, mainEntries } from "./card-menu";
import { type BoardCard, cardsOf } from "./columns";
import { type LineMove, moveInLine, ownLineOf, whyNotMoved } from "./line-moves";
import { moveOnShelf } from "./shelf-moves";
import { shelfNow, shownBoard } from "./shown-board";
import { openFilter } from "./use-filter";
import { useMenuHelp } from "./use-menu-help";
import { goFrom, type Step } from "./walk";

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: "up",
  k: "up",
  ArrowDown: "down",
  j: "down",
  ArrowLeft: "left",
  h: "left",
  ArrowRight: "right",
  l: "right",
  Home: "first",
  End: "last",
};
const MOVES: Readonly<Record<string, LineMove>> = { ArrowUp: "up", K: "up", ArrowDown: "down", J: "down" };

interface BoardKeysProps {
  readonly projectId: string;
  readonly openNumber: number | null;
  /** On narrow screens: shows this column. */
  readonly pick: (column: Column) => void;
}

export function BoardKeys({ projectId, openNumber, pick }: BoardKeysProps) {
  const me = useMe();
  const poolNow = usePoolNow();
  const helpFor = useMenuHelp(projectId);
  const opener = useTaskOpener(projectId);

  useEffect(() => {
    const lineOf = (card: BoardCard) => ownLineOf(poolNow(), me?.id, card);
    const act = (card: BoardCard, key: string) => {
      const entry = mainEntries(card, helpFor(card)).find((one) => one.kind === "entry" && KEY_OF[one.label] === key);
      if (entry?.kind !== "entry") return announce(`#${card.task.number} is in ${columnName(card.column)}: not here.`);
      if (entry.why != null) return announce(`#${card.task.number}: ${entry.why}`);
      entry.run();
    };
    const move = (card: BoardCard, way: LineMove) => {
      const shelf = shelfNow(card);
      if (shelf !== null) return void moveOnShelf(card, shelf, way === "front" ? "top" : way);
      const line = lineOf(card);
      if (line === null || card.liveId === null) {
        return announce(`#${card.task.number}: only Backlog and your own line are ordered.`);
      }
      const why = whyNotMoved(line, card.liveId, way);
      if (why !== null) return announce(`#${card.task.number}: ${why}`);
      void moveInLine(card, line, way);
    };
    const verbs: Readonly<Record<string, (card: BoardCard, element: HTMLElement | null) => void>> = {
      d: (card) => act(card, "D"),
      x: (card) => act(card, "X"),
      e: ({ task }) => {
        editWish.open(task.number);
        if (task.number !== openNumber) opener.open(task.number);
      },
      m: (_, element) => {
        if (element === null) return;
        bringIntoView(element);
        element.querySelector<HTMLElement>("[data-menu]")?.click();
      },
    };

    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || hasModifier(event) || isTyping(event.target)) return;
      // It was opened and is not drawn yet: what is typed now is for its field (shortcuts.tsx).
      if (paletteSlot.held() !== null) return;
      const focused =
        event.target instanceof Element ? event.target.closest<HTMLElement>("article[data-task-id]") : null;
      const key = keyOf(event);
      const isLetter = key.length === 1;
      if (isLetter && !hasLetterKeys()) return;
      const done = () => event.preventDefault();
      if (key === "/") {
        done();
        return openFilter();
      }
      const isOnCard = focused !== null && event.target === focused;
      const step = STEPS[key];
      const isInReach = isOnCard || (isLetter && (focused !== null || isNowhere(event.target)));
      if (step !== undefined && !event.shiftKey && isInReach) {
        done();
        return goFrom(focused, step, pick);
      }
      const isBeside = event.target instanceof Element && event.target.closest(".over") !== null;
      const card = cardsOf(shownBoard.held()?.columns).find(({ task }) =>
        focused === null ? isBeside && task.number === openNumber : task.id === focused.dataset.taskId,
      );
      if (card === undefined) return;
      const way = event.shiftKey && isOnCard ? MOVES[key] : undefined;
      const verb = event.shiftKey ? undefined : verbs[key];
      if (way === undefined && verb === undefined) return;
      done();
      if (way !== undefined) move(card, way);
      else verb?.(card, focused);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [me?.id, poolNow, helpFor, opener, openNumber, pick]);
  return null;
}

/** Nothing has the focus: letters begin at the first card. */
function isNowhere(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof Element && target.id === "main");
}
