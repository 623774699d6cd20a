/** How a person reads diffs: remembered in this browser; where there is no room for two sides, always unified. */
import { useState, useSyncExternalStore } from "react";

export type DiffLayout = "unified" | "split";

const KEY = "camelot.diff-layout";
/** As in the style sheets: up to this width it is a phone. */
const PHONE = "(max-width: 900px)";

export interface DiffLayoutChoice {
  readonly layout: DiffLayout;
  choose(layout: DiffLayout): void;
}

export function useDiffLayout(): DiffLayoutChoice {
  const [chosen, setChosen] = useState(remembered);
  const isPhone = useSyncExternalStore(watchWidth, isNarrow, () => false);
  return {
    layout: isPhone ? "unified" : chosen,
    choose: (layout) => {
      setChosen(layout);
      try {
        localStorage.setItem(KEY, layout);
      } catch {
        // Then it holds until the page is left.
      }
    },
  };
}

function remembered(): DiffLayout {
  try {
    return localStorage.getItem(KEY) === "split" ? "split" : "unified";
  } catch {
    return "unified";
  }
}

function watchWidth(listener: () => void): () => void {
  const query = globalThis.matchMedia(PHONE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

function isNarrow(): boolean {
  return globalThis.matchMedia(PHONE).matches;
}
