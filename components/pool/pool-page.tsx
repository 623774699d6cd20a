"use client";
/** The pool: who sits, who waits in the order in which seats are given, and each person's counts, from one picture. */
import Link from "next/link";
import type { PoolSession } from "@/server/contract/pool";
import { Elapsed } from "../live/elapsed";
import { usePeople } from "../people/use-people";
import { useProjects } from "../project/use-projects";
import { Avatar } from "../ui/person";
import { Figures } from "./figures";
import { Seats } from "./seats";
import { usePoolReader } from "./use-reader";
import { estimateRangeOf, type PoolReader, queuedWord, reasonOf, seatsSentence } from "./wording";

export function PoolPage() {
  const reader = usePoolReader();
  if (reader === null) {
    return (
      <main id="main" className="page" aria-busy="true">
        <h1 className="sr">Pool</h1>
      </main>
    );
  }
  const sessions = Object.entries(reader.pool.sessions);
  return (
    <main id="main" className="page">
      <div className="page-head">
        <h1>Pool</h1>
        <Figures reader={reader} />
        <span className="end faint">{seatsSentence(reader)}</span>
      </div>
      <section className="panel" aria-labelledby="table-head">
        <div className="panel-head">
          <h2 id="table-head">Table</h2>
        </div>
        <div className="panel-body overflow-x-auto">
          <Seats reader={reader} />
        </div>
      </section>
      <div className="g2">
        <Line head="Running" rows={sessions.filter(([, { status }]) => status === "running")} reader={reader} />
        <Line head="Waiting" rows={sessions.filter(([, { status }]) => status === "queued")} reader={reader} />
      </div>
      <People reader={reader} />
    </main>
  );
}

interface LineProps {
  readonly head: "Running" | "Waiting";
  readonly rows: readonly (readonly [string, PoolSession])[];
  readonly reader: PoolReader;
}

/** Only sessions of one's own projects have a row; the head counts all (L4). */
function Line({ head, rows, reader }: LineProps) {
  const projects = useProjects() ?? [];
  const { pool } = reader;
  const total = head === "Running" ? pool.global.running : pool.global.queued;
  const isRunning = head === "Running";
  const ordered = [...rows].sort(([, one], [, other]) =>
    isRunning ? (one.seat ?? 0) - (other.seat ?? 0) : place(one) - place(other),
  );
  return (
    <section className="panel" aria-labelledby={`pool-${head}`}>
      <div className="panel-head">
        <h2 id={`pool-${head}`}>{head}</h2>
        <span className="dim">{isRunning ? `${total}/${pool.global.max}` : total}</span>
      </div>
      <ul className="rows">
        {ordered.map(([id, session]) => (
          <li key={id} data-session={id}>
            <Avatar userId={session.userId} name={reader.nameOf(session.userId)} you={session.userId === reader.meId} />
            <span className="cut" dir="auto">
              {projects.find((project) => project.id === session.projectId)?.name ?? "Project"}
            </span>
            <span className="cut dim">{isRunning ? (session.phase ?? "starting") : queuedWord(session)}</span>
            <span className="cut faint">{isRunning ? "" : reasonOf(session, reader)}</span>
            <span className="end">
              {isRunning ? <Elapsed since={session.startedAt ?? session.queuedAt} /> : estimateRangeOf(session, reader)}
            </span>
          </li>
        ))}
        {total > rows.length ? <li className="dim">{total - rows.length} elsewhere</li> : null}
        {total === 0 ? <li className="dim">{isRunning ? "No agent is running" : "Nobody waits"}</li> : null}
      </ul>
    </section>
  );
}

function place({ ahead, position }: PoolSession): number {
  return (ahead ?? 1_000_000) * 10_000 + (position ?? 9_999);
}

function People({ reader }: { reader: PoolReader }) {
  const people = usePeople();
  const busy = Object.entries(reader.pool.users);
  return (
    <section className="panel" aria-labelledby="people-head">
      <div className="panel-head">
        <h2 id="people-head">People</h2>
      </div>
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col" className="wide">
              Name
            </th>
            <th scope="col" className="r">
              Running
            </th>
            <th scope="col" className="r">
              Limit
            </th>
            <th scope="col" className="r">
              Queued
            </th>
          </tr>
        </thead>
        <tbody>
          {busy.map(([id, counts]) => (
            <tr key={id} className={id === reader.meId ? "you" : ""}>
              <td className="wide" dir="auto">
                <Link href={`/people/${id}`}>{people.nameOf(id)}</Link>
              </td>
              <td className="r">{counts.running}</td>
              <td className="r">{counts.max}</td>
              <td className="r">{counts.queued}</td>
            </tr>
          ))}
          {busy.length === 0 ? (
            <tr>
              <td colSpan={4} className="dim">
                Nobody has anything running or waiting.
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </section>
  );
}
