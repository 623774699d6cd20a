"use client";
/** Tokens and cost per day, of a person or of a project (A4, B8). A day whose cost nobody told says so. */
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { UsageDays } from "@/server/contract/usage";
import { api } from "../api";
import { costOfSum, sessionsOf, shortFigure, tokensOfSum } from "../ui/cost";
import { dayOf } from "../ui/time";
import { DayBars } from "./day-chart";
import { NotRead } from "./not-read";

type Day = UsageDays["days"][number];

/** `stamp`: whatever changes when a session has ended. */
export function UsageOfUser({ userId, stamp }: { userId: string; stamp: string }) {
  const options = api.usage.ofUser.queryOptions({ input: { id: userId } });
  const read = useQuery({
    ...options,
    queryKey: [...options.queryKey, stamp],
    placeholderData: keepPreviousData,
  });
  return <AsRead read={read} />;
}

export function UsageOfProject({ projectId }: { projectId: string }) {
  return <AsRead read={useQuery(api.usage.ofProject.queryOptions({ input: { id: projectId, days: 30 } }))} />;
}

function AsRead({ read: { data, error, isFetching, refetch } }: { read: UseQueryResult<UsageDays> }) {
  if (data !== undefined) return <TokensAndCost usage={data} />;
  if (error === null) return null;
  return <NotRead title="Tokens and cost" error={error} again={() => void refetch()} isAsking={isFetching} />;
}

export function TokensAndCost({ usage: { days, total } }: { usage: UsageDays }) {
  const today = days.at(-1);
  const isEmpty = total.sessions === 0 && total.unknownTokens + total.unknownCost === 0 && total.costUsd === null;
  return (
    <section className="panel panel-body" aria-labelledby="tokens-head">
      <div className="figure">
        <h2 id="tokens-head">Tokens and cost</h2>
        <span className="end dim">
          last {days.length} days <b>{isEmpty ? "nothing" : costOfSum(total)}</b>
        </span>
      </div>
      {isEmpty ? (
        <p className="dim">No session told of tokens in these days.</p>
      ) : (
        <>
          <DayBars
            label={`Tokens and cost per day: ${days.map(wordsOf).join("; ")}`}
            bars={days.map((day) => ({ day: day.day, amount: tokensOf(day), words: wordsOf(day) }))}
          />
          <dl className="figures-big mt-3">
            <Tokens of={total} />
            <div>
              <dt>cost today</dt>
              <dd>{today === undefined ? "" : costOfSum(today)}</dd>
            </div>
          </dl>
          {total.sessions > 0 && total.unknownTokens > 0 ? (
            <p className="hint">Tokens are unknown for {sessionsOf(total.unknownTokens)} more.</p>
          ) : null}
          {total.partial ? <p className="hint">Partial: some sessions used more than they told.</p> : null}
        </>
      )}
    </section>
  );
}

/** Where no agent told of any, there is one thing to say of all three. */
function Tokens({ of: sum }: { of: UsageDays["total"] }) {
  if (sum.sessions === 0 && sum.unknownTokens > 0) {
    return (
      <div>
        <dt>tokens</dt>
        <dd>{tokensOfSum(sum)}</dd>
      </div>
    );
  }
  return (
    <>
      <Big word="input" tokens={sum.input} />
      <Big word="cached input" tokens={sum.cachedInput} />
      <Big word="output" tokens={sum.output} />
    </>
  );
}

function Big({ word, tokens }: { word: string; tokens: number }) {
  return (
    <div>
      <dt>{word}</dt>
      <dd>{shortFigure(tokens)}</dd>
    </div>
  );
}

function tokensOf({ input, cachedInput, output }: Day): number {
  return input + cachedInput + output;
}

function wordsOf(day: Day): string {
  const tokens = tokensOfSum(day, shortFigure);
  return `${dayOf(day.day)}: ${tokens === "unknown" ? "unknown tokens" : tokens}, cost ${costOfSum(day)}`;
}
