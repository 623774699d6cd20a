"use client";
/** The pool: who sits, who waits in the order in which seats are given, the caps, and what runs, from one picture. */
import { usePool } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { useLineTasks } from "../profile/use-line-tasks";
import { useOnDemand } from "../ui/on-demand";
import { CapsPanel } from "./caps-panel";
import { everybodysLine } from "./grant-order";
import { Granting, PauseButton } from "./granting";
import { Health } from "./health";
import { Running } from "./running";
import { SeatsPanel } from "./seats-panel";
import { usePoolReader } from "./use-reader";
import { WaitingTable } from "./waiting-table";

export function PoolPage() {
  const pool = usePool();
  const me = useMe();
  const cards = useLineTasks(pool === undefined ? null : everybodysLine(pool));
  const reader = usePoolReader(cards.tasks);
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
        <Granting reader={reader} />
        {me?.role === "admin" ? <PauseButton isPaused={reader.pool.paused} /> : null}
      </div>
      <div className="pool-grid">
        <SeatsPanel reader={reader} isReading={cards.isReading} />
        <WaitingTable reader={reader} />
        <CapsPanel reader={reader} />
      </div>
      <Running reader={reader} {...cards} />
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
