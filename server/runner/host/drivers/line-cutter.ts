/** Cuts what an agent writes into lines. Holds one line at most, and of an endless one no more than the longest it knows. */
import { LINE_MAX_BYTES } from "../../../core/agent/lines";

export interface LineCutter {
  push(bytes: Uint8Array): void;
  /** Nothing follows: what is held is told as a line. */
  end(): void;
}

const NEWLINE = 10;

/** `line`: a whole line with its end. `piece`: of a line that is too long to be understood, as it comes. */
export function createLineCutter(
  line: (bytes: Uint8Array) => void,
  piece: (bytes: Uint8Array, isFirst: boolean) => void,
): LineCutter {
  let parts: Uint8Array[] = [];
  let held = 0;
  let isTooLong = false;

  const hold = (bytes: Uint8Array) => {
    parts.push(bytes);
    held += bytes.length;
  };
  const release = (): Uint8Array => {
    const whole = parts.length === 1 ? (parts[0] ?? new Uint8Array()) : Buffer.concat(parts);
    parts = [];
    held = 0;
    return whole;
  };

  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const found = bytes.indexOf(NEWLINE, at);
        const end = found < 0 ? bytes.length : found + 1;
        hold(bytes.slice(at, end));
        at = end;
        const isFirst = !isTooLong;
        if (held > LINE_MAX_BYTES) isTooLong = true;
        if (isTooLong) piece(release(), isFirst);
        else if (found >= 0) line(release());
        if (found >= 0) isTooLong = false;
      }
    },
    end() {
      if (held > 0) line(release());
    },
  };
}
