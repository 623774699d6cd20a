"use client";
/** Following the end of something that grows: stays there while one stands there, and stands still once somebody scrolled up. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** This near to the end counts as standing at it; this near to the beginning more is read. */
const NEAR_PX = { end: 24, start: 240 };

interface Scrolled {
  readonly box: RefObject<HTMLElement | null>;
  readonly isFollowing: boolean;
  readonly follow: (isFollowing: boolean) => void;
  /** Somebody scrolls up and is near the beginning. */
  readonly nearStart?: () => void;
  /** Somebody has come to the end; instead of following from there. */
  readonly later?: (() => void) | null;
}

/** To be told of every scrolling. */
export function useScrolled({ box, isFollowing, follow, nearStart, later = null }: Scrolled): () => void {
  const lastTop = useRef(0);
  return () => {
    const element = box.current;
    if (element === null || element.clientHeight === 0) return;
    const isUpwards = element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    const isAtEnd = left <= NEAR_PX.end;
    // Rows that came since the last picture are no wish to stand still: only a person scrolls upwards.
    if (isFollowing && !isAtEnd && isUpwards) follow(false);
    if (!isFollowing && isAtEnd && !isUpwards) (later ?? (() => follow(true)))();
    if (element.scrollTop < NEAR_PX.start && !isAtEnd && isUpwards) nearStart?.();
  };
}

/** Stays at the end as rows come, as their true heights become known, and as the box itself grows or shrinks. */
export function useTail(box: RefObject<HTMLElement | null>, isFollowing: boolean, height: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the height that moves the end
  useLayoutEffect(() => {
    const element = box.current;
    if (isFollowing && element !== null) element.scrollTop = element.scrollHeight;
  }, [box, isFollowing, height]);
  useEffect(() => {
    const element = box.current;
    if (!isFollowing || element === null) return;
    const sizes = new ResizeObserver(() => {
      element.scrollTop = element.scrollHeight;
    });
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [box, isFollowing]);
}
