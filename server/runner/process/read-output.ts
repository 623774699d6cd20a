/**
 * Reads a run's output at an offset (R6), while it is written and after.
 *
 * The hole: of a long output the middle is not kept. An answer never goes past the beginning of the hole; the next one, asked
 * for at that offset (or at any other inside the hole), begins with one line `[… N bytes left out …]` and goes on with the
 * bytes behind the hole. The line takes no offsets and does not count against the limit: so `next` is not offset + length
 * there, and must be taken as it is told. While the agent runs, the hole begins where the journal's oldest segment was
 * removed; once it is over, the hole is what lies between the first 40 MB and the last 10 MB, for everybody.
 */
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { OutputChunk, OutputExtent } from "../../ports/runner";
import { segmentOffset, TAIL_BYTES } from "../host/journal";
import { isErrorCode, JOURNAL_HEAD_FILE } from "../host/run-folder";
import { readLife } from "./probe-run";

interface Piece {
  readonly path: string;
  readonly start: number;
}

interface Layout {
  readonly headBytes: number;
  /** Oldest first; empty while everything fits into the head. */
  readonly segments: readonly Piece[];
}

const NOTHING = new Uint8Array(0);

export async function readOutput(folder: string, offset: number, limit: number): Promise<OutputChunk> {
  // First whether it is over, then the bytes: in the other order the last ones could be missed.
  const life = await readLife(folder);
  const endedBytes = life.kind === "ended" ? life.ending.outputBytes : null;
  const { bytes, next, isAtEnd } = await readBytes(folder, offset, limit, endedBytes);
  const isOver = life.kind === "ended" || life.kind === "hostless" || (life.kind === "unclaimed" && life.isGivenUp);
  return { bytes, next, complete: isOver && (endedBytes === null ? isAtEnd : next >= endedBytes) };
}

/** How much there is, and which part of it is kept: from the names and sizes of the files alone. */
export async function outputExtent(folder: string): Promise<OutputExtent> {
  const life = await readLife(folder);
  const endedBytes = life.kind === "ended" ? life.ending.outputBytes : null;
  const { headBytes, segments } = await readLayout(folder);
  const newest = segments.at(-1) ?? { path: join(folder, JOURNAL_HEAD_FILE), start: 0 };
  const found = await stat(newest.path).catch(nullIfAbsent);
  if (found === null || found.size === 0) return { end: newest.start, hole: null, lastAt: null };
  const holeEnd = holeEndOf(segments, endedBytes);
  const hole = holeEnd > headBytes ? { from: headBytes, to: holeEnd } : null;
  return { end: newest.start + found.size, hole, lastAt: Math.round(found.mtimeMs) };
}

/** Where the kept end of the output begins; 0 while everything is kept. */
function holeEndOf([oldest]: readonly Piece[], endedBytes: number | null): number {
  return oldest === undefined ? 0 : Math.max(oldest.start, (endedBytes ?? 0) - TAIL_BYTES);
}

interface Found {
  readonly bytes: Uint8Array;
  readonly next: number;
  /** Nothing more was there when we looked. */
  readonly isAtEnd: boolean;
}

/**
 * A segment may be removed between the look at the folder and the reading: then the picture has changed, look again. A fast
 * writer removes them faster than they are opened, so each further try passes over more of the oldest; the newest stays.
 */
const TRIES = 5;

async function readBytes(folder: string, offset: number, limit: number, endedBytes: number | null): Promise<Found> {
  for (let tries = 1; ; tries++) {
    try {
      return await readOnce(folder, offset, limit, endedBytes, 2 ** (tries - 1) - 1);
    } catch (error) {
      if (!isErrorCode(error, "ENOENT") || tries === TRIES) throw error;
    }
  }
}

async function readOnce(
  folder: string,
  offset: number,
  limit: number,
  endedBytes: number | null,
  passedOver: number,
): Promise<Found> {
  const { headBytes, segments: present } = await readLayout(folder);
  const segments = present.slice(Math.min(passedOver, Math.max(0, present.length - 1)));
  const head = { path: join(folder, JOURNAL_HEAD_FILE), start: 0 };
  if (offset < headBytes || segments.length === 0) {
    if (offset >= headBytes) return { bytes: NOTHING, next: offset, isAtEnd: true };
    const bytes = await readPieces([head], offset, Math.min(limit, headBytes - offset));
    const next = offset + bytes.length;
    return { bytes, next, isAtEnd: next >= headBytes && segments.length === 0 };
  }
  const from = Math.max(offset, holeEndOf(segments, endedBytes));
  const kept = await readPieces(segments, from, limit);
  const marker = from > offset ? await markerFor(head.path, from - offset, headBytes) : NOTHING;
  return { bytes: Buffer.concat([marker, kept]), next: from + kept.length, isAtEnd: kept.length < limit };
}

async function readLayout(folder: string): Promise<Layout> {
  // The segments first: once there is one, the head does not grow any more.
  const names = await readdir(folder).catch(emptyIfAbsent);
  const segments = names
    .flatMap((name) => {
      const start = segmentOffset(name);
      return start === null ? [] : [{ path: join(folder, name), start }];
    })
    .sort((left, right) => left.start - right.start);
  const headBytes = await stat(join(folder, JOURNAL_HEAD_FILE)).then(
    (found) => found.size,
    (error: unknown) => nullIfAbsent(error) ?? 0,
  );
  return { headBytes, segments };
}

function nullIfAbsent(error: unknown): null {
  if (isErrorCode(error, "ENOENT", "ENOTDIR")) return null;
  throw error;
}

function emptyIfAbsent(error: unknown): string[] {
  if (isErrorCode(error, "ENOENT")) return [];
  throw error;
}

/** Up to `limit` bytes from `offset` on; fewer when no more are there. */
async function readPieces(pieces: readonly Piece[], offset: number, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let at = offset;
  const end = offset + limit;
  for (const [index, piece] of pieces.entries()) {
    const pieceEnd = pieces[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    if (at >= end) break;
    if (at < piece.start || at >= pieceEnd) continue;
    const bytes = await readFrom(piece.path, at - piece.start, Math.min(end, pieceEnd) - at);
    parts.push(bytes);
    at += bytes.length;
    if (at < pieceEnd) break;
  }
  return parts.length === 1 ? (parts[0] ?? NOTHING) : Buffer.concat(parts);
}

async function readFrom(path: string, position: number, length: number): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await file.close();
  }
}

/** On a line of its own, also when the last kept line before the hole was cut in the middle. */
async function markerFor(headPath: string, leftOut: number, headBytes: number): Promise<Uint8Array> {
  const [last] = await readFrom(headPath, headBytes - 1, 1);
  const lineEnd = last === NEWLINE ? "" : "\n";
  return new TextEncoder().encode(`${lineEnd}[… ${leftOut} bytes left out …]\n`);
}

const NEWLINE = 10;
