"use client";
/**
 * A person (B8): what runs and waits for them now, from the pool's one picture, and how it went before. The same page for
 * oneself and for a team-mate; sessions of projects one is no member of are only counted.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Profile } from "@/server/contract/people";
import { api, refusalOf } from "../api";
import { usePool } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { usePoolReader } from "../pool/use-reader";
import { countsOf, reasonOf } from "../pool/wording";
import { Avatar } from "../ui/person";
import { inSentence } from "../ui/written";
import { Counts } from "./counts";
import { History } from "./history";
import { Line } from "./line";
import { lineOf } from "./line-order";
import { NotRead } from "./not-read";
import { UsageOfUser } from "./tokens-and-cost";
import { useLineTasks } from "./use-line-tasks";
import { AgentTime, Wait } from "./waits-and-time";

export function ProfilePage({ userId }: { userId: string }) {
  const pool = usePool();
  const me = useMe();
  const line = pool === undefined ? null : lineOf(pool, userId);
  // Whenever a session joins or leaves the line, the history may have one more.
  const stamp = line === null ? "" : [...line.running, ...line.queued].map(({ sessionId }) => sessionId).join(" ");
  const options = api.users.get.queryOptions({ input: { id: userId } });
  const { data, error, isFetching, refetch } = useQuery({
    ...options,
    queryKey: [...options.queryKey, stamp],
    placeholderData: keepPreviousData,
  });
  const name = data?.name ?? (me?.id === userId ? me.name : null);
  useEffect(() => {
    if (name !== null) document.title = `${inSentence(name)} · Camelot`;
  }, [name]);

  if (refusalOf(error)?.status === 404) return <NobodyHere />;
  const isYou = me?.id === userId;
  const read = data ?? (isYou ? me : undefined);
  return (
    <main id="main" className="page" aria-busy={(data === undefined && isFetching) || undefined}>
      <div className="page-head person-head">
        {name === null ? null : <Avatar userId={userId} name={name} you={isYou} size="lg" />}
        <div>
          <h1 dir="auto">{name ?? "…"}</h1>
          <p className="dim">{data === undefined ? "" : aboutOf(data)}</p>
        </div>
        {read === undefined ? null : <Counts userId={userId} read={read} isYou={isYou} />}
      </div>
      <OwnLine userId={userId} isYou={isYou} />
      <div className="person-usage">
        {data === undefined ? null : <Wait wait={data.wait} days={data.waitDays} />}
        {data === undefined ? null : <AgentTime days={data.agentSeconds} />}
        {data === undefined && error !== null ? (
          <NotRead title="Waits and history" error={error} again={() => void refetch()} isAsking={isFetching} />
        ) : null}
        <UsageOfUser userId={userId} stamp={stamp} />
      </div>
      {data === undefined ? null : (
        <History key={userId} userId={userId} newest={data.history} more={data.historyNext} />
      )}
    </main>
  );
}

function aboutOf({ email, role, active }: Profile): string {
  return [email, role === "admin" ? "administrator" : "member", active ? null : "deactivated"]
    .filter(Boolean)
    .join(" · ");
}

function OwnLine({ userId, isYou }: { userId: string; isYou: boolean }) {
  const pool = usePool();
  const line = pool === undefined ? null : lineOf(pool, userId);
  const { tasks, isReading } = useLineTasks(line);
  const reader = usePoolReader(tasks);
  if (line === null || reader === null) return <section className="panel" aria-busy="true" />;
  const { queued } = countsOf(reader.pool, userId);
  const first = isReading ? undefined : line.queued.find(({ session }) => session.waitingFor !== null)?.session;
  return (
    <section className="panel" aria-labelledby="line-head">
      <div className="panel-head">
        <h2 id="line-head">{isYou ? "Your line" : "Line"}</h2>
        <span className="faint cut">
          {[`${queued} waiting`, first === undefined ? null : reasonOf(first, reader)].filter(Boolean).join(" · ")}
        </span>
      </div>
      <Line line={line} tasks={tasks} reader={reader} isReading={isReading} />
    </section>
  );
}

function NobodyHere() {
  return (
    <main id="main" className="grid min-h-[60vh] place-items-center p-6">
      <div className="empty max-w-[420px]">
        <h1 className="font-semibold">Nobody is here</h1>
        <span>There is no person with this address.</span>
      </div>
    </main>
  );
}
