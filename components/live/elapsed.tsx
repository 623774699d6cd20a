"use client";
/** Times that move: text, once a second, on the server's clock. Alone in their components, so that nothing else is drawn. */
import { useSyncExternalStore } from "react";
import { age, clock, hourOf, secondsBetween } from "../ui/time";
import { useServerNow } from "./clock";

/** `14:32` since the moment. */
export function Elapsed({ since }: { since: string }) {
  return <span suppressHydrationWarning>{clock(secondsBetween(since, useServerNow()))}</span>;
}

/** `Merging… 0:42`: what is waited for, and since when (ms since 1970, at the server). The seconds are never announced. */
export function Doing({ doing, since }: { doing: string; since: number }) {
  const seconds = (useServerNow() - since) / 1_000;
  return (
    <>
      {doing}… <span aria-hidden="true">{clock(seconds)}</span>
    </>
  );
}

/** `8 min`: how long ago it was. */
export function Age({ since }: { since: string }) {
  return (
    <time dateTime={since} suppressHydrationWarning>
      {age(secondsBetween(since, useServerNow()))}
    </time>
  );
}

/** `12:02` in the reader's own zone: what a page brings along was written in the server's, so it is written anew here. */
export function Hour({ at }: { at: string }) {
  const isWrittenHere = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  return (
    <time key={String(isWrittenHere)} dateTime={at} suppressHydrationWarning>
      {hourOf(at)}
    </time>
  );
}

function neverChanges(): () => void {
  return () => {};
}
