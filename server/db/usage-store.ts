/** Rows behind `ports/usage-store.ts`: one statement each, over the index of the task, the project or the person. */
import type { Sql } from "postgres";
import { COST_MAX_USD, TOKENS_MAX } from "../core/agent/figures";
import type { UsageOfDay, UsageStore, UsageSubject, UsageSum } from "../ports/usage-store";

const DAY_MS = 86_400_000;

interface SumRow {
  sessions: number;
  input: number;
  cached_input: number;
  output: number;
  unknown_tokens: number;
  cost_usd: number | null;
  unknown_cost: number;
  partial: boolean;
}

export function createUsageStore(sql: Sql): UsageStore {
  const isTold = (name: string) => sql`jsonb_typeof(s.usage->${name}) = 'number'`;
  /**
   * A figure of what a row tells, which may be of another release; null: it is none that can be believed. Compared before it is
   * made a float8: a number in JSON may be larger than any of those, and the whole sum would fail with it.
   */
  const figure = (name: string, max: number) => sql`
    case when ${isTold(name)} then
      case when (s.usage->>${name})::numeric between 0 and ${max}::bigint then (s.usage->>${name})::float8 end
    end`;
  const tokens = (name: string) => figure(name, TOKENS_MAX);
  const cost = figure("costUsd", COST_MAX_USD);
  const [input, cachedInput, output] = [tokens("input"), tokens("cachedInput"), tokens("output")];
  // All three or none, as in `usageFrom`.
  const isKnown = sql`(${input} + ${cachedInput} + ${output}) is not null`;
  const isDoubtful = sql`(${isTold("input")} and not ${isKnown}) or (${isTold("costUsd")} and ${cost} is null)`;
  const sums = () => sql`
    count(*) filter (where ${isKnown})::int as sessions,
    coalesce(sum(${input}) filter (where ${isKnown}), 0)::float8 as input,
    coalesce(sum(${cachedInput}) filter (where ${isKnown}), 0)::float8 as cached_input,
    coalesce(sum(${output}) filter (where ${isKnown}), 0)::float8 as output,
    count(*) filter (where a.kind <> 'shell' and not ${isKnown})::int as unknown_tokens,
    sum(${cost})::float8 as cost_usd,
    count(*) filter (where a.kind <> 'shell' and ${cost} is null)::int as unknown_cost,
    coalesce(bool_or(s.usage->'partial' = 'true' or ${isDoubtful}), false) as partial`;

  const ofWhom = (subject: UsageSubject) => {
    if (subject.kind === "project") return sql`s.project_id = ${subject.projectId}`;
    const { userId, viewer } = subject;
    if (userId === viewer) return sql`s.user_id = ${userId}`;
    return sql`s.user_id = ${userId} and s.project_id in (
      select m.project_id from project_members m join projects p on p.id = m.project_id and p.deleted_at is null
      where m.user_id = ${viewer})`;
  };

  return {
    async ofTask(id) {
      const [row] = await sql<SumRow[]>`
        select ${sums()} from sessions s join agents a on a.id = s.agent_id
        where s.task_id = ${id} and s.started_at is not null and s.finished_at is not null`;
      return sumOf(row ?? NOTHING);
    },
    async perDay(subject, days, now, timeZone) {
      const at = new Date(now).toISOString();
      const since = new Date(now - (days + 1) * DAY_MS).toISOString();
      const rows = await sql<(SumRow & { day: string })[]>`
        with used as (
          select (s.finished_at at time zone ${timeZone})::date as day, ${sums()}
          from sessions s join agents a on a.id = s.agent_id
          where ${ofWhom(subject)} and s.started_at is not null and s.finished_at >= ${since}::timestamptz
          group by 1
        ), today as (select (${at}::timestamptz at time zone ${timeZone})::date as day)
        select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(u.sessions, 0) as sessions, coalesce(u.input, 0) as input,
          coalesce(u.cached_input, 0) as cached_input, coalesce(u.output, 0) as output,
          coalesce(u.unknown_tokens, 0) as unknown_tokens, u.cost_usd,
          coalesce(u.unknown_cost, 0) as unknown_cost, coalesce(u.partial, false) as partial
        from today, generate_series(today.day - ${days - 1}::int, today.day, interval '1 day') as d(day)
          left join used u on u.day = d.day::date
        order by d.day`;
      return rows.map((row): UsageOfDay => ({ day: row.day, ...sumOf(row) }));
    },
  };
}

const NOTHING: SumRow = {
  sessions: 0,
  input: 0,
  cached_input: 0,
  output: 0,
  unknown_tokens: 0,
  cost_usd: null,
  unknown_cost: 0,
  partial: false,
};

function sumOf(row: SumRow): UsageSum {
  return {
    sessions: row.sessions,
    input: row.input,
    cachedInput: row.cached_input,
    output: row.output,
    unknownTokens: row.unknown_tokens,
    costUsd: row.cost_usd,
    unknownCost: row.unknown_cost,
    partial: row.partial,
  };
}
