/** Marks the sought words where they stand in a text. */
import type { ReactNode } from "react";

/** `sought` is in small letters and not empty. */
export function marked(text: string, sought: string): ReactNode {
  const low = text.toLowerCase();
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = low.indexOf(sought); at >= 0; at = low.indexOf(sought, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + sought.length)}</mark>);
    from = at + sought.length;
  }
  parts.push(text.slice(from));
  return parts;
}
