"use client";
/** `running 2 / limit 2 · queued 1`, from the same picture as the header (P13). */
import type { Me } from "@/server/contract/people";
import { usePool } from "../live/live-provider";
import { countsOf } from "../pool/wording";
import { hueStyle } from "../ui/person";

/** More seats than this are told by the figures alone. */
const SEATS_SHOWN_MAX = 12;

interface CountsProps {
  readonly userId: string;
  /** What was read with the person; the pool's picture goes before it. */
  readonly read: Pick<Me, "running" | "queued" | "max">;
  readonly isYou: boolean;
}

export function Counts({ userId, read, isYou }: CountsProps) {
  const pool = usePool();
  const { running, queued, max } = pool === undefined ? read : countsOf(pool, userId);
  const seats = Math.max(running, max);
  return (
    <div className="person-counts">
      {seats > SEATS_SHOWN_MAX ? null : (
        <span className="flex gap-[3px]" aria-hidden="true">
          {Array.from({ length: seats }, (_, place) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its place
              key={place}
              className={`seat lg u ${place < running ? "on" : ""} ${isYou && place < running ? "mine" : ""}`}
              style={hueStyle(userId)}
            />
          ))}
        </span>
      )}
      <span className="dim" data-testid="counts">
        running <b>{running}</b> / limit <b>{max}</b> · queued <b>{queued}</b>
      </span>
    </div>
  );
}
