"use client";
/** The sessions of somebody that ended, newest first, as far as one may see their projects. */
import Link from "next/link";
import { useState } from "react";
import type { Profile } from "@/server/contract/people";
import { Age } from "../live/elapsed";
import { type Column, Columns } from "../ui/columns";
import { Mark } from "../ui/icon";
import { secondsBetween, span } from "../ui/time";
import { inOwnOrder } from "../ui/written";

const COLUMNS: readonly Column[] = [
  { head: "Outcome" },
  { head: "Task", isWide: true },
  { head: "Ended", isRight: true },
  { head: "Waited", isRight: true, isFromTablet: true },
  { head: "Ran", isRight: true, isFromTablet: true },
];

type Entry = Profile["history"][number];
type Filter = "all" | Entry["status"];

const WORDS: Readonly<Record<Filter, string>> = {
  all: "All",
  succeeded: "Succeeded",
  failed: "Failed",
  cancelled: "Cancelled",
};
const FILTERS = ["all", "succeeded", "failed", "cancelled"] as const;
const COLOURS: Readonly<Record<Entry["status"], string>> = { succeeded: "ok", failed: "bad", cancelled: "faint" };

export function History({ entries }: { entries: readonly Entry[] }) {
  const [filter, setFilter] = useState<Filter>("all");
  const shown = entries.filter(({ status }) => filter === "all" || status === filter);
  return (
    <section className="panel overflow-hidden" aria-labelledby="history-head">
      <div className="panel-head">
        <h2 id="history-head">History</h2>
        <span className="faint">{entries.length === 1 ? "1 session" : `${entries.length} sessions`}</span>
        <fieldset className="seg end" aria-label="Filter history">
          {FILTERS.map((each) => (
            <button key={each} type="button" aria-pressed={filter === each} onClick={() => setFilter(each)}>
              {WORDS[each]}
            </button>
          ))}
        </fieldset>
      </div>
      <table className="tbl">
        <Columns of={COLUMNS} />
        <tbody>
          {shown.map((entry) => (
            <Row key={entry.sessionId} entry={entry} />
          ))}
          {shown.length === 0 ? (
            <tr>
              <td colSpan={5} className="dim">
                {entries.length === 0 ? "No session has ended yet." : "None of these."}
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </section>
  );
}

function Row({ entry }: { entry: Entry }) {
  const { status, number, title, projectId, queuedAt, startedAt, finishedAt } = entry;
  return (
    <tr>
      <td>
        <span className="flex items-center gap-2">
          <Mark name={status} className={COLOURS[status]} />
          {WORDS[status]}
        </span>
      </td>
      <td className="wide">
        <span className="dim">#{number}</span>{" "}
        <Link href={`/projects/${projectId}/tasks/${number}`} prefetch={false} dir="auto">
          {inOwnOrder(title)}
        </Link>
      </td>
      <td className="r dim">
        <Age since={finishedAt} />
      </td>
      <td className="r phone:hidden">{span(secondsBetween(queuedAt, Date.parse(startedAt ?? finishedAt)))}</td>
      <td className="r phone:hidden">
        {startedAt === null ? "—" : span(secondsBetween(startedAt, Date.parse(finishedAt)))}
      </td>
    </tr>
  );
}
