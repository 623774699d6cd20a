/**
 * Ends terminal strings (`ESC ]`, `ESC P`, `ESC X`, `ESC ^`, `ESC _`) that a line break stands in: a terminal waits for
 * their end and shows nothing of what comes meanwhile, so that one forgotten end would hide all that follows (SEC-4).
 */

import { concatBytes } from "@/server/core/text/bytes";

const ESC = 0x1b;
const BEL = 0x07;
const LINE_FEED = 0x0a;
/** What makes a string of what follows `ESC`. */
const STRING_STARTS: ReadonlySet<number> = new Set([..."]PX^_"].map((letter) => letter.charCodeAt(0)));
/** `ESC \`. */
const END = [ESC, 0x5c];

export interface StringEnds {
  /** The next bytes of the stream, with ends where they are missing; the same bytes where none is. */
  mend(bytes: Uint8Array): Uint8Array;
}

export function createStringEnds(): StringEnds {
  let state: "text" | "escape" | "string" = "text";

  const step = (byte: number): boolean => {
    const isMissing = state === "string" && byte === LINE_FEED;
    if (byte === ESC) state = "escape";
    else if (state === "escape") state = STRING_STARTS.has(byte) ? "string" : "text";
    else if (isMissing || byte === BEL) state = "text";
    return isMissing;
  };

  return {
    mend(bytes) {
      const parts: Uint8Array[] = [];
      let from = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        if (!step(bytes[at] ?? 0)) continue;
        parts.push(bytes.subarray(from, at), Uint8Array.from(END));
        from = at;
      }
      if (parts.length === 0) return bytes;
      parts.push(bytes.subarray(from));
      return concatBytes(parts);
    },
  };
}
