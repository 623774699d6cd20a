"use client";
/** Following the end of something that grows: stays there while one stands there, and stands still once somebody scrolled up. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** This near to the end counts as standing at it; this near to the beginning more is read. */
const NEAR_PX = { end: 24, start: 240 };

/** Where a box stood last, by a person's hand or by ours. */
export interface Standing {
  readonly top: RefObject<number>;
  /**
   * To be told of every scrolling by our own hand, at once: its event comes later, together with what a person does, and
   * must not be taken for theirs.
   */
  readonly placed: () => void;
}

export function useStanding(box: RefObject<HTMLElement | null>): Standing {
  const top = useRef(0);
  const placed = useCallback(() => {
    if (box.current !== null) top.current = box.current.scrollTop;
  }, [box]);
  return { top, placed };
}

interface FollowEnd {
  readonly box: RefObject<HTMLElement | null>;
  readonly standing: Standing;
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
export function useFollowEnd(wish: FollowEnd): () => void {
  const { box, standing, height, isFollowing, follow, nearStart, later = null } = wish;
  const { top, placed } = standing;
  const goToEnd = useCallback(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
    placed();
  }, [box, placed]);

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
    const isUpwards = element.scrollTop < top.current;
    const isDownwards = element.scrollTop > top.current;
    top.current = element.scrollTop;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    const isAtEnd = left <= NEAR_PX.end;
    // Rows that came since the last picture are no wish to stand still: only a person scrolls upwards.
    if (isFollowing && !isAtEnd && isUpwards) follow(false);
    if (!isFollowing && isAtEnd && isDownwards) (later ?? (() => follow(true)))();
    if (element.scrollTop < NEAR_PX.start && !isAtEnd && isUpwards) nearStart?.();
  };
}
