/**
 * Looks for words in the kept output that the window does not hold: page by page, away from the window, the nearest first.
 * A page is read as the window would read it, so that it finds the same, and the one with the hit can become the window.
 */
import { concatBytes } from "@/server/core/text/bytes";
import type { KeptPiece, KeptWish } from "../live/kept-output";
import { type OutputArrival, OutputLog, type OutputWindow } from "../live/output-log";
import { keyOfRow, OutputRows, textOfRow } from "./output-rows";
import type { Way } from "./use-find";

/**
 * With the rest of a line from the page before it, a page still fits into the window. No multiple of a row's characters:
 * in a line without an end every page's border would be a row's, which a word is not found across.
 */
const PAGE_BYTES = 1.5 * 1_024 * 1_024;
/** So much of a line without an end is read again with the next page: longer words are not sought. */
const OVERLAP_BYTES = 64 * 1_024;
const LINE_FEED = 10;

export type ReadKept = (wish: KeptWish) => Promise<KeptPiece>;

export interface KeptHit {
  readonly page: OutputArrival;
  readonly key: string;
}

interface KeptSearch {
  readonly window: OutputWindow;
  readonly way: Way;
  /** In small letters and not empty. */
  readonly sought: string;
  readonly read: ReadKept;
  /** After every page in which nothing was found: how many bytes have been looked through. */
  readonly looked: (bytes: number) => void;
}

/** The hit that is nearest to the window; null: there is none that way. */
export async function searchKept({ window, way, sought, read, looked }: KeptSearch): Promise<KeptHit | null> {
  let bytes = 0;
  for await (const page of way < 0 ? pagesBefore(window, read) : pagesAfter(window, read)) {
    const log = new OutputLog(page.offset);
    log.take(page);
    const rows = new OutputRows().of(log.window().pieces);
    const isHit = (row: (typeof rows)[number]) => textOfRow(row).toLowerCase().includes(sought);
    const row = way < 0 ? rows.findLast(isHit) : rows.find(isHit);
    if (row !== undefined) return { page, key: keyOfRow(row) };
    bytes += page.bytes.length;
    looked(bytes);
  }
  return null;
}

/** Each with the rest of its last line, which stands in the page behind it. */
async function* pagesBefore({ start, pieces }: OutputWindow, read: ReadKept): AsyncGenerator<OutputArrival> {
  let before = start;
  let rest = firstLine(pieces[0]?.bytes ?? new Uint8Array());
  while (before > 0) {
    const piece = await read({ before, limit: PAGE_BYTES });
    const isPlain = piece.bytes.length === piece.next - piece.offset;
    const isWhole = isPlain && piece.bytes.at(-1) === LINE_FEED;
    const bytes = isWhole ? piece.bytes : concatBytes([piece.bytes, rest]);
    yield { offset: piece.offset, next: piece.next + (isWhole ? 0 : rest.length), bytes, complete: false };
    if (!(piece.offset < before)) return;
    rest = firstLine(bytes);
    before = piece.offset;
  }
}

/** Each with the beginning of its first line, which stands in the page before it. */
async function* pagesAfter({ end, pieces }: OutputWindow, read: ReadKept): AsyncGenerator<OutputArrival> {
  let offset = end;
  let rest = lastLine(pieces.at(-1)?.bytes ?? new Uint8Array());
  for (;;) {
    const piece = await read({ offset, limit: PAGE_BYTES });
    if (piece.bytes.length === 0) return;
    const bytes = concatBytes([rest, piece.bytes]);
    yield { offset: offset - rest.length, next: piece.next, bytes, complete: false };
    rest = lastLine(bytes);
    offset = piece.next;
  }
}

/** What a window that begins with these bytes leaves out, as it begins with a whole line. */
function firstLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(LINE_FEED) + 1;
  return bytes.subarray(0, end > 0 && end < bytes.length ? end : OVERLAP_BYTES);
}

/** With the line break before it, so that a window that begins with it holds it whole. */
function lastLine(bytes: Uint8Array): Uint8Array {
  const start = Math.max(0, bytes.lastIndexOf(LINE_FEED));
  return bytes.subarray(bytes.length - start <= PAGE_BYTES ? start : bytes.length - OVERLAP_BYTES);
}
