"use client";
/** Following the end of something that grows: stays there while one stands there, and stands still once somebody scrolled up. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** This near to the end counts as standing at it; this near to the beginning more is read. */
const NEAR_PX = { end: 24, start: 240 };

interface FollowEnd {
  readonly box: RefObject<HTMLElement | null>;
  /** Of what is inside, px; the end moves with it. */
  readonly height: number;
  readonly isFollowing: boolean;
  readonly follow: (isFollowing: boolean) => void;
  /** Somebody scrolls up and is near the beginning. */
  readonly nearStart?: () => void;
  /** Somebody has come to the end; instead of following from there. */
  readonly later?: (() => void) | null;
}

/**
 * Stays at the end as rows come, as their true heights become known, and as the box itself grows or shrinks.
 * @returns to be told of every scrolling
 */
export function useFollowEnd({ box, height, isFollowing, follow, nearStart, later = null }: FollowEnd): () => void {
  /** Where it stood last, by a person's hand or by ours. */
  const lastTop = useRef(0);
  const goToEnd = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    // Told of later, when the box may have become smaller: it must not be taken for a person's wish to stand still.
    lastTop.current = element.scrollTop;
  }, [box]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the height that moves the end
  useLayoutEffect(() => {
    if (isFollowing) goToEnd();
  }, [goToEnd, isFollowing, height]);
  useEffect(() => {
    if (!isFollowing || box.current === null) return;
    const sizes = new ResizeObserver(goToEnd);
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, [box, goToEnd, isFollowing]);

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
