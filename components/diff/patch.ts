/**
 * A file's unified patch as lines for the screen: numbers on both sides, what changed within a changed line. Pure; takes
 * whatever stands in the text as text and never throws.
 */
import { withoutDisguise } from "../ui/written";

export type PatchLine =
  | { readonly kind: "head"; readonly text: string }
  | {
      readonly kind: "same" | "added" | "removed";
      readonly old: number | null;
      readonly new: number | null;
      readonly text: string;
      /** [from, to) of the words that differ from the line it replaces. */
      readonly changed: readonly [number, number] | null;
    }
  /** `\ No newline at end of file`. */
  | { readonly kind: "remark"; readonly text: string };

/** A line that stands on a side: not a head and no remark. */
export type ContentLine = Extract<PatchLine, { changed: unknown }>;

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s;

export function readPatch(text: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  const left = { old: 0, new: 0 };
  const at = { old: 0, new: 0 };
  const rows = text.split("\n");
  for (const [place, row] of rows.entries()) {
    if (left.old <= 0 && left.new <= 0 && !row.startsWith("\\")) {
      const hunk = HUNK.exec(row);
      if (hunk === null) continue;
      at.old = Number(hunk[1]);
      at.new = Number(hunk[3]);
      left.old = Number(hunk[2] ?? 1);
      left.new = Number(hunk[4] ?? 1);
      const lineNumbers = left.new === 0 ? `old ${span(at.old, left.old)}` : span(at.new, left.new);
      const where = withoutDisguise(hunk[5] ?? "");
      lines.push({ kind: "head", text: where === "" ? lineNumbers : `${where} · ${lineNumbers}` });
      continue;
    }
    if (row === "" && place === rows.length - 1) break;
    const line = lineOf(row, at);
    if (line.kind === "same" || line.kind === "removed") left.old--;
    if (line.kind === "same" || line.kind === "added") left.new--;
    lines.push(line);
  }
  return withWords(lines);
}

function span(from: number, count: number): string {
  return count === 1 ? `line ${from}` : `lines ${from}–${from + Math.max(0, count - 1)}`;
}

export function isContent(line: PatchLine): line is ContentLine {
  return line.kind !== "head" && line.kind !== "remark";
}

function lineOf(row: string, at: { old: number; new: number }): PatchLine {
  const text = withoutDisguise(row.slice(1));
  switch (row[0]) {
    case "+":
      return { kind: "added", old: null, new: at.new++, text, changed: null };
    case "-":
      return { kind: "removed", old: at.old++, new: null, text, changed: null };
    case "\\":
      return { kind: "remark", text: text.trim() };
    default:
      return { kind: "same", old: at.old++, new: at.new++, text, changed: null };
  }
}

/** As many removed lines followed by as many added ones are pairs; within a pair what differs is marked. */
function withWords(lines: readonly PatchLine[]): PatchLine[] {
  const marked = [...lines];
  for (let start = 0; start < marked.length; ) {
    if (marked[start]?.kind !== "removed") {
      start++;
      continue;
    }
    const added = endOf(marked, start, "removed");
    const end = endOf(marked, added, "added");
    const count = added - start;
    for (let pair = 0; end - added === count && pair < count; pair++) markPair(marked, start + pair, added + pair);
    start = end;
  }
  return marked;
}

function endOf(lines: readonly PatchLine[], from: number, kind: PatchLine["kind"]): number {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return end;
}

function markPair(lines: PatchLine[], removed: number, added: number): void {
  const [one, other] = [lines[removed], lines[added]];
  if (one?.kind !== "removed" || other?.kind !== "added") return;
  const most = Math.min(one.text.length, other.text.length);
  let head = 0;
  while (head < most && one.text[head] === other.text[head]) head++;
  let tail = 0;
  while (tail < most - head && one.text.at(-1 - tail) === other.text.at(-1 - tail)) tail++;
  // Nothing in common says nothing; a character is never cut in two.
  if (one.text.slice(0, head).trim() === "" && tail === 0) return;
  if (isInside(one.text, head) || isInside(one.text, one.text.length - tail)) return;
  lines[removed] = { ...one, changed: [head, one.text.length - tail] };
  lines[added] = { ...other, changed: [head, other.text.length - tail] };
}

function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
