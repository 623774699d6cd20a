"use client";
/** The sessions of somebody that ended, newest first, as far as one may see their projects; earlier ones at a press. */
import Link from "next/link";
import { useState } from "react";
import type { Profile } from "@/server/contract/people";
import { client, sentenceOf } from "../api";
import { Age } from "../live/elapsed";
import { type Column, Columns } from "../ui/columns";
import { sessionsOf, shortCost } from "../ui/cost";
import { Mark } from "../ui/icon";
import { LineCounts } from "../ui/line-counts";
import { secondsBetween, span } from "../ui/time";
import { toast } from "../ui/toast";
import { inOwnOrder } from "../ui/written";

const COLUMNS: readonly Column[] = [
  { head: "Outcome" },
  { head: "Task", isWide: true },
  { head: "Agent", isFromTablet: true },
  { head: "Ended", isRight: true },
  { head: "Waited", isRight: true, isFromTablet: true },
  { head: "Ran", isRight: true, isFromTablet: true },
  { head: "Lines", isRight: true, isFromTablet: true },
  { head: "Cost", isRight: true, isFromTablet: true },
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

interface HistoryProps {
  readonly userId: string;
  /** As the profile tells them, again whenever one has ended. */
  readonly newest: readonly Entry[];
  /** Where those before them begin; null: these are all. */
  readonly more: string | null;
}

export function History({ userId, newest, more }: HistoryProps) {
  const [filter, setFilter] = useState<Filter>("all");
  const { entries, next, isAsking, showMore } = useEarlier(userId, newest, more);
  const shown = entries.filter(({ status }) => filter === "all" || status === filter);
  return (
    <section className="panel overflow-hidden" aria-labelledby="history-head">
      <div className="panel-head">
        <h2 id="history-head">History</h2>
        <span className="faint">{countOf(entries.length, next !== null)}</span>
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
              <td colSpan={COLUMNS.length} className="dim">
                {entries.length === 0 ? NOTHING_TO_SHOW : "None of these."}
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
      {next === null ? null : (
        <button type="button" className="more fold-more" disabled={isAsking} onClick={() => void showMore()}>
          Show more
        </button>
      )}
    </section>
  );
}

/** Of what one may not see, not even that there is something is told: so it is not called nothing either. */
const NOTHING_TO_SHOW = "No ended session to show. Sessions of projects that you are not in are left out.";

function countOf(shown: number, hasMore: boolean): string {
  if (shown === 0) return "";
  return hasMore ? `the newest ${shown}` : sessionsOf(shown);
}

/** What was fetched stays; what ended since then is put before it. */
function useEarlier(userId: string, newest: readonly Entry[], more: string | null) {
  const [held, setHeld] = useState<{ readonly entries: readonly Entry[]; readonly next: string | null } | null>(null);
  const [isAsking, setAsking] = useState(false);
  const known = new Set(newest.map(({ sessionId }) => sessionId));
  const entries = [...newest, ...(held?.entries ?? []).filter(({ sessionId }) => !known.has(sessionId))];
  const next = held === null ? more : held.next;
  const showMore = async () => {
    if (next === null) return;
    setAsking(true);
    try {
      const page = await client.users.history({ id: userId, after: next });
      setHeld({ entries: [...entries, ...page.items], next: page.next });
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    } finally {
      setAsking(false);
    }
  };
  return { entries, next, isAsking, showMore };
}

function Row({ entry }: { entry: Entry }) {
  const { status, number, title, projectId, queuedAt, startedAt, finishedAt, agent, usage } = entry;
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
      <td className="phone:hidden" dir="auto">
        {agent ?? "—"}
      </td>
      <td className="r dim">
        <Age since={finishedAt} />
      </td>
      <td className="r phone:hidden">{span(secondsBetween(queuedAt, Date.parse(startedAt ?? finishedAt)))}</td>
      <td className="r phone:hidden">
        {startedAt === null ? "—" : span(secondsBetween(startedAt, Date.parse(finishedAt)))}
      </td>
      <td className="r phone:hidden">
        <Lines entry={entry} />
      </td>
      <td className="r phone:hidden">{shortCost(usage)}</td>
    </tr>
  );
}

function Lines({ entry: { additions, deletions } }: { entry: Entry }) {
  if (additions === null || deletions === null) return "—";
  if (additions + deletions === 0) return <span className="dim">no changes</span>;
  return <LineCounts added={additions} removed={deletions} />;
}
