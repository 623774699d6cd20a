/**
 * Keeps up with one attempt's output for its last action, without reading all of it: what came too fast is leapt over, in
 * steps that grow to the end and then shrink. Never the source of the output that people read.
 */
import type { AttemptRef } from "../../core/words";
import type { Runner } from "../../ports/runner";

/** Bytes per look: enough for the last line. */
const PIECE_BYTES = 16 * 1024;
/** Looks per call; with doubling steps this covers any output. */
const LOOKS_MAX = 60;

export interface OutputTail {
  /** The end of the output as it is now (cut at a byte, not at a line), or null when nothing came since the last call. */
  newest(): Promise<Uint8Array | null>;
  /** The offset up to which output was seen. */
  readonly offset: number;
}

export function createOutputTail(runner: Pick<Runner, "read">, run: AttemptRef): OutputTail {
  let offset = 0;
  let end: Uint8Array = new Uint8Array(0);

  return {
    get offset() {
      return offset;
    },
    async newest() {
      const before = offset;
      let leap = 0;
      let isGrowing = true;
      for (let look = 0; look < LOOKS_MAX; look++) {
        const { bytes, next } = await runner.read(run, offset + leap, PIECE_BYTES);
        if (bytes.length > 0) {
          // What was leapt over is missing in between, so the old end says nothing about this line.
          end = leap === 0 ? Buffer.concat([end, bytes]).subarray(-PIECE_BYTES) : bytes;
          offset = next;
          // A short answer is the end or the edge of a piece: the next look tells.
          if (bytes.length < PIECE_BYTES) isGrowing = false;
          if (isGrowing) leap = Math.max(PIECE_BYTES, leap * 2);
        } else if (leap === 0) {
          break;
        } else {
          isGrowing = false;
        }
        if (!isGrowing) leap = leap > PIECE_BYTES ? Math.floor(leap / 2) : 0;
      }
      return offset > before ? end : null;
    },
  };
}
