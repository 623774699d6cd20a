"use client";
/**
 * The lines of one file with their comments, unified or side by side. Of a long file only what is near the screen is drawn.
 * Mouse: the gutter begins a comment. Keyboard: the lines are one stop of the Tab key, arrows go from line to line, also from
 * the one that was clicked, Enter begins a comment.
 */
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { toast } from "../ui/toast";
import { Block, type BlockRow } from "./block";
import { beginComment } from "./comment-store";
import { isAt, type LineComment, type LinePlace, placeOf } from "./comments";
import { isContent, type PatchLine } from "./patch";
import { sideBySide } from "./sides";
import { useColours } from "./use-colours";
import type { DiffLayout } from "./use-layout";

/** Rows of one block; a file of no more blocks than this is drawn whole. */
const BLOCK_ROWS = 100;
const WHOLE_MAX_BLOCKS = 6;

interface LinesProps {
  readonly taskId: string;
  readonly path: string;
  readonly lines: readonly PatchLine[];
  readonly comments: readonly LineComment[];
  readonly layout: DiffLayout;
}

export function Lines({ taskId, path, lines, comments, layout }: LinesProps) {
  const colours = useColours(path, lines);
  const box = useRef<HTMLDivElement>(null);
  const [fresh, setFresh] = useState<string | null>(null);
  const begin = (place: Pick<LinePlace, "side" | "line">) => {
    const line = lines.find((one) => isContent(one) && isAt({ ...place, path, quote: "" }, one));
    if (line === undefined || !isContent(line)) return;
    const why = beginComment(taskId, placeOf(path, line));
    if (why !== null) toast({ icon: "alert", isBad: true, text: why });
    setFresh(keyOf(place));
  };
  const clicked = (event: MouseEvent) => {
    const button = (event.target as Element).closest<HTMLElement>("button[data-line]");
    const [side, line] = button?.dataset.line?.split(":") ?? [];
    if (side === "old" || side === "new") begin({ side, line: Number(line) });
    else if (globalThis.getSelection()?.isCollapsed !== false)
      buttonOf(event.target as Element)?.focus({ preventScroll: true });
  };
  const closed = (place: LinePlace) => {
    setFresh(null);
    box.current?.querySelector<HTMLElement>(`button[data-line="${keyOf(place)}"]`)?.focus();
  };
  const blocks = blocksOf(lines, layout, comments);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields are grouped here
    <div
      ref={box}
      className="lines"
      role="group"
      aria-label="Lines: arrow keys move, Enter comments"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: from here the arrow keys go into the lines
      tabIndex={0}
      onClick={clicked}
      onKeyDown={moved}
    >
      <table className={layout}>
        <Widths layout={layout} />
        {blocks.map((block, place) => (
          <Block
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their places
            key={place}
            rows={block.rows}
            comments={block.comments}
            isAlways={blocks.length <= WHOLE_MAX_BLOCKS}
            taskId={taskId}
            colours={colours}
            layout={layout}
            fresh={fresh}
            closed={closed}
          />
        ))}
      </table>
    </div>
  );
}

function Widths({ layout }: { layout: DiffLayout }) {
  if (layout === "unified") {
    return (
      <colgroup>
        <col className="ln" />
        <col className="ln" />
        <col className="sg" />
        <col />
      </colgroup>
    );
  }
  return (
    <colgroup>
      <col className="ln" />
      <col className="sg" />
      <col />
      <col className="ln" />
      <col className="sg" />
      <col />
    </colgroup>
  );
}

function keyOf({ side, line }: Pick<LinePlace, "side" | "line">): string {
  return `${side}:${line}`;
}

interface BlockOfRows {
  readonly rows: readonly BlockRow[];
  readonly comments: readonly LineComment[];
}

function blocksOf(
  lines: readonly PatchLine[],
  layout: DiffLayout,
  comments: readonly LineComment[],
): readonly BlockOfRows[] {
  const rows: readonly BlockRow[] =
    layout === "split"
      ? sideBySide(lines)
      : lines.map((line) => (isContent(line) ? { kind: "line", line } : { kind: "full", line }));
  const blocks: BlockOfRows[] = [];
  for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
    const some = rows.slice(from, from + BLOCK_ROWS);
    blocks.push({ rows: some, comments: comments.filter((comment) => some.some((row) => stands(comment, row))) });
  }
  return blocks;
}

function stands(comment: LineComment, row: BlockRow): boolean {
  switch (row.kind) {
    case "full":
      return false;
    case "line":
      return isAt(comment, row.line);
    case "pair":
      return (row.old !== null && isAt(comment, row.old)) || (row.new !== null && isAt(comment, row.new));
    default:
      return row satisfies never;
  }
}

/** Of the line that a cell belongs to; null: it is no line's. */
function buttonOf(target: Element): HTMLElement | null {
  const cell = target.closest("td");
  const before = cell?.previousElementSibling?.querySelector<HTMLElement>("button[data-line]");
  return before ?? cell?.closest("tr")?.querySelector<HTMLElement>("button[data-line]") ?? null;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** From line to line; from outside of them to the first one that is on the screen. */
function moved(event: KeyboardEvent<HTMLDivElement>): void {
  const step = STEPS[event.key];
  const target = event.target as HTMLElement;
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const isOnLine = target.dataset.line !== undefined;
  if (!isOnLine && target !== event.currentTarget) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button[data-line]")];
  const next = isOnLine
    ? buttons[buttons.indexOf(target) + step]
    : buttons.find((button) => button.getBoundingClientRect().top >= topOf(event.currentTarget));
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Of what is seen of the lines: the file's name stays above them, whatever is scrolled. */
function topOf(lines: HTMLElement): number {
  return lines.closest("section")?.querySelector("h2")?.getBoundingClientRect().bottom ?? 0;
}
