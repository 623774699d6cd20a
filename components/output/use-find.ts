"use client";
/** Looks for words in the held rows; knows which hit one stands at, whatever rows come or go around it. */
import { useMemo, useState } from "react";

/** Back or on. */
export type Way = -1 | 1;

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
  step(by: Way): void;
  /** Stands at the row with this key, which comes now. */
  land(key: string): void;
}

interface Searched<Row> {
  readonly textOf: (row: Row) => string;
  /** Stable for as long as the row is there. */
  readonly keyOf: (row: Row) => string;
}

interface Chosen {
  readonly place: number;
  readonly key: string | null;
}

const FIRST: Chosen = { place: 0, key: null };

/** `textOf` and `keyOf`: the same functions every time. */
export function useFind<Row>(rows: readonly Row[], { textOf, keyOf }: Searched<Row>): Find {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(FIRST);
  const sought = isOpen ? words.toLowerCase() : "";
  const hits = useMemo(() => hitsIn(rows, textOf, sought), [rows, textOf, sought]);
  const keyAt = (at: number) => {
    const row = rows[hits[at] ?? -1];
    return row === undefined ? null : keyOf(row);
  };
  const held = chosen.key === null ? -1 : hits.findIndex((_, at) => keyAt(at) === chosen.key);
  const place = held >= 0 ? held : Math.max(0, Math.min(chosen.place, hits.length - 1));
  // The first hit is stood at, too: rows that are loaded before it do not take one away from it.
  if (held < 0 && hits.length > 0) setChosen({ place, key: keyAt(place) });
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
      setChosen(FIRST);
    },
    step: (by) => {
      const next = hits.length === 0 ? 0 : (place + by + hits.length) % hits.length;
      setChosen({ place: next, key: keyAt(next) });
    },
    land: (key) => setChosen({ place: 0, key }),
  };
}

function hitsIn<Row>(rows: readonly Row[], textOf: (row: Row) => string, sought: string): readonly number[] {
  if (sought === "") return [];
  const hits: number[] = [];
  for (const [place, row] of rows.entries()) if (textOf(row).toLowerCase().includes(sought)) hits.push(place);
  return hits;
}
