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
          {[0, 1, 2, 3].map((quarter) => (
            <span key={quarter}>{timeIn(history, quarterOf(history, quarter))}</span>
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

function quarterOf({ from, to }: PoolHistory, quarter: number): string {
  const begin = Date.parse(from);
  return new Date(begin + ((Date.parse(to) - begin) * quarter) / 4).toISOString();
}

const DAY_MS = 86_400_000;

/** In the reader's own time zone; with the day where it is about more than one. */
export function timeIn({ from, to }: Pick<PoolHistory, "from" | "to">, time: string): string {
  if (Date.parse(to) - Date.parse(from) <= DAY_MS) return hourOf(time);
  return `${new Date(time).toLocaleDateString("en-GB", { weekday: "short" })} ${hourOf(time)}`;
}
