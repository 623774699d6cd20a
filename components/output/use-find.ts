"use client";
/** Looks for words in the held rows; knows which hit one stands at. */
import { useMemo, useState } from "react";

export interface Find {
  readonly isOpen: boolean;
  readonly words: string;
  /** In small letters, ready to be compared; empty while nothing is sought. */
  readonly sought: string;
  readonly hits: readonly number[];
  /** The row one stands at; null without hits. */
  readonly row: number | null;
  readonly place: number;
  open(): void;
  close(): void;
  look(words: string): void;
  step(by: 1 | -1): void;
}

/** `textOf`: what of a row is searched; the same function every time. */
export function useFind<Row>(rows: readonly Row[], textOf: (row: Row) => string): Find {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const sought = isOpen ? words.toLowerCase() : "";
  const hits = useMemo(() => hitsIn(rows, textOf, sought), [rows, textOf, sought]);
  const place = hits.length === 0 ? 0 : Math.min(chosen, hits.length - 1);
  return {
    isOpen,
    words,
    sought,
    hits,
    place,
    row: hits[place] ?? null,
    open: () => setOpen(true),
    close: () => setOpen(false),
    look: (next) => {
      setWords(next);
      setChosen(0);
    },
    step: (by) => setChosen(hits.length === 0 ? 0 : (place + by + hits.length) % hits.length),
  };
}

function hitsIn<Row>(rows: readonly Row[], textOf: (row: Row) => string, sought: string): readonly number[] {
  if (sought === "") return [];
  const hits: number[] = [];
  for (const [place, row] of rows.entries()) if (textOf(row).toLowerCase().includes(sought)) hits.push(place);
  return hits;
}
