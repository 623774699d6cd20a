"use client";
/**
 * The rows of an output, of which only those on the screen are in the document. Follows the tail while one stands at it;
 * whoever scrolled up stays where they are, whatever comes or goes before and behind (LOG-4).
 */
import { elementScroll, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useFollowEnd, useStanding } from "./follow-end";
import type { OutputRow } from "./output-rows";
import { Row } from "./row";
import type { Find } from "./use-find";

const ROW_PX = 18;
/** Rows drawn before and behind what is seen. */
const SPARE_ROWS = 20;

interface LogProps {
  /** What is scrolled. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rows: readonly OutputRow[];
  readonly find: Find;
  readonly isFollowing: boolean;
  readonly follow: (isFollowing: boolean) => void;
  readonly isAtWork: boolean;
  readonly nearStart: () => void;
  /** Goes on behind the last row; null: that is the end. */
  readonly later: (() => void) | null;
  /** What is said when there is nothing. */
  readonly empty: string;
}

export function Log({ box, rows, find, isFollowing, follow, isAtWork, nearStart, later, empty }: LogProps) {
  // The virtualizer is one object that changes inside; remembered results would show old rows.
  "use no memo";
  const standing = useStanding(box);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (place) => rows[place]?.key ?? place,
    overscan: SPARE_ROWS,
    initialRect: { width: 800, height: 600 },
    scrollToFn: (...where) => {
      elementScroll(...where);
      standing.placed();
    },
  });
  const items = virtualizer.getVirtualItems();
  const height = virtualizer.getTotalSize();

  const scrolled = useFollowEnd({ box, standing, height, isFollowing, follow, nearStart, later });
  useKeptPlace(rows, isFollowing, virtualizer);
  const hit = find.row === null ? undefined : rows[find.row]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another hit that is gone to, not rows before the same one
  useEffect(() => {
    if (find.row !== null) virtualizer.scrollToIndex(find.row, { align: "center" });
  }, [hit, virtualizer]);

  return (
    <div
      ref={box}
      className="term"
      role="log"
      aria-label="Output"
      aria-live={isFollowing ? "polite" : "off"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
      tabIndex={0}
      onScroll={scrolled}
    >
      {rows.length === 0 ? <p className="out-empty">{empty}</p> : null}
      <div className="out-rows" style={{ height }}>
        {items.map(({ key, index, start }) => (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={`out-row ${index === find.row ? "is-hit" : ""}`}
            style={{ transform: `translateY(${start}px)` }}
            dir="auto"
          >
            <RowAt row={rows[index]} sought={find.sought} />
          </div>
        ))}
      </div>
      {isAtWork && rows.length > 0 ? <span className="tail" aria-hidden="true" /> : null}
    </div>
  );
}

function RowAt({ row, sought }: { row: OutputRow | undefined; sought: string }) {
  return row === undefined ? null : <Row line={row.line} sought={sought} />;
}

type Virtualizer = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;

/** When rows before the first seen one come or go, the seen ones do not move. */
function useKeptPlace(rows: readonly OutputRow[], isFollowing: boolean, virtualizer: Virtualizer): void {
  const before = useRef<{ first: string | undefined; seen: string | undefined; inside: number }>(undefined);
  const offset = virtualizer.scrollOffset ?? 0;
  const seen = virtualizer.getVirtualItemForOffset(offset);
  useLayoutEffect(() => {
    const held = before.current;
    const first = rows[0]?.key;
    if (held !== undefined && held.first !== first && !isFollowing) {
      const place = rows.findIndex(({ key }) => key === held.seen);
      const start = virtualizer.getOffsetForIndex(Math.max(0, place), "start")?.[0];
      if (start !== undefined) virtualizer.scrollToOffset(start + held.inside);
    }
    before.current = { first, seen: rows[seen?.index ?? 0]?.key, inside: offset - (seen?.start ?? 0) };
  });
}
