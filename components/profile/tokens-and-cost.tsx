"use client";
/** Tokens and cost per day, of a person or of a project (A4, B8). A day whose cost nobody told says so. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { UsageDays } from "@/server/contract/usage";
import { api } from "../api";
import { costOfSum, shortFigure } from "../ui/cost";
import { dayOf } from "../ui/time";

type Day = UsageDays["days"][number];

/** `stamp`: whatever changes when a session has ended. */
export function UsageOfUser({ userId, stamp }: { userId: string; stamp: string }) {
  const options = api.usage.ofUser.queryOptions({ input: { id: userId } });
  const { data } = useQuery({
    ...options,
    queryKey: [...options.queryKey, stamp],
    placeholderData: keepPreviousData,
  });
  return data === undefined ? null : <TokensAndCost usage={data} />;
}

export function UsageOfProject({ projectId }: { projectId: string }) {
  const { data } = useQuery(api.usage.ofProject.queryOptions({ input: { id: projectId, days: 30 } }));
  return data === undefined ? null : <TokensAndCost usage={data} />;
}

/** In units of the drawing, which is stretched to the room there is. */
const CHART = { width: 420, height: 96 } as const;

export function TokensAndCost({ usage: { days, total } }: { usage: UsageDays }) {
  const most = Math.max(1, ...days.map(tokensOf));
  const step = CHART.width / Math.max(1, days.length);
  const [first, today] = [days[0], days.at(-1)];
  const isEmpty = total.sessions === 0 && total.unknownCost === 0;
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
          <svg
            className="chart"
            viewBox={`0 0 ${CHART.width} ${CHART.height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Tokens and cost per day: ${days.map(wordsOf).join("; ")}`}
          >
            {days.map((day, place) => {
              const tokens = tokensOf(day);
              const height = tokens === 0 ? 0 : Math.max(2, (tokens / most) * CHART.height);
              return (
                <rect
                  key={day.day}
                  className="a"
                  x={place * step + step * 0.18}
                  y={CHART.height - height}
                  width={step * 0.64}
                  height={height}
                >
                  <title>{wordsOf(day)}</title>
                </rect>
              );
            })}
          </svg>
          <p className="chart-days" aria-hidden="true">
            <span>{first === undefined ? "" : dayOf(first.day)}</span>
            <span>today</span>
          </p>
          <dl className="figures-big mt-3">
            <Big word="input" tokens={total.input} />
            <Big word="cached input" tokens={total.cachedInput} />
            <Big word="output" tokens={total.output} />
            <div>
              <dt>cost today</dt>
              <dd>{today === undefined ? "" : costOfSum(today)}</dd>
            </div>
          </dl>
          {total.partial ? <p className="hint">Partial: some sessions used more than they told.</p> : null}
        </>
      )}
    </section>
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
  return `${dayOf(day.day)}: ${shortFigure(tokensOf(day))} tokens, cost ${costOfSum(day)}`;
}
