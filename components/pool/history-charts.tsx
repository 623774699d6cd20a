"use client";
/** Seats, waits and endings over time, drawn (B9). A gap is a time in which no server was there to count. */
import type { PoolHistory, PoolHistoryPoint } from "@/server/contract/pool-history";
import { span } from "../ui/time";
import { Chart, stepsOf } from "./chart";
import { axisEnd, CHART_HEIGHT, heightOf, levelArea, levelLine, middleLine } from "./chart-shape";

interface ChartsProps {
  readonly history: PoolHistory;
  /** "last 24 h" */
  readonly period: string;
}

export function HistoryCharts(props: ChartsProps) {
  return (
    <div className="g3">
      <Utilisation {...props} />
      <Wait {...props} />
      <Throughput {...props} />
    </div>
  );
}

function Utilisation({ history, period }: ChartsProps) {
  const { points } = history;
  const end = axisEnd(mostOf(points, ({ running, max }) => Math.max(running, max)));
  const seats = stepsOf(history, ({ running }) => running);
  const last = points.at(-1);
  const mean = points.reduce((sum, { running }) => sum + running, 0) / Math.max(1, points.length);
  const says = `Seats taken, ${period}: ${figure(mean)} on average, ${figure(mostOf(points, ({ running }) => running))} at most, ${figure(last?.running ?? 0)} of ${figure(last?.max ?? 0)} at last`;
  return (
    <Chart
      name="Utilisation"
      legend={`seats taken, ${period}`}
      says={says}
      axis={[figure(end), figure(end / 2), "0"]}
      history={history}
      tells={({ running, max, waiting }) =>
        `${figure(running)} of ${figure(max)} seats taken, ${figure(waiting)} waiting`
      }
    >
      <path className="area" d={levelArea(seats, end)} />
      <path className="main" d={levelLine(seats, end)} />
      <path
        className="cap"
        d={levelLine(
          stepsOf(history, ({ max }) => max),
          end,
        )}
      />
    </Chart>
  );
}

function Wait({ history, period }: ChartsProps) {
  const { points, wait } = history;
  const most = mostOf(points, (point) => point.wait?.p95 ?? 0);
  const { seconds, word } = unitFor(most);
  const end = axisEnd(most / seconds);
  const lineOf = (which: "p50" | "p95") =>
    middleLine(
      stepsOf(history, (point) => (point.wait === null ? null : point.wait[which] / seconds)),
      end,
    );
  const says =
    wait === null
      ? `Wait, ${period}: nobody was granted a seat`
      : `Wait, ${period}: half of those granted waited up to ${span(wait.p50)}, 95 of 100 up to ${span(wait.p95)}`;
  return (
    <Chart
      name="Wait"
      legend={
        <>
          <Mark of="main">p50 {wait === null ? "–" : <b>{span(wait.p50)}</b>}</Mark>
          <Mark of="other">p95 {wait === null ? "–" : <b>{span(wait.p95)}</b>}</Mark>
        </>
      }
      says={says}
      axis={[`${figure(end)} ${word}`, `${figure(end / 2)} ${word}`, "0"]}
      history={history}
      tells={({ wait: of }) => (of === null ? "nobody was granted" : `p50 ${span(of.p50)}, p95 ${span(of.p95)}`)}
    >
      <path className="other" d={lineOf("p95")} />
      <path className="main" d={lineOf("p50")} />
    </Chart>
  );
}

function Throughput({ history, period }: ChartsProps) {
  const { points } = history;
  const end = axisEnd(mostOf(points, ({ ended }) => ended));
  const sumOf = (which: "ended" | "failed") => points.reduce((sum, point) => sum + point[which], 0);
  return (
    <Chart
      name="Throughput"
      legend={
        <>
          <Mark of="main">
            ended <b>{sumOf("ended")}</b>
          </Mark>
          <Mark of="bad">
            failed <b>{sumOf("failed")}</b>
          </Mark>
        </>
      }
      says={`Throughput, ${period}: ${sumOf("ended")} sessions ended, ${sumOf("failed")} of them failed`}
      axis={[figure(end), figure(end / 2), "0"]}
      history={history}
      tells={({ ended, failed, grants }) => `${ended} ended, ${failed} of them failed, ${grants} granted`}
    >
      {stepsOf(history, ({ ended }) => ended).map(({ from, to, value }, place) => {
        const { at = "", failed = 0 } = points[place] ?? {};
        const bar = { x: from + (to - from) * 0.15, width: (to - from) * 0.7 };
        const [whole, bad] = [heightOf(value ?? 0, end), heightOf(failed, end)];
        return (
          <g key={at}>
            <rect className="whole" {...bar} y={CHART_HEIGHT - whole + bad} height={whole - bad} />
            <rect className="bad" {...bar} y={CHART_HEIGHT - whole} height={bad} />
          </g>
        );
      })}
    </Chart>
  );
}

function Mark({ of, children }: { of: "main" | "other" | "bad"; children: React.ReactNode }) {
  return (
    <span className="whitespace-nowrap">
      <i className={`mark ${of}`} aria-hidden="true" /> {children}
    </span>
  );
}

function mostOf(points: readonly PoolHistoryPoint[], read: (point: PoolHistoryPoint) => number): number {
  return Math.max(0, ...points.map(read));
}

/** In which unit a chart of such waits speaks. */
function unitFor(seconds: number) {
  if (seconds <= 120) return { seconds: 1, word: "s" };
  return seconds <= 7_200 ? { seconds: 60, word: "min" } : { seconds: 3_600, word: "h" };
}

/** `5`, `12.5`: one place behind the point at most. */
export function figure(value: number): string {
  return (Math.round(value * 10) / 10).toLocaleString("en");
}
