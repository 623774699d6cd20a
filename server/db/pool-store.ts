/**
 * The pool's rows in PostgreSQL. Reads over connections of its own, writes over exactly one, whose statement is bounded by
 * the database and by a deadline here. After the deadline the connection is thrown away; what it was doing is unknown.
 */
import postgres from "postgres";
import type { NewSession } from "../core/pool/events";
import type { Caps, PoolRows, PoolWrites } from "../core/pool/rows";
import type { Epoch, Millis, SessionId, TaskId, UserId } from "../core/words";
import type { Beside } from "../ports/pool-link";
import { CommitRefused, type Committed, type Inserted, type PoolStore } from "../ports/pool-store";
import { arrayLiteral } from "./array-literal";
import { asideClient, poolReaderClient, type Sql, writerClient } from "./client";
import { besideParameters, COMMIT, COMMIT_AND_TELL, commitParameters } from "./pool-commit";
import { readAllLive, readCaps, readEndings, readLiveOf, readUsers } from "./pool-rows";

const COMMIT_DEADLINE_MS = 6_000;
/** Bad data and broken constraints: the same statement would be refused again. */
const REFUSED = /^(22|23)/;
/** Somebody keeps a row locked. */
const LOCKED = "55P03";
const INSERT_TRIES = 3;
/** An insert beside the writer that did not get through by then is taken back, if it can be: its caller has been told to try again. */
const ASIDE_DEADLINE_MS = 1_500;

interface CommitRow {
  part: "lease" | "ended" | "inserted" | "changed";
  id: string | null;
  seq: string | null;
}

export function createPoolStore(url: string): PoolStore {
  const reader = poolReaderClient(url);
  const aside = asideClient(url);
  let writer = writerClient(url);

  async function commit(epoch: Epoch, writes: PoolWrites, beside: Beside | null = null): Promise<Committed> {
    // Alone on its database the writer has nothing to say, and says it with a shorter statement.
    const statement = beside ? COMMIT_AND_TELL : COMMIT;
    const parameters = [...commitParameters(epoch, writes), ...(beside ? besideParameters(beside) : [])];
    const query = writer.unsafe<CommitRow[]>(statement, parameters, { prepare: true });
    try {
      return committed(await withDeadline(query));
    } catch (error) {
      const refused = refusedBy(error);
      if (refused) throw refused;
      const old = writer;
      writer = writerClient(url);
      void old.end({ timeout: 0 }).catch(() => undefined);
      throw error;
    }
  }

  return {
    commit,
    ensureSettings: (first) => ensureSettings(reader, first),
    load: () => load(reader),
    loadUsers: (userIds, taskIds) => loadUsers(reader, userIds, taskIds),
    insertQueued: (sessionId, session, at) =>
      insertQueued(aside, sessionId, session, at).catch((error) => {
        throw refusedBy(error) ?? error;
      }),
    recentEndings: ({ since, limit }) => readEndings(reader, since, limit),
    close: async () => {
      await Promise.all([reader, aside, writer].map((client) => client.end({ timeout: 1 })));
    },
  };
}

function refusedBy(error: unknown): CommitRefused | null {
  if (!(error instanceof postgres.PostgresError)) return null;
  const isPassing = error.code === LOCKED;
  return isPassing || REFUSED.test(error.code) ? new CommitRefused(error.message, isPassing, { cause: error }) : null;
}

function committed(rows: readonly CommitRow[]): Committed {
  if (!rows.some((row) => row.part === "lease")) return { kind: "fenced" };
  const ended = new Set<SessionId>();
  const changed = new Set<SessionId>();
  const inserted = new Map<SessionId, number>();
  for (const { part, id, seq } of rows) {
    if (id === null) continue;
    if (part === "ended") ended.add(id);
    else if (part === "changed") changed.add(id);
    else inserted.set(id, Number(seq));
  }
  return { kind: "done", ended, changed, inserted };
}

async function withDeadline<T>(query: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the database did not answer in time")), COMMIT_DEADLINE_MS);
  });
  try {
    return await Promise.race([query, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

async function ensureSettings(sql: Sql, first: Caps): Promise<void> {
  await sql`insert into pool_settings (id, global_max, per_user_max, paused)
    values (1, ${first.globalMax}, ${first.perUserMax}, ${first.paused}) on conflict do nothing`;
}

async function load(sql: Sql): Promise<PoolRows> {
  return { caps: await readCaps(sql), users: await readUsers(sql, null), ...(await readAllLive(sql)) };
}

async function loadUsers(sql: Sql, userIds: readonly UserId[], taskIds: readonly TaskId[]) {
  const owners = await sql.unsafe<{ user_id: string }[]>(
    `select user_id from sessions where status in ('queued', 'running') and task_id = any($1::text[])`,
    [arrayLiteral(taskIds)],
  );
  const all = new Set([...userIds, ...owners.map((row) => row.user_id)]);
  const wanted = arrayLiteral([...all]);
  const rows = { caps: await readCaps(sql), users: await readUsers(sql, wanted), ...(await readLiveOf(sql, wanted)) };
  return { rows, userIds: all };
}

/** The answer to a dispatch while nobody's memory can decide it: the row waits, its number is its place. */
async function insertQueued(sql: Sql, sessionId: SessionId, session: NewSession, at: Millis): Promise<Inserted> {
  const { taskId, projectId, userId, agentId, mode, message, hold } = session;
  for (let tries = 0; tries < INSERT_TRIES; tries += 1) {
    const inserting = sql`
      insert into sessions (id, task_id, project_id, user_id, agent_id, queued_at, mode, message, status,
        held, held_detail, held_until, taken_in)
      values (${sessionId}, ${taskId}, ${projectId}, ${userId}, ${agentId}, to_timestamp(${at}::float8 / 1000), ${mode},
        ${message}, 'queued', ${hold?.reason ?? null}, ${hold?.detail ?? null},
        to_timestamp(${hold?.until ?? null}::float8 / 1000), false)
      on conflict do nothing`;
    const timer = setTimeout(() => inserting.cancel(), ASIDE_DEADLINE_MS);
    await inserting.finally(() => clearTimeout(timer));
    const [row] = await sql<{ id: string; position: number | null }[]>`
      select s.id, case when s.status = 'running' then 0 when s.held is not null then null else (
        select count(*)::int from sessions o where o.user_id = s.user_id and o.status = 'queued' and o.held is null
          and (coalesce(o.place, o.seq), o.seq) <= (coalesce(s.place, s.seq), s.seq)) end as position
      from sessions s where s.task_id = ${taskId} and s.status in ('queued', 'running')`;
    if (row) return { sessionId: row.id, existing: row.id !== sessionId, position: row.position };
  }
  throw new Error("the session ended while it was being read");
}
