"use client";
/** Caps and pause of the whole installation, how long output is kept and how long questions wait. For administrators; everybody else sees what is set. */
import { useQuery } from "@tanstack/react-query";
import { api } from "../api";
import { usePool } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { AnswerTime } from "./answer-time";
import { CapsForm } from "./caps-form";
import { Retention } from "./retention";
import { UserCaps } from "./user-caps";

export function SettingsPage() {
  const me = useMe();
  const pool = usePool();
  const { data: read } = useQuery(api.pool.settings.queryOptions());
  const caps =
    pool === undefined ? read : { globalMax: pool.global.max, perUserMax: pool.perUserMax, paused: pool.paused };
  return (
    <main id="main" className="page max-w-[720px]!">
      <div className="page-head">
        <h1>Settings</h1>
      </div>
      {caps === undefined || me === undefined ? null : me.role === "admin" ? (
        <>
          <CapsForm key={JSON.stringify(caps)} caps={caps} />
          <UserCaps />
          <Retention />
          <AnswerTime />
        </>
      ) : (
        <section className="panel" aria-label="Pool">
          <div className="panel-body">
            <p>
              Seats <b>{caps.globalMax}</b> · seats per person <b>{caps.perUserMax}</b>
              {caps.paused ? " · paused" : ""}
            </p>
            <p className="hint">Only an administrator changes these.</p>
          </div>
        </section>
      )}
    </main>
  );
}
