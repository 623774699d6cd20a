"use client";
/** Makes the board's cards draggable. The code for it is fetched soon after the page; until then a press is a click. */
import { type RefObject, useEffect, useRef } from "react";
import type { BoardColumns } from "./columns";
import type { dragFrom } from "./drag-board";
import type { DropHelp } from "./drops";

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
    let drag: typeof dragFrom | null = null;
    const fetchCode = () => {
      import("./drag-board").then(
        (code) => {
          drag = code.dragFrom;
        },
        () => {
          timer = setTimeout(fetchCode, SOON_MS);
        },
      );
    };
    let timer = setTimeout(fetchCode, SOON_MS);
    const pressed = (event: PointerEvent) => {
      const isControl = event.target instanceof Element && event.target.closest("button, input, select") !== null;
      if (event.button !== 0 || event.pointerType === "touch" || isControl) return;
      drag?.(event, element, () => now.current);
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
