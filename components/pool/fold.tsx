"use client";
/**
 * A long list shows its first rows; all of them stand in a scroller of their own, so that what stands beside and below the
 * list stays in reach however many wait.
 */
import { type ReactNode, useId, useState } from "react";
import { LINE_SHOWN_MAX } from "../profile/line-order";

/** Rows of a list that nobody unfolded. */
const FOLDED_MAX = 10;

interface FoldProps {
  readonly count: number;
  /** Draws as many rows. */
  readonly children: (rowsMax: number) => ReactNode;
}

export function Fold({ count, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isLong = count > FOLDED_MAX;
  const all = count > LINE_SHOWN_MAX ? `the first ${LINE_SHOWN_MAX} of ${count}` : `all ${count}`;
  return (
    <>
      <div id={id} className={isLong && isOpen ? "fold-scroll" : ""}>
        {children(isLong && !isOpen ? FOLDED_MAX : LINE_SHOWN_MAX)}
      </div>
      {isLong ? (
        <button
          type="button"
          className="more fold-more"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? `Show ${FOLDED_MAX} only` : `Show ${all}`}
        </button>
      ) : null}
    </>
  );
}
