"use client";
/** What comes behind a state's word as time goes by: quiet, adopted, about to be forced. Ticks alone, as clocks do. */
import type { ReactNode } from "react";
import { useServerNow } from "../live/clock";
import { Hour } from "../live/elapsed";
import { secondsBetween, wholeSpan } from "../ui/time";
import type { CardTail } from "./card-moments";

/** For how long it is news that a runner was taken over, seconds. */
const ADOPTED_SECONDS = 300;

/** Behind the word: `· quiet for 6 min`, `· adopted 12:02`. */
export function Tail({ tail }: { tail: CardTail | null }): ReactNode {
  const now = useServerNow();
  if (tail?.kind !== "working") return null;
  const quiet = secondsBetween(tail.quietSince, now);
  if (quiet >= tail.quietAfterSeconds) {
    return (
      <span className="quiet cut" suppressHydrationWarning>
        · quiet for {wholeSpan(quiet)}
      </span>
    );
  }
  if (tail.adoptedAt === null || secondsBetween(tail.adoptedAt, now) >= ADOPTED_SECONDS) return null;
  return (
    <span className="faint cut">
      · adopted <Hour at={tail.adoptedAt} />
    </span>
  );
}

/** Behind the note: `· forced in 9 s`. */
export function NoteTail({ tail }: { tail: CardTail | null }): ReactNode {
  const now = useServerNow();
  if (tail?.kind !== "stopping") return null;
  const left = Math.ceil((Date.parse(tail.forcedAt) - now) / 1_000);
  return <span suppressHydrationWarning>{left > 0 ? ` · forced in ${left} s` : " · being forced"}</span>;
}
