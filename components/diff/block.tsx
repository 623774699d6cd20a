"use client";
/** Some rows of a file that are drawn together, once they are near the screen; before that, the room they will take. */
import { Fragment, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { scrollerOf } from "../ui/into-view";
import { CommentBox } from "./comment-box";
import { isAt, type LineComment, type LinePlace } from "./comments";
import { COLUMNS, FullRow, PairRow, UnifiedRow } from "./line-row";
import type { ContentLine } from "./patch";
import type { SideRow } from "./sides";
import type { Colours } from "./use-colours";
import type { DiffLayout } from "./use-layout";

export type BlockRow = SideRow | { readonly kind: "line"; readonly line: ContentLine };

/** Height of a line that is not wrapped; how far beside the screen blocks are drawn. Both in pixels. */
const ROW_PX = 20;
const NEAR_PX = 1_500;

interface BlockProps {
  readonly taskId: string;
  readonly rows: readonly BlockRow[];
  /** Those on these rows. */
  readonly comments: readonly LineComment[];
  readonly colours: Colours;
  readonly layout: DiffLayout;
  /** Drawn wherever it is. */
  readonly isAlways: boolean;
  /** The line whose comment was begun just now, as `side:line`. */
  readonly fresh: string | null;
  readonly closed: (place: LinePlace) => void;
}

export function Block(props: BlockProps) {
  const { rows, isAlways, layout } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { isNear, height } = useNear(body, !isAlways, rows.length * ROW_PX);
  if (!isAlways && !isNear) {
    return (
      <tbody ref={body}>
        <tr>
          <td colSpan={COLUMNS[layout]} style={{ height }} />
        </tr>
      </tbody>
    );
  }
  return (
    <tbody ref={body}>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a patch never change
        <Fragment key={place}>
          <Row row={row} {...props} />
          {linesOf(row).map((line) => (
            <Comments key={line.kind} line={line} {...props} />
          ))}
        </Fragment>
      ))}
    </tbody>
  );
}

function Row({ row, colours, layout }: BlockProps & { row: BlockRow }): ReactNode {
  switch (row.kind) {
    case "full":
      return <FullRow line={row.line} span={COLUMNS[layout]} />;
    case "line":
      return <UnifiedRow line={row.line} colours={colours} />;
    case "pair":
      return <PairRow row={row} colours={colours} />;
    default:
      return row satisfies never;
  }
}

/** Those that comments can stand on. */
function linesOf(row: BlockRow): readonly ContentLine[] {
  if (row.kind === "full") return [];
  if (row.kind === "line") return [row.line];
  const { old, new: now } = row;
  return [old?.kind === "removed" ? old : null, now].filter((line) => line !== null);
}

function Comments({ line, taskId, comments, layout, fresh, closed }: BlockProps & { line: ContentLine }) {
  const here = comments.filter((comment) => isAt(comment, line));
  return here.map((comment) => (
    <tr key={comment.id} className="c">
      <td colSpan={COLUMNS[layout]}>
        <CommentBox
          taskId={taskId}
          comment={comment}
          isFresh={fresh === `${comment.side}:${comment.line}`}
          closed={() => closed(comment)}
        />
      </td>
    </tr>
  ));
}

/** Whether the rows are near the screen; while they are not, the height they had, at first a guess. */
function useNear(body: RefObject<HTMLElement | null>, isAsked: boolean, guess: number) {
  const [near, setNear] = useState({ isNear: false, height: guess });
  useEffect(() => {
    const element = body.current;
    if (element === null || !isAsked) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        // Whoever writes or reads in it with the keyboard keeps it.
        const isHeld = element.contains(document.activeElement);
        setNear(({ isNear, height }) => ({
          isNear: entry.isIntersecting || isHeld,
          height: isNear ? entry.boundingClientRect.height : height,
        }));
      },
      { root: scrollerOf(element), rootMargin: `${NEAR_PX}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [body, isAsked]);
  return near;
}
