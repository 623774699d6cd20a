/** Reads of session rows for screens and desks. Nothing here writes: live rows belong to the pool's writer (P19). */
import { and, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { users } from "../../drizzle/schema/people";
import { agents, projectMembers, projects, tasks } from "../../drizzle/schema/projects";
import { sessions } from "../../drizzle/schema/sessions";
import { FAILURE_KINDS } from "../core/words";
import type { SessionStore, StoredSession } from "../ports/session-store";

const LIVE = ["queued", "running"] as const;

type SessionRow = typeof sessions.$inferSelect;

export function createSessionStore(db: PostgresJsDatabase): SessionStore {
  return {
    async session(id) {
      const [row] = await db.select().from(sessions).where(eq(sessions.id, id));
      return row ? storedSession(row) : null;
    },
    async agentKind(id) {
      const [row] = await db
        .select({ kind: agents.kind })
        .from(sessions)
        .innerJoin(agents, eq(agents.id, sessions.agentId))
        .where(eq(sessions.id, id));
      return row?.kind ?? null;
    },
    async ofTask(taskId, after, limit) {
      const older = after === null ? undefined : lt(sessions.seq, seqOf(taskId, after));
      const rows = await db
        .select()
        .from(sessions)
        .where(and(eq(sessions.taskId, taskId), older))
        .orderBy(desc(sessions.seq))
        .limit(limit);
      return rows.map(storedSession);
    },
    async withoutRight(limit) {
      const right = sql`select from ${tasks} t
        join ${projects} p on p.id = t.project_id and p.deleted_at is null
        join ${projectMembers} m on m.project_id = p.id and m.user_id = ${sessions.userId}
        join ${users} u on u.id = m.user_id and u.active
        where t.id = ${sessions.taskId} and t.deleted_at is null`;
      const rows = await db
        .select()
        .from(sessions)
        .where(and(inArray(sessions.status, LIVE), isNull(sessions.cancelledBy), sql`not exists (${right})`))
        .orderBy(sessions.seq)
        .limit(limit);
      return rows.map(storedSession);
    },
    async live({ projectId, userId }) {
      const rows = await db
        .select()
        .from(sessions)
        .where(
          and(
            inArray(sessions.status, LIVE),
            projectId === undefined ? undefined : eq(sessions.projectId, projectId),
            userId === undefined ? undefined : eq(sessions.userId, userId),
          ),
        )
        .orderBy(sessions.seq);
      return rows.map(storedSession);
    },
  };
}

export function storedSession(row: SessionRow): StoredSession {
  const {
    place: _place,
    epoch: _epoch,
    grantSeq: _grantSeq,
    headCommit: _head,
    agentSessionId: conversation,
    ...rest
  } = row;
  return {
    ...rest,
    continues: conversation === null ? null : conversation !== "",
    heldUntil: row.heldUntil?.getTime() ?? null,
    phaseSince: row.phaseSince?.getTime() ?? null,
    lastOutputAt: row.lastOutputAt?.getTime() ?? null,
    adoptedAt: row.adoptedAt?.getTime() ?? null,
    queuedAt: row.queuedAt.getTime(),
    startedAt: row.startedAt?.getTime() ?? null,
    finishedAt: row.finishedAt?.getTime() ?? null,
    failureKind: FAILURE_KINDS.find((kind) => kind === row.failureKind) ?? null,
    leftOut: Array.isArray(row.leftOut) ? row.leftOut.filter((file) => typeof file === "string") : [],
    usage: recordOf(row.usage),
    question: recordOf(row.question),
  };
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

/** Another task's session leads to an empty page, as one that does not exist (S2). */
function seqOf(taskId: string, sessionId: string) {
  return sql`(select s.seq from ${sessions} s where s.id = ${sessionId} and s.task_id = ${taskId})`;
}
