/** What a task's window is called, the same from the server and, live, from the page. */
import { inSentence } from "../ui/written";

/** Longest part of a task's title in the window's, in characters. */
const TITLE_SHOWN_MAX = 120;

export function windowTitleOf(number: number, title: string): string {
  return `#${number} ${inSentence(title.slice(0, TITLE_SHOWN_MAX))}`;
}
