"use client";
/** Who sits at the table: the round one, and below it each person with what runs, their limit and how many wait. */
import Link from "next/link";
import { Avatar } from "../ui/person";
import { everybodysLine } from "./grant-order";
import { RoundTable } from "./round-table";
import type { PoolReader } from "./wording";

/** How many numbers a row names before it counts the rest. */
const NAMED_MAX = 2;

interface SeatsPanelProps {
  readonly reader: PoolReader;
  /** Some cards are still being read: their numbers are not "elsewhere". */
  readonly isReading: boolean;
}

export function SeatsPanel({ reader, isReading }: SeatsPanelProps) {
  const busy = Object.entries(reader.pool.users).filter(([, { running, queued }]) => running + queued > 0);
  return (
    <section className="panel seats-panel" aria-labelledby="pool-Seats">
      <div className="panel-head">
        <h2 id="pool-Seats">Seats</h2>
        <span className="faint end cut">seat kept until release</span>
      </div>
      <div className="px-4 pt-3.5 pb-1.5">
        <RoundTable reader={reader} />
      </div>
      <ul className="rows" aria-label="People">
        {busy.map(([id, { running, max, queued }]) => (
          <li key={id} data-person={id}>
            <Avatar userId={id} name={reader.nameOf(id)} you={id === reader.meId} />
            <span className="cut" dir="auto">
              <Link href={`/people/${id}`} prefetch={false}>
                {reader.nameOf(id)}
              </Link>
              {id === reader.meId ? <span className="faint"> you</span> : null}
            </span>
            <span className="end dim">{isReading ? "" : runningOf(id, running, reader)}</span>
            <b className="seat-count">
              {running}/{max}
            </b>
            <span className="faint seat-waits">waiting {queued}</span>
          </li>
        ))}
        {busy.length === 0 ? <li className="dim">Nobody has anything running or waiting.</li> : null}
      </ul>
    </section>
  );
}

/** `#12, #14`, `#12, 1 elsewhere`. */
function runningOf(userId: string, running: number, { pool, numberOf }: PoolReader): string {
  const own = everybodysLine(pool).running.filter(({ session }) => session.userId === userId);
  const numbers = own.map(({ sessionId }) => numberOf(sessionId)).filter((number) => number !== null);
  const elsewhere = running - numbers.length;
  const more = numbers.length - NAMED_MAX;
  return [
    ...numbers.slice(0, NAMED_MAX).map((number) => `#${number}`),
    ...(more > 0 ? [`+${more}`] : []),
    ...(elsewhere > 0 ? [`${elsewhere} elsewhere`] : []),
  ].join(", ");
}
