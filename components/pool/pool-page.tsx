"use client";
/** The pool: who sits, who waits in the order in which seats are given, and each person's counts, from one picture. */
import Link from "next/link";
import { Elapsed } from "../live/elapsed";
import { usePeople } from "../people/use-people";
import { useProjects } from "../project/use-projects";
import { type Column, Columns } from "../ui/columns";
import { useOnDemand } from "../ui/on-demand";
import { Avatar } from "../ui/person";
import { Figures } from "./figures";
import { everybodysLine } from "./grant-order";
import { Health } from "./health";
import { Seats } from "./seats";
import { usePoolReader } from "./use-reader";
import { WaitingTable } from "./waiting-table";
import { type PoolReader, seatsSentence } from "./wording";

const PEOPLE_COLUMNS: readonly Column[] = [
  { head: "Name", isWide: true },
  { head: "Running", isRight: true },
  { head: "Limit", isRight: true, isFromTablet: true },
  { head: "Queued", isRight: true, isFromTablet: true },
];

export function PoolPage() {
  const reader = usePoolReader();
  if (reader === null) {
    return (
      <main id="main" className="page" aria-busy="true">
        <h1 className="sr">Pool</h1>
      </main>
    );
  }
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
        <Running reader={reader} />
        <WaitingTable reader={reader} />
      </div>
      <People reader={reader} />
      <History />
      <Health />
    </main>
  );
}

const loadHistory = async () => (await import("./history")).PoolHistory;

function History() {
  const PoolHistory = useOnDemand(loadHistory, true);
  return PoolHistory === null ? null : <PoolHistory />;
}

/** Only sessions of one's own projects have a row; the head counts all (L4). */
function Running({ reader }: { reader: PoolReader }) {
  const projects = useProjects() ?? [];
  const { running, elsewhere } = everybodysLine(reader.pool);
  const { global } = reader.pool;
  return (
    <section className="panel self-start" aria-labelledby="pool-Running">
      <div className="panel-head">
        <h2 id="pool-Running">Running</h2>
        <span className="dim">
          {global.running}/{global.max}
        </span>
      </div>
      <ul className="rows">
        {running.map(({ sessionId, session }) => (
          <li key={sessionId} data-session={sessionId}>
            <Avatar userId={session.userId} name={reader.nameOf(session.userId)} you={session.userId === reader.meId} />
            <span className="cut" dir="auto">
              {projects.find((project) => project.id === session.projectId)?.name ?? "Project"}
            </span>
            <span className="cut dim">{session.phase ?? "starting"}</span>
            <span className="end">
              <Elapsed since={session.startedAt ?? session.queuedAt} />
            </span>
          </li>
        ))}
        {elsewhere.running > 0 ? <li className="dim">{elsewhere.running} elsewhere</li> : null}
        {global.running === 0 ? <li className="dim">No agent is running</li> : null}
      </ul>
    </section>
  );
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
        <Columns of={PEOPLE_COLUMNS} />
        <tbody>
          {busy.map(([id, counts]) => (
            <tr key={id} className={id === reader.meId ? "you" : ""}>
              <td className="wide" dir="auto">
                <Link href={`/people/${id}`}>{people.nameOf(id)}</Link>
              </td>
              <td className="r hidden phone:table-cell">
                <b>
                  {counts.running}/{counts.max}
                </b>{" "}
                +{counts.queued}
              </td>
              <td className="r phone:hidden">{counts.running}</td>
              <td className="r phone:hidden">{counts.max}</td>
              <td className="r phone:hidden">{counts.queued}</td>
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
