"use client";
/** Times that move: text, once a second, on the server's clock. Alone in their components, so that nothing else is drawn. */
import { age, clock, secondsBetween } from "../ui/time";
import { useServerNow } from "./clock";

/** `14:32` since the moment. */
export function Elapsed({ since }: { since: string }) {
  return <span suppressHydrationWarning>{clock(secondsBetween(since, useServerNow()))}</span>;
}

/** `8 min`: how long ago it was. */
export function Age({ since }: { since: string }) {
  return (
    <time dateTime={since} suppressHydrationWarning>
      {age(secondsBetween(since, useServerNow()))}
    </time>
  );
}
