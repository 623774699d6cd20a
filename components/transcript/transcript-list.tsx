"use client";
/** The rows of a transcript, of which only those on the screen are in the document. */
import { elementScroll, useVirtualizer } from "@tanstack/react-virtual";
import { type ComponentType, type RefObject, useCallback, useEffect, useState } from "react";
import { useFollowEnd, useStanding } from "../output/follow-end";
import type { Find } from "../output/use-find";
import { Item } from "./item";
import type { TranscriptRow } from "./rows";

/** What a row is taken for until it was drawn. */
const ROW_PX = 32;
/** Rows drawn before and behind what is seen. */
const SPARE_ROWS = 8;

interface TranscriptListProps {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rows: readonly TranscriptRow[];
  readonly find: Find;
  readonly isFollowing: boolean;
  readonly follow: (isFollowing: boolean) => void;
  readonly isAtWork: boolean;
  readonly Markdown: ComponentType<{ text: string }> | null;
  /** What is said when there is nothing. */
  readonly empty: string;
}

export function TranscriptList(props: TranscriptListProps) {
  // The virtualizer is one object that changes inside; remembered results would show old rows.
  "use no memo";
  const { box, rows, find, isFollowing, follow, isAtWork, Markdown, empty } = props;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((n: number) => {
    setOpened((before) => {
      const after = new Set(before);
      if (!after.delete(n)) after.add(n);
      return after;
    });
  }, []);
  const standing = useStanding(box);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (place) => rows[place]?.n ?? place,
    overscan: SPARE_ROWS,
    initialRect: { width: 800, height: 600 },
    scrollToFn: (...where) => {
      elementScroll(...where);
      standing.placed();
    },
  });
  // Who follows the end is taken there by the height; another hand at the same wheel would pull them back.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isFollowing ? () => false : undefined;
  const height = virtualizer.getTotalSize();
  const scrolled = useFollowEnd({ box, standing, height, isFollowing, follow });
  useEffect(() => {
    if (find.row !== null) virtualizer.scrollToIndex(find.row, { align: "center" });
  }, [find.row, virtualizer]);

  return (
    <div
      ref={box}
      className="transcript"
      role="log"
      aria-label="Transcript"
      aria-live={isFollowing ? "polite" : "off"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
      tabIndex={0}
      onScroll={scrolled}
    >
      {rows.length === 0 ? <p className="faint">{empty}</p> : null}
      <div className="transcript-rows" style={{ height }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={`transcript-row ${index === find.row ? "is-hit" : ""}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Item
                row={row}
                isOpen={opened.has(row.n) || (find.sought !== "" && index === find.row)}
                toggle={toggle}
                sought={find.sought}
                Markdown={Markdown}
              />
            </div>
          );
        })}
      </div>
      {isAtWork && rows.length > 0 ? <span className="tail" aria-hidden="true" /> : null}
    </div>
  );
}
