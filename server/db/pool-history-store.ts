/** Rows behind `ports/pool-history.ts`. Minutes are added up here, so that a week of them is a hundred rows on the way. */
import type { Sql } from "postgres";
import type { HistoryStep, PoolHistoryStore } from "../ports/pool-history";

type Row = Omit<HistoryStep, "waits"> & { readonly spread: string };

export function createPoolHistoryStore(sql: Sql): PoolHistoryStore {
  return {
    async keep(minutes) {
      await sql`
        insert into pool_history
          (at, source, seconds, seat_seconds, cap_seconds, waiting_seconds, grants, ended, failed, commits, waits)
        select to_timestamp(m.at / 1000), m.source, m.seconds, m."seatSeconds", m."capSeconds", m."waitingSeconds",
          m.grants, m.ended, m.failed, m.commits, m.waits
        from jsonb_to_recordset(${JSON.stringify(minutes)}::text::jsonb) as m
          (at float8, source text, seconds float8, "seatSeconds" float8, "capSeconds" float8, "waitingSeconds" float8,
           grants int, ended int, failed int, commits int, waits int[])
        on conflict (at, source) do update set seconds = excluded.seconds, seat_seconds = excluded.seat_seconds,
          cap_seconds = excluded.cap_seconds, waiting_seconds = excluded.waiting_seconds, grants = excluded.grants,
          ended = excluded.ended, failed = excluded.failed, commits = excluded.commits, waits = excluded.waits`;
    },
    async read({ from, to, stepMs }) {
      const rows = await sql<Row[]>`
        with chosen as (
          select floor(extract(epoch from at) * 1000 / ${stepMs}::float8) * ${stepMs}::float8 as step, * from pool_history
          where at >= to_timestamp(${from / 1_000}) and at < to_timestamp(${to / 1_000})
        ), counted as (
          select step, range - 1 as range, sum(count) as count
          from chosen, unnest(waits) with ordinality as spread(count, range) where count > 0 group by step, range
        ), spreads as (
          select step, jsonb_agg(jsonb_build_array(range, count)) as spread from counted group by step
        ), sums as (
          select step, sum(seconds) as seconds, sum(seat_seconds) as "seatSeconds", sum(cap_seconds) as "capSeconds",
            sum(waiting_seconds) as "waitingSeconds", sum(grants)::float8 as grants, sum(ended)::float8 as ended,
            sum(failed)::float8 as failed, sum(commits)::float8 as commits
          from chosen group by step
        )
        select step as at, seconds, "seatSeconds", "capSeconds", "waitingSeconds", grants, ended, failed, commits,
          coalesce(spread, '[]')::text as spread
        from sums left join spreads using (step) order by step`;
      return rows.map(({ spread, ...sums }) => ({ ...sums, waits: countsOf(JSON.parse(spread)) }));
    },
    async forget(before) {
      await sql`delete from pool_history where at < to_timestamp(${before / 1_000})`;
    },
  };
}

function countsOf(spread: readonly (readonly [range: number, count: number])[]): number[] {
  const counts: number[] = Array.from({ length: Math.max(0, ...spread.map(([range]) => range + 1)) }, () => 0);
  for (const [range, count] of spread) counts[range] = count;
  return counts;
}
