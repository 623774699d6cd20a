"use client";
/** Goes from hit to hit beyond what is loaded: the kept output is looked through, and the window moves to where it is found. */
import { startTransition, useEffect, useRef, useState } from "react";
import { sentenceOf } from "../api";
import type { OutputView } from "../live/use-output";
import { toast } from "../ui/toast";
import { searchKept } from "./search-kept";
import type { Find, Way } from "./use-find";

export interface BeyondFind {
  /** Bytes looked through so far; null: nobody looks. */
  readonly lookedBytes: number | null;
  /** Bytes before the window that were not looked through. */
  readonly earlierBytes: number;
  readonly hasLater: boolean;
  search(way: Way): void;
  stop(): void;
}

/** `began`: a search goes on; whoever looks at it follows the end no more. */
export function useKeptSearch(output: OutputView, find: Find, began: () => void): BeyondFind {
  const { sought } = find;
  const [looked, setLooked] = useState<number | null>(null);
  /** The ways on which nothing more was found, for these words from this window. */
  const [ended, setEnded] = useState<readonly Way[]>([]);
  const running = useRef<AbortController | null>(null);

  const stop = () => {
    running.current?.abort();
    running.current = null;
    setLooked(null);
  };
  // Other words, the bar closed, or the page left: nobody waits for this any more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the words that end it
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = null;
      setLooked(null);
      setEnded([]);
    },
    [sought],
  );

  const search = async (way: Way) => {
    if (running.current !== null || sought === "") return;
    const mine = new AbortController();
    running.current = mine;
    began();
    setLooked(0);
    try {
      const hit = await searchKept({
        window: output.window,
        way,
        sought,
        read: (wish) => output.read(wish, mine.signal),
        looked: (bytes) => {
          if (!mine.signal.aborted) setLooked(bytes);
        },
      });
      if (mine.signal.aborted) return;
      if (hit === null) return setEnded((before) => [...before, way]);
      // In one picture: the rows there, and the place among them.
      startTransition(() => {
        output.moveTo(hit.page);
        find.land(hit.key);
        setEnded([]);
      });
    } catch (error) {
      if (!mine.signal.aborted) toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    } finally {
      if (running.current === mine) stop();
    }
  };

  return {
    lookedBytes: looked,
    earlierBytes: ended.includes(-1) ? 0 : output.window.start,
    hasLater: output.hasLater && !ended.includes(1),
    search: (way) => void search(way),
    stop,
  };
}
