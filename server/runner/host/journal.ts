/**
 * The stored output of one run: masked bytes in the order the agent wrote them (R6). Of a long output the first and the
 * last bytes are kept: `journal.head` holds the beginning, then segments `journal.tail.<offset of its first byte>` follow,
 * of which the oldest are removed. Offsets count as if nothing had been removed.
 *
 * Writes synchronously on purpose: the host reads no further bytes before these are written, so a fast agent is slowed
 * down by its pipe and no memory grows. Throws when the disk refuses; what was written until then is counted.
 */
import { closeSync, fsyncSync, futimesSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_HEAD_FILE, JOURNAL_TAIL_PREFIX } from "./run-folder";

const HEAD_BYTES = 40_000_000;
export const TAIL_BYTES = 10_000_000;
const SEGMENT_BYTES = 1_000_000;
const OFFSET_DIGITS = 16;

export interface Journal {
  append(bytes: Uint8Array): void;
  /** What was appended last belongs to that time, ms since 1970: the file that is written now bears it. */
  date(at: number): void;
  /** Offset behind the last byte. */
  readonly end: number;
  /** Makes what was written outlive a power cut, and closes. */
  close(): void;
}

export interface JournalLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly segmentBytes: number;
}

const LIMITS: JournalLimits = { headBytes: HEAD_BYTES, tailBytes: TAIL_BYTES, segmentBytes: SEGMENT_BYTES };

export function openJournal(folder: string, limits: JournalLimits = LIMITS): Journal {
  let file = openSync(join(folder, JOURNAL_HEAD_FILE), "a", 0o600);
  let end = 0;
  /** Where the file that is written now is full. */
  let fileEnd = limits.headBytes;
  const segments: number[] = [];

  const nextSegment = () => {
    closeSync(file);
    file = openSync(join(folder, segmentName(end)), "a", 0o600);
    segments.push(end);
    fileEnd = end + limits.segmentBytes;
    // The first segment may go when those behind it hold the last bytes alone.
    while (segments[1] !== undefined && end - segments[1] >= limits.tailBytes) {
      rmSync(join(folder, segmentName(segments.shift() ?? 0)), { force: true });
    }
  };

  return {
    get end() {
      return end;
    },
    append(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (end === fileEnd) nextSegment();
        const written = writeSync(file, bytes, at, Math.min(bytes.length - at, fileEnd - end));
        at += written;
        end += written;
      }
    },
    date(at) {
      futimesSync(file, at / 1_000, at / 1_000);
    },
    close() {
      try {
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}

function segmentName(offset: number): string {
  return JOURNAL_TAIL_PREFIX + String(offset).padStart(OFFSET_DIGITS, "0");
}

/** The offset a segment's name tells; null for any other file. */
export function segmentOffset(name: string): number | null {
  if (!name.startsWith(JOURNAL_TAIL_PREFIX)) return null;
  const digits = name.slice(JOURNAL_TAIL_PREFIX.length);
  return /^[0-9]+$/.test(digits) ? Number(digits) : null;
}
