/**
 * What is new in the rows for a server that follows (P13, P19). Each of the two statements sees one moment, and the version that
 * the writer told is a row like the others: so whatever is read is exactly the rows of that version.
 */
import type { Caps, LiveRow, UserRow } from "../core/pool/rows";
import type { EndedStatus } from "../core/words";
import type { Changes, GoneRow, News } from "../ports/pool-link";
import type { Sql } from "./client";
import { type Columns, LIVE_COLUMNS, rowReader } from "./pool-rows";

const ROWS_PER_FETCH = 5_000;

/** One part of an answer: what it is, and its row as JSON. */
interface Part {
  part: "told" | "caps" | "change" | "session" | "user";
  body: string;
}

interface ToldRow {
  readonly epoch: number;
  readonly version: number;
  readonly at: number;
  readonly isOpen: boolean;
  readonly isDiskShort: boolean;
}

interface ChangeRow extends Partial<Changes> {
  readonly version: number;
  readonly since: number | null;
}

type EndedRow = Omit<Columns, "status"> & { status: EndedStatus; ended_at: number | null };
type SessionRow = Columns | EndedRow;

/** Only of the writer of now: under a later epoch the rows may have moved on without a word. */
const TOLD = `told as materialized (
  select t.epoch, t.version, t.at, t.is_open as "isOpen", t.is_disk_short as "isDiskShort"
  from pool_told t join pool_lease l on l.id = 1 and l.epoch = t.epoch where t.id = 1
)`;

const SESSION_COLUMNS = `${LIVE_COLUMNS}, (extract(epoch from finished_at) * 1000)::bigint as ended_at`;
const USER_COLUMNS = `user_id as "userId", max, last_grant_seq as "lastGrantSeq"`;
const CAPS = `select 'caps', row_to_json(c)::text from (
  select global_max as "globalMax", per_user_max as "perUserMax", paused from pool_settings where id = 1) c`;

const CHANGES = `with ${TOLD},
changes as materialized (
  select c.version, c.since, c.body from pool_changes c join told on c.epoch = told.epoch
  where told.epoch = $1::text::bigint and c.version > $2::text::bigint and c.version <= told.version
)
select 'told' as part, row_to_json(told)::text as body from told
union all ${CAPS}
union all select 'change', (body || jsonb_build_object('version', version, 'since', since))::text from changes
union all select 'session', row_to_json(s)::text from (
  select ${SESSION_COLUMNS} from sessions
  where id = any(array(select distinct jsonb_array_elements_text(body->'sessions') from changes))) s
union all select 'user', row_to_json(u)::text from (
  select ${USER_COLUMNS} from pool_users
  where user_id = any(array(select distinct jsonb_array_elements_text(body->'users') from changes))) u`;

const WHOLE = `with ${TOLD}
select 'told' as part, row_to_json(told)::text as body from told
union all ${CAPS}
union all select 'user', row_to_json(u)::text from (select ${USER_COLUMNS} from pool_users) u
union all select 'session', row_to_json(s)::text from (
  select ${LIVE_COLUMNS} from sessions where status in ('queued', 'running') and taken_in) s`;

export async function readNews(sql: Sql, since: { epoch: number; version: number } | null): Promise<News> {
  if (since === null) return readWhole(sql);
  const answer = createAnswer();
  for (const part of await sql.unsafe<Part[]>(CHANGES, [String(since.epoch), String(since.version)])) answer.take(part);
  const { told, changes } = answer;
  if (told === null) return { kind: "untold" };
  if (told.epoch === since.epoch && told.version === since.version) return { kind: "same" };
  if (!isUnbroken(changes, since.version, told)) return readWhole(sql);
  return {
    kind: "changes",
    ...answer.common(told),
    live: answer.live,
    gone: answer.gone,
    users: answer.users,
    moved: new Set(changes.flatMap(({ moved = [] }) => moved)),
    touched: changes.some(({ isAll }) => isAll) ? "all" : new Set(changes.flatMap(({ touched = [] }) => touched)),
  };
}

async function readWhole(sql: Sql): Promise<News> {
  const answer = createAnswer();
  const query = sql.unsafe<Part[]>(WHOLE);
  for await (const parts of query.cursor(ROWS_PER_FETCH)) for (const part of parts) answer.take(part);
  const { told, live, users } = answer;
  if (told === null) return { kind: "untold" };
  const { caps, ...version } = answer.common(told);
  return { kind: "whole", ...version, rows: { caps, users, live } };
}

/** Each change begins where the one before it ended. */
function isUnbroken(changes: ChangeRow[], from: number, told: ToldRow): boolean {
  changes.sort((a, b) => a.version - b.version);
  let version = from;
  for (const change of changes) {
    if (change.since !== version) return false;
    version = change.version;
  }
  return version === told.version;
}

function createAnswer() {
  const toRow = rowReader();
  const live: LiveRow[] = [];
  const gone: GoneRow[] = [];
  const users: UserRow[] = [];
  const changes: ChangeRow[] = [];
  let told: ToldRow | null = null;
  let caps: Caps | null = null;

  function takeSession(row: SessionRow): void {
    const { id, task_id: taskId, project_id: projectId, user_id: userId, agent_id: agentId } = row;
    if (isLiveRow(row)) live.push(toRow(row));
    else {
      const { status, ended_at: endedAt } = row;
      const startedAt = row.started_at === null ? null : Number(row.started_at);
      gone.push({ id, taskId, projectId, userId, agentId, status, startedAt, endedAt: endedAt ?? 0 });
    }
  }

  return {
    live,
    gone,
    users,
    changes,
    get told() {
      return told;
    },
    take({ part, body }: Part): void {
      if (part === "told") told = JSON.parse(body);
      else if (part === "caps") caps = JSON.parse(body);
      else if (part === "change") changes.push(JSON.parse(body));
      else if (part === "user") users.push(JSON.parse(body));
      else takeSession(JSON.parse(body));
    },
    common({ epoch, version, at, isOpen, isDiskShort }: ToldRow) {
      if (caps === null) throw new Error("the pool has no settings yet");
      return { epoch, version, at, isOpen, isDiskShort, caps };
    },
  };
}

function isLiveRow(row: SessionRow): row is Columns {
  return row.status === "queued" || row.status === "running";
}
