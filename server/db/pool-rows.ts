/** Live rows as the pool reads them: the columns, and from a row of the driver to a row of the core. */
import type { SlotTime } from "../core/pool/durations";
import type { Caps, LiveRow, PoolRows, QueuedRow, UserRow } from "../core/pool/rows";
import type { HoldReason, Millis, SessionId, SessionPhase } from "../core/words";
import type { Sql } from "./client";

export interface Columns {
  id: string;
  /** 64-bit numbers come as text from the driver and as numbers out of JSON. */
  seq: string | number;
  place: string | number | null;
  task_id: string;
  project_id: string;
  user_id: string;
  agent_id: string;
  status: "queued" | "running";
  attempt: number;
  phase: SessionPhase | null;
  epoch: string | number | null;
  grant_seq: string | number | null;
  seat: number | null;
  held: HoldReason | null;
  held_detail: string | null;
  held_until: string | number | null;
  queued_at: string | number;
  started_at: string | number | null;
  cancelled_by: string | null;
  taken_in: boolean;
}

const ROWS_PER_FETCH = 5_000;
/** Ended rows looked through for one that held a slot: many may have been withdrawn while they waited. */
const LOOKED_THROUGH_PER_ENDING = 5;

export const LIVE_COLUMNS = `id, seq, place, task_id, project_id, user_id, agent_id, status, attempt, phase, epoch, grant_seq, seat,
  held, held_detail, (extract(epoch from held_until) * 1000)::bigint as held_until,
  (extract(epoch from queued_at) * 1000)::bigint as queued_at,
  (extract(epoch from started_at) * 1000)::bigint as started_at, cancelled_by, taken_in`;

type Live = Pick<PoolRows, "live" | "newcomers">;

export async function readAllLive(sql: Sql): Promise<Live> {
  const live: LiveRow[] = [];
  const newcomers: SessionId[] = [];
  const toRow = rowReader();
  const query = sql.unsafe<Columns[]>(`select ${LIVE_COLUMNS} from sessions where status in ('queued', 'running')`);
  for await (const rows of query.cursor(ROWS_PER_FETCH)) {
    for (const row of rows) {
      live.push(toRow(row));
      if (!row.taken_in) newcomers.push(row.id);
    }
  }
  return { live, newcomers };
}

export async function readLiveOf(sql: Sql, userIds: string): Promise<Live> {
  const rows = await sql.unsafe<Columns[]>(
    `select ${LIVE_COLUMNS} from sessions where status in ('queued', 'running') and user_id = any($1::text[])`,
    [userIds],
  );
  return { live: rows.map(rowReader()), newcomers: rows.filter((row) => !row.taken_in).map((row) => row.id) };
}

export async function readCaps(sql: Sql): Promise<Caps> {
  const [row] = await sql<{ global_max: number; per_user_max: number; paused: boolean }[]>`
    select global_max, per_user_max, paused from pool_settings where id = 1`;
  if (!row) throw new Error("the pool has no settings yet");
  return { globalMax: row.global_max, perUserMax: row.per_user_max, paused: row.paused };
}

/** Walks back over `sessions_ended`, as far as it has to and no further. */
export async function readEndings(sql: Sql, since: Millis, limit: number): Promise<SlotTime[]> {
  const rows = await sql<{ id: string; project_id: string; agent_id: string; started: string; ended: string }[]>`
    select id, project_id, agent_id, (extract(epoch from started_at) * 1000)::bigint as started,
      (extract(epoch from finished_at) * 1000)::bigint as ended
    from (
      select id, project_id, agent_id, started_at, finished_at from sessions
      where finished_at > to_timestamp(${since}::float8 / 1000)
      order by finished_at desc limit ${limit * LOOKED_THROUGH_PER_ENDING}
    ) newest where started_at is not null order by finished_at desc limit ${limit}`;
  return rows.map((row) => ({
    sessionId: row.id,
    projectId: row.project_id,
    agentId: row.agent_id,
    startedAt: Number(row.started),
    endedAt: Number(row.ended),
  }));
}

/** Of these users (an array literal), or of all. */
export async function readUsers(sql: Sql, userIds: string | null): Promise<UserRow[]> {
  const rows = await sql.unsafe<{ user_id: string; max: number | null; last_grant_seq: string | null }[]>(
    `select user_id, max, last_grant_seq from pool_users where $1::text[] is null or user_id = any($1::text[])`,
    [userIds],
  );
  return rows.map((row) => ({ userId: row.user_id, max: row.max, lastGrantSeq: numberOr(row.last_grant_seq, null) }));
}

/** Ids that many rows share become one string each: a million rows of some users and projects fit. */
export function rowReader(): (row: Columns) => LiveRow {
  const known = new Map<string, string>();
  const shared = (text: string): string => {
    const before = known.get(text);
    if (before === undefined) known.set(text, text);
    return before ?? text;
  };
  return (row) => {
    // Spelled out: what is made by spreading takes twice the memory, and a million may wait.
    const queued: QueuedRow = {
      id: row.id,
      taskId: row.task_id,
      projectId: shared(row.project_id),
      userId: shared(row.user_id),
      agentId: shared(row.agent_id),
      attempt: row.attempt,
      seq: Number(row.seq),
      place: numberOr(row.place, null),
      queuedAt: Number(row.queued_at),
      status: "queued",
      hold: holdOf(row),
    };
    if (row.status === "queued") return queued;
    const { hold: _, ...facts } = queued;
    return { ...facts, ...slotOf(row) };
  };
}

function slotOf(row: Columns) {
  return {
    status: "running",
    phase: row.phase ?? "starting",
    epoch: numberOr(row.epoch, 0),
    grantSeq: numberOr(row.grant_seq, 0),
    seat: row.seat ?? 0,
    startedAt: numberOr(row.started_at, Number(row.queued_at)),
    cancelledBy: row.cancelled_by,
  } as const;
}

function holdOf(row: Columns) {
  if (row.held === null) return null;
  return { reason: row.held, detail: row.held_detail, until: numberOr(row.held_until, null) };
}

function numberOr<T>(text: string | number | null, otherwise: T): number | T {
  return text === null ? otherwise : Number(text);
}
