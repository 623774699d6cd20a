/**
 * Comments on lines of a diff (W5): where they stand, also after the agent has changed the file again. Pure; kept by
 * `comment-store.ts`, told to the agent by `comment-message.ts`.
 */
import { type ContentLine, isContent, type PatchLine } from "./patch";

export interface LinePlace {
  /** The file's name as the diff has it. */
  readonly path: string;
  /** `old`: a line that was removed; all others are named by their place in the new file. */
  readonly side: "old" | "new";
  /** From 1. */
  readonly line: number;
  /** The line as it was read when the comment was written. */
  readonly quote: string;
}

export interface LineComment extends LinePlace {
  readonly id: string;
  /** Empty: it was begun and never kept. */
  readonly text: string;
  /** What is being written; null: nobody writes. */
  readonly draft: string | null;
  /** The line is not in the diff any more; the comment is sent with the line as it was. */
  readonly isGone: boolean;
}

/** Longest line that is quoted, in characters. */
const QUOTE_MAX_CHARS = 400;

/** Where a comment on this line stands. */
export function placeOf(path: string, line: ContentLine): LinePlace {
  const quote = quoteOf(line);
  return line.kind === "removed"
    ? { path, side: "old", line: line.old ?? 0, quote }
    : { path, side: "new", line: line.new ?? 0, quote };
}

function quoteOf({ text }: ContentLine): string {
  return text.length > QUOTE_MAX_CHARS ? `${text.slice(0, QUOTE_MAX_CHARS)}…` : text;
}

export function isAt(comment: LinePlace, line: ContentLine): boolean {
  const number = comment.side === "old" ? (line.kind === "removed" ? line.old : null) : line.new;
  return number === comment.line;
}

/** Those that will be sent: whatever is being written is not. */
export function keptOf(comments: readonly LineComment[]): readonly LineComment[] {
  return comments.filter(({ text, draft }) => text !== "" && draft === null);
}

/**
 * The same comments where their lines are now: at their number when the line still reads the same, else at the nearest line
 * that does, else gone. `lines`: of the comment's file; null: that file is not changed any more; undefined: not known yet.
 * The very same array when nothing moved.
 */
export function followLines(
  comments: readonly LineComment[],
  lines: (path: string) => readonly PatchLine[] | null | undefined,
): readonly LineComment[] {
  const followed = comments.map((comment) => {
    const now = lines(comment.path);
    return now === undefined ? comment : follow(comment, now ?? []);
  });
  return followed.every((comment, place) => comment === comments[place]) ? comments : followed;
}

function follow(comment: LineComment, lines: readonly PatchLine[]): LineComment {
  let nearest: number | null = null;
  for (const line of lines) {
    if (!isContent(line) || (line.kind === "removed") !== (comment.side === "old")) continue;
    const number = comment.side === "old" ? line.old : line.new;
    if (number === null || quoteOf(line) !== comment.quote) continue;
    if (nearest === null || Math.abs(number - comment.line) < Math.abs(nearest - comment.line)) nearest = number;
    // Blank lines and brackets are everywhere: only the very same place counts for them.
    if (nearest !== comment.line && !/[\p{L}\p{N}]/u.test(comment.quote)) nearest = null;
  }
  if (nearest === null) return comment.isGone ? comment : { ...comment, isGone: true };
  return comment.line === nearest && !comment.isGone ? comment : { ...comment, line: nearest, isGone: false };
}
