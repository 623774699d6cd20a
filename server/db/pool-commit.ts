/**
 * The pool's one statement (architecture 5.3): every part changes rows only while the lease row stands at our epoch, and a
 * takeover waits for it. Parts see the same snapshot and run in no order, so a session stands in one part only. A new
 * column of `sessions` that the pool changes goes into the part here, into the core's writes and into `pool-rows.ts`.
 */
import type { ChangeWrite, EndWrite, InsertWrite, LiveRow, PoolWrites } from "../core/pool/rows";
import type { Beside } from "../ports/pool-link";
import { arrayLiteral, type Cell } from "./array-literal";
import { CHANNEL, SAYS_TOLD } from "./gossip";

/** Column name, its type in the statement, and its value from a write. */
type Column<W> = readonly [name: string, type: "text" | "bigint", value: (write: W) => Cell];

const ENDS: readonly Column<EndWrite>[] = [
  ["id", "text", (w) => w.sessionId],
  ["was", "text", (w) => w.from],
  ["attempt", "bigint", (w) => w.attempt],
  ["status", "text", (w) => w.ended.status],
  ["ended_at", "bigint", (w) => Math.round(w.ended.endedAt)],
  ["cancelled_by", "text", (w) => w.cancelledBy],
  ["exit_code", "bigint", (w) => w.ended.exitCode],
  ["signal", "text", (w) => w.ended.signal],
  ["failure_kind", "text", (w) => w.ended.failure?.kind ?? null],
  ["failure_detail", "text", (w) => w.ended.failure?.detail ?? null],
  ["work_unsaved", "text", (w) => w.ended.workUnsaved],
  ["left_out", "text", (w) => jsonText(w.ended.leftOut)],
  ["head_commit", "text", (w) => w.ended.headCommit],
  ["files", "bigint", (w) => w.ended.files],
  ["additions", "bigint", (w) => w.ended.additions],
  ["deletions", "bigint", (w) => w.ended.deletions],
  ["output_bytes", "bigint", (w) => w.ended.outputBytes],
  ["usage", "text", (w) => (w.ended.usage === null ? null : jsonText(w.ended.usage))],
  ["agent_session_id", "text", (w) => w.ended.agentSessionId],
];

/** Columns that the pool changes while a session is live; the same for new rows and old ones. */
const LIVE: readonly Column<{ row: LiveRow }>[] = [
  ["id", "text", ({ row }) => row.id],
  ["status", "text", ({ row }) => row.status],
  ["phase", "text", ({ row }) => (row.status === "running" ? row.phase : null)],
  ["attempt", "bigint", ({ row }) => row.attempt],
  ["place", "bigint", ({ row }) => row.place],
  ["epoch", "bigint", ({ row }) => (row.status === "running" ? row.epoch : null)],
  ["grant_seq", "bigint", ({ row }) => (row.status === "running" ? row.grantSeq : null)],
  ["seat", "bigint", ({ row }) => (row.status === "running" ? row.seat : null)],
  ["started_at", "bigint", ({ row }) => (row.status === "running" ? Math.round(row.startedAt) : null)],
  ["cancelled_by", "text", ({ row }) => (row.status === "running" ? row.cancelledBy : null)],
  ["held", "text", ({ row }) => (row.status === "queued" ? (row.hold?.reason ?? null) : null)],
  ["held_detail", "text", ({ row }) => (row.status === "queued" ? (row.hold?.detail ?? null) : null)],
  ["held_until", "bigint", ({ row }) => (row.status === "queued" ? (row.hold?.until ?? null) : null)],
];

const CHANGES: readonly Column<ChangeWrite>[] = [
  ["was", "text", (w) => w.from],
  ["was_attempt", "bigint", (w) => w.fromAttempt],
  ["last_action", "text", (w) => w.lastAction],
  ["output_bytes", "bigint", (w) => w.outputBytes],
  ["last_output_at", "bigint", (w) => (w.lastOutputAt === null ? null : Math.round(w.lastOutputAt))],
  ["adopted_at", "bigint", (w) => (w.adoptedAt === null ? null : Math.round(w.adoptedAt))],
  ["question", "text", (w) => (w.question === null || w.question === "none" ? w.question : jsonText(w.question))],
  ...LIVE,
];

const INSERTS: readonly Column<InsertWrite>[] = [
  ["task_id", "text", ({ row }) => row.taskId],
  ["project_id", "text", ({ row }) => row.projectId],
  ["user_id", "text", ({ row }) => row.userId],
  ["agent_id", "text", ({ row }) => row.agentId],
  ["queued_at", "bigint", ({ row }) => Math.round(row.queuedAt)],
  ["mode", "text", (w) => w.mode],
  ["message", "text", (w) => w.message],
  ...LIVE,
];

const USERS: readonly Column<PoolWrites["users"][number]>[] = [
  ["user_id", "text", (user) => user.userId],
  ["max", "bigint", (user) => user.max],
  ["last_grant_seq", "bigint", (user) => user.lastGrantSeq],
];

const FIRST_OF_ENDS = 6;
const FIRST_OF_INSERTS = FIRST_OF_ENDS + ENDS.length;
const FIRST_OF_CHANGES = FIRST_OF_INSERTS + INSERTS.length;
const FIRST_OF_USERS = FIRST_OF_CHANGES + CHANGES.length;

const WRITE = `
with lease as materialized (select 1 from pool_lease where id = 1 and epoch = $1::text::bigint for share),
ended as (
  update sessions s set
    status = t.status, phase = null, phase_since = null, seat = null, held = null, held_detail = null, held_until = null,
    finished_at = to_timestamp(t.ended_at / 1000.0), cancelled_by = coalesce(t.cancelled_by, s.cancelled_by),
    exit_code = t.exit_code, signal = t.signal, failure_kind = t.failure_kind, failure_detail = t.failure_detail,
    work_unsaved = t.work_unsaved, left_out = t.left_out::jsonb, head_commit = t.head_commit, files = t.files,
    additions = t.additions, deletions = t.deletions, output_bytes = coalesce(t.output_bytes, s.output_bytes),
    usage = t.usage::jsonb, agent_session_id = t.agent_session_id
  from ${table(ENDS, FIRST_OF_ENDS)}
  where s.id = t.id and s.status = t.was and s.attempt = t.attempt and exists (select from lease)
  returning s.id
),
inserted as (
  insert into sessions (id, task_id, project_id, user_id, agent_id, queued_at, mode, message, status, phase, phase_since,
    attempt, epoch, grant_seq, seat, started_at, held, held_detail, held_until)
  select id, task_id, project_id, user_id, agent_id, to_timestamp(queued_at / 1000.0), mode, message, status, phase,
    case when phase is not null then to_timestamp($5::text::bigint / 1000.0) end, attempt, epoch, grant_seq, seat,
    to_timestamp(started_at / 1000.0), held, held_detail,
    to_timestamp(held_until / 1000.0)
  from ${table(INSERTS, FIRST_OF_INSERTS)}
  where exists (select from lease)
  order by t.arrival
  on conflict do nothing
  returning id, seq
),
changed as (
  update sessions s set
    status = t.status, phase = t.phase,
    phase_since = case when t.phase is null then null when t.phase is distinct from s.phase or t.attempt <> s.attempt
      then to_timestamp($5::text::bigint / 1000.0) else s.phase_since end, attempt = t.attempt, place = t.place, epoch = t.epoch, grant_seq = t.grant_seq,
    seat = t.seat, started_at = to_timestamp(t.started_at / 1000.0), cancelled_by = t.cancelled_by, held = t.held,
    held_detail = t.held_detail, held_until = to_timestamp(t.held_until / 1000.0), taken_in = true,
    last_action = coalesce(t.last_action, s.last_action), output_bytes = coalesce(t.output_bytes, s.output_bytes),
    last_output_at = coalesce(to_timestamp(t.last_output_at / 1000.0), s.last_output_at),
    adopted_at = coalesce(to_timestamp(t.adopted_at / 1000.0), s.adopted_at),
    question = case when t.question is null then s.question when t.question = 'none' then null
      else t.question::jsonb end
  from ${table(CHANGES, FIRST_OF_CHANGES)}
  where s.id = t.id and s.status = t.was and s.attempt = t.was_attempt and exists (select from lease)
  returning s.id
),
users_kept as (
  insert into pool_users (user_id, max, last_grant_seq)
  select user_id, max, last_grant_seq from ${table(USERS, FIRST_OF_USERS)} where exists (select from lease)
  on conflict (user_id) do update set max = excluded.max, last_grant_seq = excluded.last_grant_seq
),
caps_kept as (
  update pool_settings set global_max = $2::text::int, per_user_max = $3::text::int, paused = $4::text::boolean
  where id = 1 and $2::text is not null and exists (select from lease)
)`;

const REPORT = `
select 'lease' as part, null as id, null::bigint as seq from lease
union all select 'ended', id, null from ended
union all select 'inserted', id, seq from inserted
union all select 'changed', id, null from changed`;

export const COMMIT = `${WRITE}${REPORT}`;

const FIRST_BESIDE = FIRST_OF_USERS + USERS.length;
const [TAKEN_IN, ANSWERED, ANSWERS, TOLD, CHANGES_TOLD] = [0, 1, 2, 3, 4].map((i) => `$${FIRST_BESIDE + i}`);

/** The same for a writer that is not alone: newcomers are marked, wishes answered and the version told (P19), or nothing of all. */
export const COMMIT_AND_TELL = `${WRITE},
taken_in as (
  update sessions s set taken_in = true from unnest(${TAKEN_IN}::text[]) as t(id)
  where s.id = t.id and exists (select from lease)
),
answered as (
  update pool_requests r set answered_at = clock_timestamp(), answer = t.answer::jsonb
  from unnest(${ANSWERED}::text[], ${ANSWERS}::text[]) as t(id, answer)
  where r.id = t.id and exists (select from lease)
),
told as (
  insert into pool_told (id, epoch, version, at, is_open, is_disk_short)
  select 1, $1::text::bigint, t.version, t.at, t."isOpen", t."isDiskShort"
  from jsonb_to_record(${TOLD}::text::jsonb) as t(version bigint, at bigint, "isOpen" boolean, "isDiskShort" boolean)
  where ${TOLD}::text is not null and exists (select from lease)
  on conflict (id) do update set epoch = excluded.epoch, version = excluded.version, at = excluded.at,
    is_open = excluded.is_open, is_disk_short = excluded.is_disk_short
),
changes_told as (
  insert into pool_changes (epoch, version, since, body)
  select $1::text::bigint, t.version, t.since, ${CHANGES_TOLD}::text::jsonb
  from jsonb_to_record(${TOLD}::text::jsonb) as t(version bigint, since bigint)
  where ${TOLD}::text is not null and exists (select from lease)
  on conflict (epoch, version) do update set since = excluded.since, body = excluded.body
),
said as (select pg_notify('${CHANNEL}', '${SAYS_TOLD}') from lease)
${REPORT}
union all select 'said', null, null from said`;

/** `at`: when it is committed; since then a session is in its new phase. */
export function commitParameters(epoch: number, writes: PoolWrites, at = Date.now()): (string | null)[] {
  const { caps } = writes;
  const settings = caps ? [String(caps.globalMax), String(caps.perUserMax), String(caps.paused)] : [null, null, null];
  return [
    String(epoch),
    ...settings,
    String(Math.round(at)),
    ...columns(ENDS, writes.ends),
    ...columns(INSERTS, writes.inserts),
    ...columns(CHANGES, writes.changes),
    ...columns(USERS, writes.users),
  ];
}

/** For the places of `COMMIT_AND_TELL` that `commitParameters` leaves. */
export function besideParameters({ takenIn, answers, told }: Beside): (string | null)[] {
  const { changes, ...version } = told ?? { changes: null };
  return [
    arrayLiteral(takenIn),
    arrayLiteral(answers.map(({ id }) => id)),
    arrayLiteral(answers.map(({ answer }) => jsonText(answer))),
    told && JSON.stringify(version),
    told && JSON.stringify(changes),
  ];
}

function table<W>(part: readonly Column<W>[], first: number): string {
  const parameters = part.map(([, type], i) => `$${first + i}::${type}[]`).join(", ");
  const names = part.map(([name]) => name).join(", ");
  return `unnest(${parameters}) with ordinality as t(${names}, arrival)`;
}

function columns<W>(part: readonly Column<W>[], writes: readonly W[]): string[] {
  return part.map(([, , value]) => arrayLiteral(writes.map(value)));
}

/** As text: the driver would write a string into a jsonb column as a string. NUL cannot be held by jsonb. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll("\\u0000", "\\ufffd");
}
