"use client";
/** The pool as a round table seen from above: one chair per slot, who sits there, and how many of how many. */
import { useProjects } from "../project/use-projects";
import { hueStyle, initialsOf } from "../ui/person";
import { CHAIRS_MAX, chairsAt, sitting, takenBy } from "./seat-words";
import { SeatBar } from "./seats";
import type { PoolReader } from "./wording";

/** Units of the drawing. */
const SIDE = 292;
const MIDDLE = SIDE / 2;
const PLATE = 92;
const CHAIRS_AT = 118;
const INITIALS_AT = 116;
const DOT_AT = 140;
/** A chair of full size with its gap. */
const CHAIR_ROOM = 30;
/** Smaller chairs have no room for initials. */
const INITIALS_FROM = 0.7;

export function RoundTable({ reader }: { reader: PoolReader }) {
  const { global } = reader.pool;
  const chairs = chairsAt(reader.pool);
  if (chairs > CHAIRS_MAX) return <LongTable reader={reader} />;
  const who = takenBy(reader);
  const says = `Table of seats: ${global.running} of ${global.max} taken.${who === "" ? "" : ` ${who}.`}`;
  return (
    <svg className="table-round" viewBox={`0 0 ${SIDE} ${SIDE}`} role="img" aria-label={says}>
      <circle className="top-plate" cx={MIDDLE} cy={MIDDLE} r={PLATE} />
      {Array.from({ length: chairs }, (_, seat) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chair is its place at the table
        <Chair key={seat} seat={seat} chairs={chairs} reader={reader} />
      ))}
      <text className="huge" x={MIDDLE} y={MIDDLE + 4}>
        {global.running}
        <tspan className="of">/{global.max}</tspan>
      </text>
      <text x={MIDDLE} y={MIDDLE + 26} fontSize="13">
        running
      </text>
    </svg>
  );
}

interface ChairProps {
  readonly seat: number;
  readonly chairs: number;
  readonly reader: PoolReader;
}

function Chair({ seat, chairs, reader }: ChairProps) {
  const projects = useProjects();
  const nameOfProject = (id: string) => projects?.find((project) => project.id === id)?.name ?? "another project";
  const sitter = reader.pool.seats[seat];
  const degrees = rounded((360 * seat) / chairs);
  const scale = Math.min(1, rounded((2 * Math.PI * CHAIRS_AT) / chairs / CHAIR_ROOM));
  const place = placeAt(degrees, CHAIRS_AT);
  const initials = placeAt(degrees, INITIALS_AT);
  const dot = placeAt(degrees, DOT_AT);
  const classes = ["chair", sitter === undefined ? "" : "on", sitter?.isStarting ? "starting" : ""];
  return (
    <g
      className={sitter === undefined ? undefined : "u"}
      style={sitter === undefined ? undefined : hueStyle(sitter.userId)}
      data-round-seat={seat}
    >
      <title>{`Seat ${seat + 1}: ${sitting(seat, reader, nameOfProject)}`}</title>
      <path
        className={classes.filter(Boolean).join(" ")}
        d="M-11 12V2A11 11 0 0 1 11 2V12a2.5 2.5 0 0 1-2.5 2.5H-8.5A2.5 2.5 0 0 1-11 12z"
        transform={`translate(${place.x} ${place.y}) rotate(${degrees}) scale(${scale})`}
      />
      {sitter === undefined || scale < INITIALS_FROM ? null : (
        <text className="who" x={initials.x} y={rounded(initials.y + 3.8)}>
          {initialsOf(reader.nameOf(sitter.userId))}
        </text>
      )}
      {sitter?.userId === reader.meId ? <circle className="mine-dot" cx={dot.x} cy={dot.y} r="2.5" /> : null}
    </g>
  );
}

/** Clockwise from the top. */
function placeAt(degrees: number, distance: number): { readonly x: number; readonly y: number } {
  const turn = (degrees * Math.PI) / 180;
  return { x: rounded(MIDDLE + distance * Math.sin(turn)), y: rounded(MIDDLE - distance * Math.cos(turn)) };
}

/** So that server and browser write the same. */
function rounded(units: number): number {
  return Math.round(units * 100) / 100;
}

/** Above `CHAIRS_MAX`. */
function LongTable({ reader }: { reader: PoolReader }) {
  const { global } = reader.pool;
  return (
    <div className="table-long">
      <p>
        <b>{global.running}</b>/{global.max} running
      </p>
      <SeatBar reader={reader} />
    </div>
  );
}
