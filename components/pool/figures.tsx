"use client";
/** `Running 5/20 · Waiting 7 · You 2/2 +3`: the pool in one line, from one picture (B2, P13). */
import Link from "next/link";
import { useConnectionState } from "../live/live-provider";
import { countsOf, type PoolReader } from "./wording";

export function Figures({ reader }: { reader: PoolReader }) {
  const { pool, meId } = reader;
  const connection = useConnectionState();
  const mine = countsOf(pool, meId);
  const isLive = connection.kind === "live" || connection.kind === "connecting";
  return (
    <Link className="figures" href="/pool" data-testid="figures" data-version={`${pool.epoch}.${pool.version}`}>
      <span className={`live ${isLive ? "" : "off"}`} aria-hidden="true" />
      <span className="line-of">
        {pool.paused ? (
          <>
            <b>Paused</b>
            <Dot />
          </>
        ) : null}
        <Word>Running</Word>
        <b>{` ${pool.global.running}/${pool.global.max}`}</b>
        <Dot />
        <Word>Waiting</Word>
        <b>{` ${pool.global.queued}`}</b>
        <Dot />
        <span>
          You{" "}
          <b>
            {mine.running}/{mine.max}
          </b>
          {mine.queued > 0 ? ` +${mine.queued}` : ""}
        </span>
      </span>
    </Link>
  );
}

/** Gets shorter where there is no room for it; its number stays. */
function Word({ children }: { children: string }) {
  return (
    <span className="word">
      <span>{children}</span>
    </span>
  );
}

function Dot() {
  return <span className="sep"> · </span>;
}
