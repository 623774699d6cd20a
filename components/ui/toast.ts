/**
 * Short news at the edge of the screen, with at most one thing to do about it, which is read aloud too. Drawn by
 * `frame/news.tsx`; what comes before that is there waits for it.
 */
import type { IconName, MarkName } from "./icon";

export interface Toast {
  readonly text: string;
  readonly icon?: IconName;
  readonly mark?: MarkName;
  readonly isBad?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

type Show = (news: Toast) => void;

let shown: Show | null = null;
const waiting: Toast[] = [];

export function toast(news: Toast): void {
  if (shown === null) waiting.push(news);
  else shown(news);
}

/** From now on `show` draws the news, what waited first; until what this returns is called. */
export function drawToasts(show: Show): () => void {
  shown = show;
  for (const news of waiting.splice(0)) show(news);
  return () => {
    if (shown === show) shown = null;
  };
}
