/** The pool's database in PostgreSQL, as the suites of the pool want it. Caps are counted by a trigger at the end of every commit. */
import postgres from "postgres";
import { createGossip } from "../db/gossip";
import { createLeaseStore } from "../db/lease-store";
import { createPoolLink } from "../db/pool-link";
import { createPoolStore } from "../db/pool-store";
import type { LeaseStore } from "../ports/pool-store";
import type { PoolDatabase, StoredSession } from "./pool-world";
import { testDatabase } from "./postgres";

const SESSIONS = `select id, seq::int, place::int, task_id as "taskId", user_id as "userId", status, phase, attempt,
  grant_seq::int as "grantSeq", seat, (extract(epoch from started_at) * 1000)::float8 as "startedAt",
  cancelled_by as "cancelledBy", exit_code as "exitCode", failure_kind as "failureKind",
  failure_detail as "failureDetail" from sessions`;

const WATCH_CAPS = `
create table caps_watched (global_max int, per_user_max int, violations int);
create function count_over_cap() returns trigger language plpgsql as $$
begin
  update caps_watched set violations = violations + 1
  where (select count(*) from sessions where status = 'running') > global_max
    or exists (select from sessions where status = 'running' group by user_id having count(*) > per_user_max);
  return null;
end $$;
create constraint trigger watch_caps after insert or update on sessions
  deferrable initially deferred for each row when (new.status = 'running') execute function count_over_cap()`;

export interface PostgresPoolDatabase extends PoolDatabase {
  readonly url: string;
  /** Ends every connection of the product, as an administrator or a failing network would. */
  cutConnections(): Promise<void>;
}

export async function postgresPoolDatabase(): Promise<PostgresPoolDatabase> {
  const { url, drop } = await testDatabase();
  const sql = postgres(url, { max: 2, onnotice: () => {} });
  const leases: LeaseStore[] = [];
  const gossip = createGossip(url);
  await sql`insert into users (id, name, email) values ('owner', 'Owner', 'owner@example.org')`;
  await sql`insert into projects (id, name, repository, path, base_branch)
    values ('project-1', 'One', 'sample', 'sample', 'main')`;
  return {
    url,
    connect() {
      const lease = createLeaseStore(url);
      leases.push(lease);
      return { store: createPoolStore(url), lease, link: createPoolLink(url, gossip) };
    },
    async addPeople(userIds) {
      const rows = userIds.map((id) => ({ id, name: id, email: `${id}@example.org` }));
      await sql`insert into users ${sql(rows)} on conflict do nothing`;
    },
    async addTasks(taskIds) {
      await sql`insert into tasks (id, project_id, number, title, prompt, order_key)
        select id, 'project-1', (select coalesce(max(number), 0) from tasks) + n, id, id, 'a'
        from unnest(${taskIds as string[]}::text[]) with ordinality as t(id, n)`;
    },
    async loseTask(taskId) {
      await sql`delete from tasks where id = ${taskId}`;
    },
    sessions: () => sql.unsafe<StoredSession[]>(SESSIONS),
    async watchCaps({ globalMax, perUserMax }) {
      await sql.unsafe(WATCH_CAPS).simple();
      await sql`insert into caps_watched values (${globalMax}, ${perUserMax}, 0)`;
      return async () => {
        const [row] = await sql<{ violations: number }[]>`select violations from caps_watched`;
        return row?.violations ?? Number.NaN;
      };
    },
    async cutConnections() {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'camelot%'`;
    },
    async close() {
      await Promise.all(leases.map((lease) => lease.close()));
      await gossip.close();
      await sql.end();
      await drop();
    },
  };
}
