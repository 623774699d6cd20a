"use client";
/** Keeps how much has not been seen in the window's title, whatever pages write there. */
import { useEffect } from "react";
import { useSlot } from "../ui/slot";
import { titleWith } from "./notices";
import { unseenSlot } from "./unseen";

export function useTitleFigure(): void {
  const count = useSlot(unseenSlot)?.length ?? 0;
  useEffect(() => {
    write(count);
    const observer = new MutationObserver(() => write(count));
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      write(0);
    };
  }, [count]);
}

/** A page between two titles has none for a moment: one that is written then would stay beside the next one. */
function write(count: number): void {
  const title = titleWith(count, document.title);
  if (document.title !== "" && title !== document.title) document.title = title;
}
