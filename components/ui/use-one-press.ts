"use client";
/** For what must not be made twice: a double press is one press, also where the answer to the first came between. */
import { useRef } from "react";

/** A press so soon after the answer to the one before is a part of it, ms. */
const SAME_PRESS_MS = 1_000;

/** Does it, unless the same press did. One that failed may be tried again at once. */
export function useOnePress(): (act: () => Promise<unknown>) => Promise<void> {
  const until = useRef(0);
  return async (act) => {
    if (performance.now() < until.current) return;
    until.current = Number.POSITIVE_INFINITY;
    const isDone = await act().then(
      () => true,
      () => false,
    );
    until.current = isDone ? performance.now() + SAME_PRESS_MS : 0;
  };
}
