/** Agent rows: the installation's and the projects'. A removed agent stays as a row, because sessions name it. */
import { and, asc, eq, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { agents, projectMembers, projects } from "../../drizzle/schema/projects";
import { AGENT_KINDS, type AgentId, type ProjectId } from "../core/words";
import type { AgentStore, StoredAgent } from "../ports/agent-store";

/** Any number no other lock of ours uses. */
const NAMES_LOCK = 7_264_003;

export function createAgentStore(db: PostgresJsDatabase): AgentStore {
  const isThere = isNull(agents.deletedAt);
  const first = async (projectId: ProjectId, ...isLast: SQL[]) => {
    const [row] = await db
      .select()
      .from(agents)
      .where(and(isThere, or(isNull(agents.projectId), eq(agents.projectId, projectId))))
      .orderBy(...isLast, sql`${agents.projectId} is not null`, asc(agents.createdAt), asc(agents.id))
      .limit(1);
    return row ? storedAgent(row) : null;
  };
  return {
    async agent(id) {
      const [row] = await db
        .select()
        .from(agents)
        .where(and(eq(agents.id, id), isThere));
      return row ? storedAgent(row) : null;
    },
    async visibleTo(userId, { projectId, after, limit }) {
      const mine = sql`(select m.project_id from ${projectMembers} m
        join ${projects} p on p.id = m.project_id and p.deleted_at is null where m.user_id = ${userId})`;
      const isMine = sql`${agents.projectId} in ${mine}`;
      const ofProject = projectId === null ? undefined : or(isNull(agents.projectId), eq(agents.projectId, projectId));
      const rows = await db
        .select()
        .from(agents)
        .where(and(isThere, or(isNull(agents.projectId), isMine), ofProject, madeAfter(mine, after)))
        .orderBy(asc(agents.createdAt), asc(agents.id))
        .limit(limit);
      return rows.map(storedAgent);
    },
    defaultFor: (projectId) => first(projectId),
    readerFor: (projectId) => first(projectId, sql`${agents.kind} = 'shell'`),
    create: (agent, at) =>
      db.transaction(async (tx) => {
        if (await isNameTaken(tx, agent)) return "name-taken";
        await tx.insert(agents).values({ ...agent, createdAt: new Date(at) });
        return "done";
      }),
    change: (id, change) =>
      db.transaction(async (tx) => {
        if (Object.values(change).every((value) => value === undefined)) return "done";
        const { name } = change;
        const [found] = name === undefined ? [] : await tx.select().from(agents).where(eq(agents.id, id));
        if (found && name !== undefined && (await isNameTaken(tx, { ...found, name }))) return "name-taken";
        await tx.update(agents).set(change).where(eq(agents.id, id));
        return "done";
      }),
    async remove(id, at) {
      await db
        .update(agents)
        .set({ deletedAt: new Date(at) })
        .where(eq(agents.id, id));
    },
  };
}

/** To be asked in the transaction that gives the name: whoever else gives one in the same home comes after it. */
async function isNameTaken(
  tx: Pick<PostgresJsDatabase, "execute" | "$count">,
  { id, name, projectId }: Pick<StoredAgent, "id" | "name" | "projectId">,
): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${NAMES_LOCK}, hashtext(${projectId ?? ""}))`);
  const isOfHome = projectId === null ? isNull(agents.projectId) : eq(agents.projectId, projectId);
  const isNamesake = and(ne(agents.id, id), sql`lower(${agents.name}) = lower(${name})`);
  return (await tx.$count(agents, and(isNull(agents.deletedAt), isOfHome, isNamesake))) > 0;
}

/** A foreign project's agent leads to an empty page, as one that does not exist (S2). */
function madeAfter(mine: SQL, after: AgentId | null): SQL | undefined {
  if (after === null) return undefined;
  return sql`(${agents.createdAt}, ${agents.id}) > (select a.created_at, a.id from ${agents} a
    where a.id = ${after} and (a.project_id is null or a.project_id in ${mine}))`;
}

function storedAgent(row: typeof agents.$inferSelect): StoredAgent {
  const kind = AGENT_KINDS.find((known) => known === row.kind);
  if (kind === undefined) throw new Error(`the agent ${row.id} is of a kind this version does not know: ${row.kind}`);
  const { id, projectId, name } = row;
  return { id, projectId, name, kind, settings: row.settings as Record<string, unknown> };
}
