/** What stands below the title of a new task: how long it is, once that matters. Nothing that was pasted is cut off. */
import { TITLE_MAX_CHARS, TITLE_TOO_LONG } from "@/server/core/text/titles";

/** A title that fits a card needs no count. Characters. */
const COUNTED_FROM_CHARS = 200;

export function titleNotes(title: string): { readonly hint?: string; readonly mistake: string | null } {
  const { length } = title.trim();
  if (length > TITLE_MAX_CHARS) return { mistake: `${TITLE_TOO_LONG} This one has ${figure(length)}.` };
  if (length <= COUNTED_FROM_CHARS) return { mistake: null };
  return { hint: `${figure(length)} of ${figure(TITLE_MAX_CHARS)} characters`, mistake: null };
}

function figure(count: number): string {
  return count.toLocaleString("en");
}
