/**
 * What the database itself saw: a trigger notes every change of a session's row inside the transaction that makes it, so that
 * caps and order are judged by what was committed and not by what anybody says. Also the door to the database for kills.
 */
import postgres from "postgres";
import type { Row, Transition } from "./evidence";

const SCHEMA = `
create schema chaos;
create table chaos.transitions (
  id bigserial primary key, tx text not null, at timestamptz not null, backend int not null, session_id text not null,
  user_id text not null, line_order bigint not null, was text, status text not null, was_attempt int, attempt int not null,
  grant_seq bigint, is_held boolean not null
);
create function chaos.note() returns trigger language plpgsql as $$
begin
  insert into chaos.transitions (tx, at, backend, session_id, user_id, line_order, was, status, was_attempt, attempt,
    grant_seq, is_held)
  values (pg_current_xact_id()::text, clock_timestamp(), pg_backend_pid(), new.id, new.user_id,
    coalesce(new.place, new.seq), case when tg_op = 'UPDATE' then old.status end, new.status,
    case when tg_op = 'UPDATE' then old.attempt end, new.attempt, new.grant_seq, new.held is not null);
  return null;
end $$;
create trigger chaos_inserted after insert on public.sessions for each row execute function chaos.note();
create trigger chaos_updated after update on public.sessions for each row
  when ((old.status, old.attempt, old.held, old.place) is distinct from (new.status, new.attempt, new.held, new.place))
  execute function chaos.note();`;

export interface Witness {
  /** Sessions that are queued or running. */
  live(): Promise<number>;
  /** Process of the server that holds the writer's lease; null while nobody does. */
  writer(): Promise<number | null>;
  transitions(): Promise<Transition[]>;
  rows(): Promise<Row[]>;
  /** Ends one of the servers' connections; false when there is none. `which`: from 0 up to 1. */
  terminateOne(which: number): Promise<boolean>;
  close(): Promise<void>;
}

export async function callWitness(databaseUrl: string): Promise<Witness> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(SCHEMA);
  return {
    async live() {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from sessions where status in ('queued', 'running')`;
      return row?.count ?? 0;
    },
    async writer() {
      const [lease] = await sql<
        { holder: string }[]
      >`select holder from pool_lease where expires_at > clock_timestamp()`;
      // `place pid start …`, see server/system/holder.ts.
      return lease ? Number(lease.holder.split(" ")[1]) : null;
    },
    transitions: () => sql<Transition[]>`
      select id::int, tx, (extract(epoch from at) * 1000000)::float8 as at, backend, session_id as "sessionId",
        user_id as "userId", line_order::int as "order", was, status as is, was_attempt as "wasAttempt", attempt,
        grant_seq::int as "grantSeq", is_held as "isHeld"
      from chaos.transitions order by id`,
    rows: () => sql<Row[]>`
      select id, task_id as "taskId", user_id as "userId", seq::int, status, attempt, failure_kind as "failureKind", signal,
        output_bytes::int as "outputBytes"
      from sessions order by seq`,
    async terminateOne(which) {
      const backends = await sql<{ pid: number }[]>`
        select pid from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`;
      const chosen = backends[Math.floor(which * backends.length)];
      if (!chosen) return false;
      const [answer] = await sql<{ done: boolean }[]>`select pg_terminate_backend(${chosen.pid}) as done`;
      return answer?.done ?? false;
    },
    close: () => sql.end({ timeout: 1 }),
  };
}
