"use client";
/**
 * Makes the board's cards draggable. The code for it is fetched once the page rests, or at the first pointer over the board; a
 * card that is held when it comes is dragged from there.
 */
import { type RefObject, useEffect, useRef } from "react";
import type { BoardColumns } from "./columns";
import type { dragFrom } from "./drag-board";
import type { DropHelp } from "./drops";

/** How long until another try, and until the first where a browser does not tell that it rests, in milliseconds. */
const SOON_MS = 1_000;

export function useDrag(board: RefObject<HTMLElement | null>, columns: BoardColumns, help: DropHelp): void {
  const now = useRef({ columns, help });
  useEffect(() => {
    now.current = { columns, help };
  }, [columns, help]);

  useEffect(() => {
    const element = board.current;
    if (element === null) return;
    const stop = new AbortController();
    const options = { signal: stop.signal };
    let drag: typeof dragFrom | null = null;
    let isAsked = false;
    /** The press that holds a card now. */
    let press: PointerEvent | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fetchCode = () => {
      if (isAsked || stop.signal.aborted) return;
      isAsked = true;
      import("./drag-board").then(
        (code) => {
          drag = code.dragFrom;
          if (press !== null && !stop.signal.aborted) drag(press, element, () => now.current);
        },
        () => {
          isAsked = false;
          timer = setTimeout(fetchCode, SOON_MS);
        },
      );
    };
    if (typeof requestIdleCallback === "function") requestIdleCallback(fetchCode);
    else timer = setTimeout(fetchCode, SOON_MS);
    const pressed = (event: PointerEvent) => {
      const on = event.target instanceof Element ? event.target : null;
      const isOnCard = on !== null && on.closest("[data-task-id]") !== null;
      if (event.button !== 0 || event.pointerType === "touch" || !isOnCard || on.closest("button, input, select"))
        return;
      press = event;
      drag?.(event, element, () => now.current);
    };
    const released = () => {
      press = null;
    };
    element.addEventListener("pointerover", fetchCode, options);
    element.addEventListener("pointerdown", pressed, options);
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, released, options);
    globalThis.addEventListener("blur", released, options);
    // A link would be dragged by the browser itself, and text marked across the board.
    element.addEventListener("dragstart", (event) => event.preventDefault(), options);
    element.addEventListener("selectstart", (event) => press !== null && event.preventDefault(), options);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [board]);
}
