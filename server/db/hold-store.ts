/** Rows behind `ports/hold-store.ts`. Live sessions are only read here: they belong to the pool's writer (P19). */
import type { Sql } from "postgres";
import type { HoldStore, StoredHold } from "../ports/hold-store";

interface Row {
  subject: StoredHold["subject"];
  subject_id: string;
  detail: string;
  until: string | null;
}

interface DisagreeingRow {
  id: string;
  agent_id: string;
  project_id: string;
  agent_detail: string | null;
  agent_until: string | null;
  repository_detail: string | null;
  repository_until: string | null;
}

export function createHoldStore(sql: Sql): HoldStore {
  return {
    async put({ subject, subjectId, detail, until }) {
      const at = until === null ? null : String(until);
      await sql`
        insert into holds (subject, subject_id, detail, until)
        values (${subject}, ${subjectId}, ${detail}, to_timestamp(${at}::text::float8 / 1000))
        on conflict (subject, subject_id) do update set detail = excluded.detail, until = excluded.until`;
    },
    async remove(subject, subjectId) {
      await sql`delete from holds where subject = ${subject} and subject_id = ${subjectId}`;
    },
    async all(now) {
      const rows = await sql<Row[]>`
        select subject, subject_id, detail, (extract(epoch from until) * 1000)::bigint as until from holds
        where until is null or until > to_timestamp(${String(now)}::text::float8 / 1000)`;
      return rows.map((row) => ({
        subject: row.subject,
        subjectId: row.subject_id,
        detail: row.detail,
        until: millis(row.until),
      }));
    },
    async disagreeing(now, limit) {
      const rows = await sql<DisagreeingRow[]>`
        with active as (
          select subject, subject_id, detail, (extract(epoch from until) * 1000)::bigint as until from holds
          where until is null or until > to_timestamp(${String(now)}::text::float8 / 1000)
        )
        select s.id, s.agent_id, s.project_id, a.detail as agent_detail, a.until as agent_until,
          r.detail as repository_detail, r.until as repository_until
        from sessions s
          left join active a on a.subject = 'agent' and a.subject_id = s.agent_id
          left join active r on r.subject = 'repository' and r.subject_id = s.project_id
        where s.status = 'queued' and (s.held is null or s.held in ('agent-unusable', 'repository-unusable'))
          and (
            s.held is distinct from
              case when a.subject is not null then 'agent-unusable' when r.subject is not null then 'repository-unusable' end
            -- What was put last counts for those who wait already, too.
            or s.held_detail is distinct from coalesce(a.detail, r.detail)
            or (extract(epoch from s.held_until) * 1000)::bigint is distinct from
              case when a.subject is not null then a.until else r.until end
          )
        order by s.seq
        limit ${limit}`;
      return rows.map((row) => ({ sessionId: row.id, hold: holdOf(row) }));
    },
  };
}

function holdOf(row: DisagreeingRow): StoredHold | null {
  if (row.agent_detail !== null) {
    const until = millis(row.agent_until);
    return { subject: "agent", subjectId: row.agent_id, detail: row.agent_detail, until };
  }
  if (row.repository_detail === null) return null;
  const until = millis(row.repository_until);
  return { subject: "repository", subjectId: row.project_id, detail: row.repository_detail, until };
}

function millis(text: string | null): number | null {
  return text === null ? null : Number(text);
}
