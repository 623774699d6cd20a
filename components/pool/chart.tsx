"use client";
/** One chart: its name, its axis and its time, as words beside a drawing that is stretched to the room there is. */
import type { ReactNode } from "react";
import type { PoolHistory, PoolHistoryPoint } from "@/server/contract/pool-history";
import { hourOf } from "../ui/time";
import { CHART_HEIGHT, CHART_WIDTH, type ChartStep } from "./chart-shape";

interface ChartProps {
  readonly name: string;
  /** Beside the name: what it shows, or which colour is what. */
  readonly legend: ReactNode;
  /** What somebody is told who cannot see it. */
  readonly says: string;
  /** The figures of the axis, from its end down to its foot. */
  readonly axis: readonly string[];
  readonly history: PoolHistory;
  /** What is told of a step under the pointer. */
  readonly tells: (point: PoolHistoryPoint) => string;
  readonly children: ReactNode;
}

export function Chart({ name, legend, says, axis, history, tells, children }: ChartProps) {
  return (
    <section className="panel panel-body" aria-label={name}>
      <div className="figure">
        <h3>{name}</h3>
        <span className="end dim legend">{legend}</span>
      </div>
      <div className="history-plot">
        <div className="history-axis" aria-hidden="true">
          {axis.map((figure) => (
            <span key={figure}>{figure}</span>
          ))}
        </div>
        <svg viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={says}>
          <path className="grid" d={`M0 0H${CHART_WIDTH}M0 ${CHART_HEIGHT / 2}H${CHART_WIDTH}`} />
          <path className="base" d={`M0 ${CHART_HEIGHT}H${CHART_WIDTH}`} />
          {children}
          {stepsOf(history, () => 0).map(({ from, to }, place) => {
            const point = history.points[place];
            if (point === undefined) return null;
            return (
              <rect key={point.at} className="hit" x={from} y="0" width={to - from} height={CHART_HEIGHT}>
                <title>{`${timeIn(history, point.at)} · ${tells(point)}`}</title>
              </rect>
            );
          })}
        </svg>
        <div className="history-times" aria-hidden="true">
          {ticksOf(history).map(({ at, place }) => (
            <span key={at} style={{ left: `${place * 100}%` }}>
              {tickIn(history, at)}
            </span>
          ))}
          <span>now</span>
        </div>
      </div>
    </section>
  );
}

/** One value of every point, where it stands in the drawing. The last step is not over yet. */
export function stepsOf(
  { from, to, stepSeconds, points }: PoolHistory,
  read: (point: PoolHistoryPoint) => number | null,
): ChartStep[] {
  const begin = Date.parse(from);
  const unitsOf = (millis: number) => ((millis - begin) / (Date.parse(to) - begin)) * CHART_WIDTH;
  return points.map((point) => {
    const at = Date.parse(point.at);
    const end = Math.min(CHART_WIDTH, unitsOf(at + stepSeconds * 1_000));
    return { from: unitsOf(at), to: end, value: read(point) };
  });
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Between these parts of the whole a word fits; "now" stands at its end. */
const FITS_FROM = 0.08;
const FITS_TO = 0.86;

/** Round times of the reader's own zone, and where they stand from 0 to 1. */
export function ticksOf({ from, to }: Pick<PoolHistory, "from" | "to">): { at: number; place: number }[] {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const every = end - begin <= HOUR_MS ? 15 * MINUTE_MS : end - begin <= DAY_MS ? 6 * HOUR_MS : 2 * DAY_MS;
  const zone = new Date(end).getTimezoneOffset() * MINUTE_MS;
  const ticks = [];
  for (let at = Math.ceil((begin - zone) / every) * every + zone; at < end; at += every) {
    const place = (at - begin) / (end - begin);
    if (place >= FITS_FROM && place <= FITS_TO) ticks.push({ at, place });
  }
  return ticks;
}

/** `06:00`, or `Mon` where it is about more than a day. */
function tickIn({ from, to }: PoolHistory, at: number): string {
  const isDays = Date.parse(to) - Date.parse(from) > DAY_MS;
  return isDays ? weekday(at) : hourOf(new Date(at).toISOString());
}

function weekday(time: number | string): string {
  return new Date(time).toLocaleDateString("en-GB", { weekday: "short" });
}

/** In the reader's own time zone; with the day where it is about more than one. */
export function timeIn({ from, to }: Pick<PoolHistory, "from" | "to">, time: string): string {
  if (Date.parse(to) - Date.parse(from) <= DAY_MS) return hourOf(time);
  return `${weekday(time)} ${hourOf(time)}`;
}
