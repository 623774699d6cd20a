/** People as profiles show them: their rows, what the queue did to them, and the changes administrators make (S2). */
import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { apiTokens, logins, users } from "../../drizzle/schema/people";
import { agents, projectMembers, projects, tasks } from "../../drizzle/schema/projects";
import { sessions } from "../../drizzle/schema/sessions";
import type { EndedStatus, Millis, SessionId, UserId } from "../core/words";
import type { PastSession, PeopleStore, StoredPerson, Usage } from "../ports/people-store";

const WAIT_DAYS = 30;
const USAGE_DAYS = 14;
const DAY_MS = 86_400_000;

const PERSON = { id: users.id, name: users.name, email: users.email, role: users.role, active: users.active };

export function createPeopleStore(db: PostgresJsDatabase): PeopleStore {
  return {
    async person(id) {
      const [person] = await db.select(PERSON).from(users).where(eq(users.id, id));
      return person ?? null;
    },
    people: (after, limit): Promise<StoredPerson[]> =>
      db.select(PERSON).from(users).where(cameAfter(after)).orderBy(asc(users.createdAt), asc(users.id)).limit(limit),
    async usage(id, now, timeZone) {
      const [wait, waitDays, agentSeconds] = await Promise.all([
        waitOf(db, id, now),
        waitDaysOf(db, id, now, timeZone),
        agentSecondsOf(db, id, now, timeZone),
      ]);
      return { wait, waitDays, agentSeconds };
    },
    history: (id, viewer, after, limit) => historyOf(db, id, viewer, after, limit),
    change: (id, change, how) =>
      db.transaction(async (own) => {
        // Everybody who is or might become the last administrator is locked, in one order.
        const people = await own
          .select(PERSON)
          .from(users)
          .where(sql`${users.role} = 'admin' or ${users.id} = ${id}`)
          .orderBy(users.id)
          .for("update");
        const person = people.find((one) => one.id === id);
        if (!person) return { kind: "gone" };
        const next = { role: change.role ?? person.role, active: change.active ?? person.active };
        const staysAdmin = next.role === "admin" && next.active;
        const hasOther = people.some((one) => one.id !== id && one.role === "admin" && one.active);
        if (person.role === "admin" && person.active && !staysAdmin && !hasOther) return { kind: "last-admin" };
        if (how.isTrial) return { kind: "changed", endedLogins: [] };
        await own.update(users).set(next).where(eq(users.id, id));
        if (next.active) return { kind: "changed", endedLogins: [] };
        const ended = await own.delete(logins).where(eq(logins.userId, id)).returning({ id: logins.id });
        await own
          .update(apiTokens)
          .set({ revokedAt: sql`now()` })
          .where(and(eq(apiTokens.userId, id), isNull(apiTokens.revokedAt)));
        return { kind: "changed", endedLogins: ended.map((login) => login.id) };
      }),
  };
}

async function waitOf(db: PostgresJsDatabase, id: UserId, now: Millis): Promise<Usage["wait"]> {
  const since = new Date(now - WAIT_DAYS * DAY_MS);
  const seconds = sql`extract(epoch from ${sessions.startedAt} - ${sessions.queuedAt})::float8`;
  // A wait that happened: nobody waited what lies between two of them.
  const at = (share: number) => sql<number>`percentile_disc(${share}::float8) within group (order by ${seconds})`;
  const [row] = await db
    .select({ p50: at(0.5), p95: at(0.95), sessions: sql<number>`count(*)::int` })
    .from(sessions)
    .where(
      and(eq(sessions.userId, id), isNotNull(sessions.startedAt), sql`${sessions.queuedAt} >= ${since.toISOString()}`),
    );
  return row && row.sessions > 0 ? row : null;
}

/** Days begin where the installation's time zone says; a wait counts on the day it was over. */
async function waitDaysOf(db: PostgresJsDatabase, id: UserId, now: Millis, timeZone: string) {
  const seconds = sql`extract(epoch from s.started_at - s.queued_at)::float8`;
  const rows = await db.execute<{ day: string; p50: number | null; p95: number | null }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day,
      percentile_disc(0.5) within group (order by ${seconds}) as p50,
      percentile_disc(0.95) within group (order by ${seconds}) as p95
    from ${lastDays(now, timeZone)} as d(day)
    left join ${sessions} s on s.user_id = ${id}
      and s.started_at >= ${new Date(now - (USAGE_DAYS + 1) * DAY_MS).toISOString()}
      and (s.started_at at time zone ${timeZone})::date = d.day::date
    group by d.day order by d.day`);
  return rows.map(({ day, p50, p95 }) => ({ day, p50, p95 }));
}

function lastDays(now: Millis, timeZone: string): SQL {
  const today = sql`(${new Date(now).toISOString()}::timestamptz at time zone ${timeZone})::date`;
  return sql`generate_series(${today} - ${USAGE_DAYS - 1}::int, ${today}, interval '1 day')`;
}

/** Days begin where the installation's time zone says; a session counts on the day it ended. */
async function agentSecondsOf(db: PostgresJsDatabase, id: UserId, now: Millis, timeZone: string) {
  const rows = await db.execute<{ day: string; seconds: number }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day,
      coalesce(sum(extract(epoch from s.finished_at - s.started_at)), 0)::float8 as seconds
    from ${lastDays(now, timeZone)} as d(day)
    left join ${sessions} s on s.user_id = ${id} and s.started_at is not null
      and s.finished_at >= ${new Date(now - (USAGE_DAYS + 1) * DAY_MS).toISOString()}
      and (s.finished_at at time zone ${timeZone})::date = d.day::date
    group by d.day order by d.day`);
  return rows.map(({ day, seconds }) => ({ day, seconds: Math.max(0, seconds) }));
}

async function historyOf(
  db: PostgresJsDatabase,
  id: UserId,
  viewer: UserId,
  after: SessionId | null,
  limit: number,
): Promise<PastSession[]> {
  const isEarlier =
    after === null
      ? undefined
      : sql`${sessions.seq} < (select l.seq from ${sessions} l where l.id = ${after} and l.user_id = ${id})`;
  const rows = await db
    .select({
      sessionId: sessions.id,
      taskId: sessions.taskId,
      projectId: sessions.projectId,
      number: tasks.number,
      title: tasks.title,
      agent: agents.name,
      additions: sessions.additions,
      deletions: sessions.deletions,
      usage: sessions.usage,
      status: sessions.status,
      queuedAt: sessions.queuedAt,
      startedAt: sessions.startedAt,
      finishedAt: sessions.finishedAt,
    })
    .from(sessions)
    .innerJoin(tasks, and(eq(tasks.id, sessions.taskId), isNull(tasks.deletedAt)))
    .innerJoin(projects, and(eq(projects.id, sessions.projectId), isNull(projects.deletedAt)))
    .leftJoin(agents, eq(agents.id, sessions.agentId))
    .innerJoin(projectMembers, and(eq(projectMembers.projectId, projects.id), eq(projectMembers.userId, viewer)))
    .where(and(eq(sessions.userId, id), inArray(sessions.status, ["succeeded", "failed", "cancelled"]), isEarlier))
    .orderBy(desc(sessions.seq))
    .limit(limit);
  return rows.map((row) => ({
    ...row,
    status: row.status as EndedStatus,
    queuedAt: row.queuedAt.getTime(),
    startedAt: row.startedAt?.getTime() ?? null,
    finishedAt: (row.finishedAt ?? row.queuedAt).getTime(),
  }));
}

function cameAfter(after: UserId | null): SQL | undefined {
  if (after === null) return undefined;
  return sql`(${users.createdAt}, ${users.id}) > (select u.created_at, u.id from ${users} u where u.id = ${after})`;
}
