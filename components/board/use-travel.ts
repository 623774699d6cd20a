"use client";
/**
 * What happens on the board by itself is seen and does not disturb: a card travels once from Waiting to Running, and the
 * others move up. With many changes at once nothing travels; with reduced motion never anything. Only the two
 * columns of the pool are measured, and only when something in them changed place.
 */
import { type RefObject, useRef } from "react";
import { useBeforePaint } from "../ui/use-before-paint";
import type { BoardColumns } from "./columns";

/** More cards than this in one update are simply there. */
const TRAVEL_MAX = 8;

interface Spot {
  readonly column: string;
  readonly left: number;
  readonly top: number;
}

export function useTravel(board: RefObject<HTMLElement | null>, columns: BoardColumns): void {
  const before = useRef<ReadonlyMap<string, Spot>>(new Map());
  const order = [...columns.waiting, { task: { id: "|" } }, ...columns.running].map(({ task }) => task.id).join(" ");

  useBeforePaint(() => {
    const element = board.current;
    if (element === null) return;
    const now = measure(element);
    const known = before.current;
    before.current = now;
    if (known.size > 0 && !globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches) {
      animate(element, known, now);
    }
  }, [board, order]);
}

function cardsIn(board: HTMLElement): NodeListOf<HTMLElement> {
  return board.querySelectorAll<HTMLElement>(
    '[data-task-id][data-column="waiting"], [data-task-id][data-column="running"]',
  );
}

/** Places within the board, so that scrolling in between is no movement. */
function measure(board: HTMLElement): Map<string, Spot> {
  const origin = board.getBoundingClientRect();
  const spots = new Map<string, Spot>();
  for (const card of cardsIn(board)) {
    const { left, top } = card.getBoundingClientRect();
    const spot = { column: card.dataset.column ?? "", left: left - origin.left, top: top - origin.top };
    spots.set(card.dataset.taskId ?? "", spot);
  }
  return spots;
}

function animate(board: HTMLElement, known: ReadonlyMap<string, Spot>, now: ReadonlyMap<string, Spot>): void {
  const travellers = [...now].filter(([id, { column }]) => known.has(id) && known.get(id)?.column !== column);
  if (travellers.length > TRAVEL_MAX) return;
  for (const card of cardsIn(board)) {
    const id = card.dataset.taskId ?? "";
    const [from, to] = [known.get(id), now.get(id)];
    if (from === undefined || to === undefined) continue;
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (x === 0 && y === 0) continue;
    const { duration, easing } = motionOf(board);
    card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration, easing });
  }
}

/** The design's values, from where all values come. */
function motionOf(board: HTMLElement): { duration: number; easing: string } {
  const style = getComputedStyle(board);
  const written = style.getPropertyValue("--t-move").trim();
  // The build may write 320ms as .32s.
  const milliseconds = Number.parseFloat(written) * (written.endsWith("ms") ? 1 : 1_000);
  return {
    duration: Number.isFinite(milliseconds) ? milliseconds : 0,
    easing: style.getPropertyValue("--ease") || "ease",
  };
}
