"use client";
/**
 * What the pool did over time (B9): charts, and the same figures as a table for whoever wants to read them. Its code comes when
 * the pool's page is looked at.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PoolHistory as History } from "@/server/contract/pool-history";
import { api, sentenceOf } from "../api";
import { type Column, Columns } from "../ui/columns";
import { span } from "../ui/time";
import { timeIn } from "./chart";
import "./history.css";
import { figure, HistoryCharts } from "./history-charts";

/** A row is written once a minute. */
const LOOK_EVERY_MS = 60_000;

const PERIODS = [
  { hours: 1, name: "1 h" },
  { hours: 24, name: "24 h" },
  { hours: 168, name: "7 days" },
] as const;

export function PoolHistory() {
  const [hours, setHours] = useState<(typeof PERIODS)[number]["hours"]>(24);
  const [isTable, setIsTable] = useState(false);
  const { data, error } = useQuery(
    api.pool.history.queryOptions({
      input: { hours },
      refetchInterval: LOOK_EVERY_MS,
      placeholderData: keepPreviousData,
    }),
  );
  const period = `last ${PERIODS.find((one) => one.hours === hours)?.name ?? ""}`;
  return (
    <section className="history" aria-labelledby="history-head" aria-busy={data === undefined || undefined}>
      <div className="history-head">
        <h2 id="history-head">History</h2>
        <fieldset className="seg end" aria-label="How far back">
          {PERIODS.map((one) => (
            <button
              key={one.hours}
              type="button"
              aria-pressed={one.hours === hours}
              onClick={() => setHours(one.hours)}
            >
              {one.name}
            </button>
          ))}
        </fieldset>
        <fieldset className="seg" aria-label="How it is shown">
          <button type="button" aria-pressed={!isTable} onClick={() => setIsTable(false)}>
            Charts
          </button>
          <button type="button" aria-pressed={isTable} onClick={() => setIsTable(true)}>
            Table
          </button>
        </fieldset>
      </div>
      <Shown history={data} error={error} period={period} isTable={isTable} />
      {data === undefined ? null : (
        <p className="hint">Written once a minute: what a server that was killed had counted since is missing.</p>
      )}
    </section>
  );
}

interface ShownProps {
  readonly history: History | undefined;
  readonly error: unknown;
  readonly period: string;
  readonly isTable: boolean;
}

function Shown({ history, error, period, isTable }: ShownProps) {
  if (history === undefined) return error === null ? null : <p className="panel panel-body dim">{sentenceOf(error)}</p>;
  if (history.points.length === 0) {
    return <p className="panel panel-body dim">Nothing was recorded in the {period}.</p>;
  }
  if (isTable) return <HistoryTable history={history} />;
  return <HistoryCharts history={history} period={period} />;
}

const COLUMNS: readonly Column[] = [
  { head: "From", isWide: true },
  { head: "Seats", isRight: true },
  { head: "Waiting", isRight: true, isFromTablet: true },
  { head: "Wait p50", isRight: true },
  { head: "Wait p95", isRight: true, isFromTablet: true },
  { head: "Granted", isRight: true, isFromTablet: true },
  { head: "Ended", isRight: true },
  { head: "Failed", isRight: true, isFromTablet: true },
  { head: "Commits", isRight: true, isFromTablet: true },
];

function HistoryTable({ history }: { history: History }) {
  return (
    <div className="panel">
      <table className="tbl">
        <caption className="sr">Means and counts of every {span(history.stepSeconds)}, the newest first</caption>
        <Columns of={COLUMNS} />
        <tbody>
          {history.points.toReversed().map((point) => (
            <tr key={point.at}>
              <td className="wide">{timeIn(history, point.at)}</td>
              <td className="r">
                {figure(point.running)}/{figure(point.max)}
              </td>
              <td className="r phone:hidden">{figure(point.waiting)}</td>
              <td className="r">{point.wait === null ? "–" : span(point.wait.p50)}</td>
              <td className="r phone:hidden">{point.wait === null ? "–" : span(point.wait.p95)}</td>
              <td className="r phone:hidden">{point.grants}</td>
              <td className="r">{point.ended}</td>
              <td className="r phone:hidden">{point.failed}</td>
              <td className="r phone:hidden">{point.commits}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
