"use client";
/** Seats in all, seats per person, and who has a limit of their own. Administrators change them, everybody sees what stands. */
import { useMe, usePeople } from "../people/use-people";
import { useOnDemand } from "../ui/on-demand";
import { Avatar } from "../ui/person";
import { capsOf } from "./caps-draft";
import type { PoolReader } from "./wording";

const loadForm = async () => (await import("./caps-form")).CapsForm;

export function CapsPanel({ reader }: { reader: PoolReader }) {
  const isAdmin = useMe()?.role === "admin";
  const CapsForm = useOnDemand(loadForm, isAdmin);
  if (isAdmin && CapsForm !== null) return <CapsForm reader={reader} />;
  return <Standing reader={reader} isAdmin={isAdmin} />;
}

function Standing({ reader, isAdmin }: { reader: PoolReader; isAdmin: boolean }) {
  const { globalMax, perUserMax, limits } = capsOf(reader.pool);
  const { nameOf } = usePeople();
  return (
    <section className="panel caps" aria-labelledby="pool-Caps" aria-busy={isAdmin || undefined}>
      <div className="panel-head">
        <h2 id="pool-Caps">Caps</h2>
      </div>
      <div className="caps-body">
        <p className="setrow">
          Seats in all <b className="end">{globalMax}</b>
        </p>
        <p className="setrow">
          Seats per person <b className="end">{perUserMax}</b>
        </p>
        {Object.keys(limits).length === 0 ? null : <h3 className="caps-sub">Exceptions</h3>}
        {Object.entries(limits).map(([userId, max]) => (
          <p key={userId} className="setrow">
            <Avatar userId={userId} name={nameOf(userId)} />
            <span className="cut" dir="auto">
              {nameOf(userId)}
            </span>
            <b className="end">{max}</b>
          </p>
        ))}
        {isAdmin ? null : <p className="hint">Only an administrator changes these.</p>}
      </div>
    </section>
  );
}
