import type { ClipboardEvent } from "react";
import { directionOf } from "./written";

/** For `onPaste`, with `dir={directionOf(…)}`: once a long text is in the box, the browser has begun to look for its direction. */
export function beforeLongPaste(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const box = event.currentTarget;
  const direction = directionOf(event.clipboardData.getData("text/plain"));
  if (box.dir === "auto" && direction !== "auto") box.dir = direction;
}
