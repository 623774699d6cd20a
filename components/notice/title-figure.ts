"use client";
/** Keeps how much has not been seen in the window's title, whatever pages write there. */
import { useEffect } from "react";
import { useSlot } from "../ui/slot";
import { titleWith } from "./notices";
import { unseenSlot } from "./unseen";

export function useTitleFigure(): void {
  const count = useSlot(unseenSlot)?.length ?? 0;
  useEffect(() => {
    const write = () => {
      const title = titleWith(count, document.title);
      // A page between two titles has none for a moment.
      if (document.title !== "" && title !== document.title) document.title = title;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = titleWith(0, document.title);
    };
  }, [count]);
}
