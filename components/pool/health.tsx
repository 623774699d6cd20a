"use client";
/** How the pool is doing, in numbers (P22), and for administrators the one thing to do about it: read it again from its rows. */
import { useQuery } from "@tanstack/react-query";
import type { PoolHealth } from "@/server/contract/pool";
import { api } from "../api";
import { useMe } from "../people/use-people";
import { span } from "../ui/time";
import { Rebuild } from "./rebuild";

/** Between two looks while the page is open, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

export function Health() {
  const me = useMe();
  const { data } = useQuery(api.pool.health.queryOptions({ refetchInterval: LOOK_EVERY_MS }));
  return (
    <section className="panel" aria-labelledby="health-head" aria-busy={data === undefined || undefined}>
      <div className="panel-head flex-wrap">
        <h2 id="health-head">Health</h2>
        <span className="faint">since this server started</span>
        {me?.role === "admin" ? <Rebuild /> : null}
      </div>
      {data === undefined ? null : (
        <dl className="health">
          {factsOf(data).map(([name, value, more]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value} <span>{more}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function factsOf(health: PoolHealth): readonly (readonly [name: string, value: string, more: string])[] {
  const { mailbox, commits, grants, idleSlotSeconds, crashes, staleMessages, isReady, isWriter } = health;
  const writer = isWriter ? "this server" : "another server";
  return [
    ["Mailbox", String(mailbox.depth), `oldest ${milliseconds(mailbox.oldestMs)}`],
    ["Last commit", milliseconds(commits.lastMs), `${commits.lastSize} of at most ${commits.largestSize}`],
    ["Commits", String(commits.count), commits.meanMs === null ? "" : `mean ${milliseconds(commits.meanMs)}`],
    ["Grants", String(grants.count), `${grants.lastMinute} in the last minute`],
    ["Wait", grants.meanWaitMs === null ? "–" : span(grants.meanWaitMs / 1_000), "mean"],
    ["Idle seats", `${Math.round(idleSlotSeconds)} s`, "while somebody could start"],
    ["Crashes", String(crashes), `${staleMessages} stale messages`],
    ["Writer", isReady ? writer : "starting", `epoch ${health.epoch} · version ${health.version}`],
  ];
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}
