"use client";
/**
 * The table seen from above: one chair per slot, two rows. A session keeps its chair until release. One tab stop, arrows
 * move inside; whoever sits there is told on hover and on focus. Above `CHAIRS_MAX` it is one bar by person.
 */
import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import { useProjects } from "../project/use-projects";
import { hueOf, hueStyle } from "../ui/person";
import { CHAIRS_MAX, chairsAt, sitting, takenBy } from "./seat-words";
import type { PoolReader } from "./wording";

/** From this many on, chairs are narrow. */
const NARROW_FROM = 40;

export function Seats({ reader }: { reader: PoolReader }) {
  const { pool } = reader;
  const projects = useProjects();
  const nameOfProject = (id: string) => projects?.find((project) => project.id === id)?.name ?? "another project";
  const chairs = chairsAt(pool);
  return chairs > CHAIRS_MAX ? (
    <SeatBar reader={reader} />
  ) : (
    <Chairs reader={reader} chairs={chairs} nameOfProject={nameOfProject} />
  );
}

interface ChairsProps {
  readonly reader: PoolReader;
  readonly chairs: number;
  /** Of one's own projects. */
  readonly nameOfProject: (id: string) => string;
}

function Chairs({ reader, chairs, nameOfProject }: ChairsProps) {
  const told = (seat: number) => sitting(seat, reader, nameOfProject);
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const columns = Math.max(1, Math.ceil(chairs / 2));
  const style = { "--cols": columns, ...(chairs >= NARROW_FROM ? { "--seat": "8px" } : {}) } as CSSProperties;

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(chairs - 1, Math.max(0, at + step));
    setAt(next);
    list.current?.querySelectorAll<HTMLElement>("[data-seat]")[next]?.focus();
  };
  if (chairs === 0) return null;
  const current = Math.min(at, chairs - 1);
  return (
    <div className="relative" onPointerLeave={() => setShown(null)}>
      <ul ref={list} className="seats" style={style} aria-label="Table of seats" onKeyDown={move}>
        {Array.from({ length: chairs }, (_, seat) => (
          <Chair
            // biome-ignore lint/suspicious/noArrayIndexKey: a chair is its place at the table
            key={seat}
            seat={seat}
            columns={columns}
            reader={reader}
            told={told(seat)}
            isCurrent={seat === current}
            show={setShown}
          />
        ))}
      </ul>
      {shown === null ? null : (
        <div className="float tip seat-tip" role="tooltip">
          {told(shown)}
        </div>
      )}
    </div>
  );
}

interface ChairProps {
  readonly seat: number;
  readonly columns: number;
  readonly reader: PoolReader;
  readonly told: string;
  readonly isCurrent: boolean;
  readonly show: (seat: number | null) => void;
}

function Chair({ seat, columns, reader, told, isCurrent, show }: ChairProps) {
  const sitter = reader.pool.seats[seat];
  const classes = [
    "seat",
    seat < columns ? "t" : "b",
    sitter === undefined ? "" : "on u",
    sitter?.isStarting ? "starting" : "",
    sitter?.userId === reader.meId ? "mine" : "",
  ];
  const column = { gridColumn: (seat % columns) + 1 };
  return (
    <li className="contents">
      <span
        className={classes.filter(Boolean).join(" ")}
        style={sitter === undefined ? column : { ...column, ...hueStyle(sitter.userId) }}
        role="img"
        aria-label={`Seat ${seat + 1}: ${told}`}
        data-seat={seat}
        data-taken={sitter === undefined ? undefined : ""}
        tabIndex={isCurrent ? 0 : -1}
        onPointerEnter={() => show(seat)}
        onFocus={() => show(seat)}
        onBlur={() => show(null)}
      />
    </li>
  );
}

/** One bar by person. */
export function SeatBar({ reader }: { reader: PoolReader }) {
  const { pool } = reader;
  const users = Object.entries(pool.users).filter(([, counts]) => counts.running > 0);
  const said = takenBy(reader);
  return (
    <div
      className="seatbar"
      role="img"
      aria-label={`Table of ${pool.global.max} seats: ${said === "" ? "all free" : said}`}
    >
      {users.map(([id, { running }]) => (
        <i
          key={id}
          className={`u ${id === reader.meId ? "mine" : ""}`}
          style={{ "--h": hueOf(id), width: `${(100 * running) / Math.max(1, pool.global.max)}%` } as CSSProperties}
        />
      ))}
    </div>
  );
}
