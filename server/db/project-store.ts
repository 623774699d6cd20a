/** Project rows, members, and what somebody is in the project an id belongs to (S2). */
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { projectGitHub } from "../../drizzle/schema/github";
import { users } from "../../drizzle/schema/people";
import { projectMembers, projects, tasks } from "../../drizzle/schema/projects";
import { sessions } from "../../drizzle/schema/sessions";
import type { ProjectId, ProjectRole, UserId } from "../core/words";
import type { Access } from "../ports/access";
import type { MemberChange, ProjectStore, Standings, StoredProject } from "../ports/project-store";

const HAS_GITHUB = sql<boolean>`exists (select from ${projectGitHub} g where g.project_id = ${projects.id})`;

/** A transaction, or the connections outside of one. */
type Queries = Pick<PostgresJsDatabase, "select" | "insert" | "update" | "delete">;

export function createProjectStore(db: PostgresJsDatabase): ProjectStore {
  return {
    async project(id) {
      const [row] = await db
        .select({ project: projects, hasGitHub: HAS_GITHUB })
        .from(projects)
        .where(and(eq(projects.id, id), isNull(projects.deletedAt)));
      return row ? storedProject(row.project, row.hasGitHub) : null;
    },
    async ofUser(userId, after, limit) {
      const rows = await db
        .select({ project: projects, hasGitHub: HAS_GITHUB, role: projectMembers.role })
        .from(projectMembers)
        .innerJoin(projects, eq(projects.id, projectMembers.projectId))
        .where(and(eq(projectMembers.userId, userId), isNull(projects.deletedAt), madeAfter(userId, after)))
        .orderBy(asc(projects.createdAt), asc(projects.id))
        .limit(limit);
      return rows.map(({ project, hasGitHub, role }) => ({ project: storedProject(project, hasGitHub), role }));
    },
    async create({ createdAt, hasGitHub: _none, ...project }, owner) {
      await db.transaction(async (own) => {
        await own.insert(projects).values({ ...project, createdAt: new Date(createdAt), createdBy: owner });
        await own.insert(projectMembers).values({ projectId: project.id, userId: owner, role: "owner" });
      });
    },
    async change(id, change) {
      if (Object.values(change).every((value) => value === undefined)) return;
      await db.update(projects).set(change).where(eq(projects.id, id));
    },
    async remove(id, at) {
      await db.transaction(async (own) => {
        await own
          .update(projects)
          .set({ deletedAt: new Date(at) })
          .where(eq(projects.id, id));
        await own.delete(projectGitHub).where(eq(projectGitHub.projectId, id));
      });
    },
    async baseCommits(id) {
      const rows = await db
        .selectDistinct({ commit: tasks.baseCommit })
        .from(tasks)
        .where(and(eq(tasks.projectId, id), isNull(tasks.deletedAt)));
      return rows.flatMap(({ commit }) => commit ?? []);
    },
    async members(id, after, limit) {
      const rows = await readMembers(db, id, after === null ? undefined : memberAfter(id, after)).limit(limit);
      return rows.map((row) => ({ ...row, addedAt: row.addedAt.getTime() }));
    },
    setMember: (id, userId, role, at) => db.transaction((own) => setMember(own, id, userId, role, at)),
    removeMember: (id, userId, how) =>
      db.transaction(async (own) => {
        const refusal = await refusedChange(own, id, userId, null);
        if (refusal !== null || how.isTrial) return refusal ?? "changed";
        await own.delete(projectMembers).where(membership(id, userId));
        return "changed";
      }),
  };
}

async function setMember(own: Queries, id: ProjectId, userId: UserId, role: ProjectRole, at: number) {
  const [user] = await own
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.active, true)));
  if (!user) return "no-such-user";
  const refusal = await refusedChange(own, id, userId, role);
  if (refusal === "last-owner") return refusal;
  await own
    .insert(projectMembers)
    .values({ projectId: id, userId, role, addedAt: new Date(at) })
    .onConflictDoUpdate({ target: [projectMembers.projectId, projectMembers.userId], set: { role } });
  return "changed";
}

/** Locks the project's members, so that two owners who take each other off find one left. */
async function refusedChange(
  own: Queries,
  id: ProjectId,
  userId: UserId,
  role: ProjectRole | null,
): Promise<Exclude<MemberChange, "changed" | "no-such-user"> | null> {
  const members = await own
    .select({ userId: projectMembers.userId, role: projectMembers.role })
    .from(projectMembers)
    .where(eq(projectMembers.projectId, id))
    .orderBy(projectMembers.userId)
    .for("update");
  const member = members.find((one) => one.userId === userId);
  if (!member) return "no-such-member";
  const hasOtherOwner = members.some((one) => one.role === "owner" && one.userId !== userId);
  return member.role === "owner" && role !== "owner" && !hasOtherOwner ? "last-owner" : null;
}

export function createAccess(db: PostgresJsDatabase): Access & Standings {
  async function standing(userId: UserId, of: Parameters<Standings["standing"]>[1]) {
    const [row] = await db
      .select({ projectId: projectMembers.projectId, role: projectMembers.role })
      .from(projectMembers)
      .innerJoin(projects, eq(projects.id, projectMembers.projectId))
      .where(
        and(eq(projectMembers.userId, userId), isNull(projects.deletedAt), eq(projectMembers.projectId, projectOf(of))),
      );
    return row ?? null;
  }
  return {
    standing,
    async mayDispatch(userId, taskId) {
      const [row] = await db
        .select({ shelf: tasks.shelf })
        .from(tasks)
        .innerJoin(projects, and(eq(projects.id, tasks.projectId), isNull(projects.deletedAt)))
        .innerJoin(projectMembers, and(eq(projectMembers.projectId, projects.id), eq(projectMembers.userId, userId)))
        .innerJoin(users, and(eq(users.id, projectMembers.userId), eq(users.active, true)))
        .where(and(eq(tasks.id, taskId), isNull(tasks.deletedAt)))
        .for("share", { of: tasks });
      return row === undefined ? "no" : row.shelf === "done" ? "done" : "yes";
    },
    async roleIn(userId, projectId) {
      return (await standing(userId, { kind: "project", id: projectId }))?.role ?? null;
    },
    async projectsOf(userId) {
      const rows = await db
        .select({ id: projects.id })
        .from(projectMembers)
        .innerJoin(projects, eq(projects.id, projectMembers.projectId))
        .where(and(eq(projectMembers.userId, userId), isNull(projects.deletedAt)));
      return rows.map((row) => row.id);
    },
  };
}

function projectOf({ kind, id }: Parameters<Standings["standing"]>[1]): SQL {
  switch (kind) {
    case "project":
      return sql`${id}`;
    case "task":
      return sql`(select t.project_id from ${tasks} t where t.id = ${id} and t.deleted_at is null)`;
    case "session":
      return sql`(select s.project_id from ${sessions} s where s.id = ${id})`;
    default:
      return kind satisfies never;
  }
}

function readMembers(db: PostgresJsDatabase, id: ProjectId, which: SQL | undefined) {
  return db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      role: projectMembers.role,
      addedAt: projectMembers.addedAt,
    })
    .from(projectMembers)
    .innerJoin(users, eq(users.id, projectMembers.userId))
    .where(and(eq(projectMembers.projectId, id), which))
    .orderBy(asc(projectMembers.addedAt), asc(projectMembers.userId));
}

function memberAfter(id: ProjectId, userId: UserId): SQL {
  return sql`(${projectMembers.addedAt}, ${projectMembers.userId}) >
    (select m.added_at, m.user_id from ${projectMembers} m where m.project_id = ${id} and m.user_id = ${userId})`;
}

/** Another's project leads to an empty page, as one that does not exist (S2). */
function madeAfter(userId: UserId, after: ProjectId | null): SQL | undefined {
  if (after === null) return undefined;
  return sql`(${projects.createdAt}, ${projects.id}) > (select p.created_at, p.id from ${projects} p
    join ${projectMembers} m on m.project_id = p.id and m.user_id = ${userId} where p.id = ${after})`;
}

function membership(id: ProjectId, userId: UserId) {
  return and(eq(projectMembers.projectId, id), eq(projectMembers.userId, userId));
}

function storedProject(row: typeof projects.$inferSelect, hasGitHub: boolean): StoredProject {
  const { id, name, repository, path, baseBranch, longestRunMs, quietNoticeMs, setupScript } = row;
  const createdAt = row.createdAt.getTime();
  return { id, name, repository, path, baseBranch, longestRunMs, quietNoticeMs, setupScript, hasGitHub, createdAt };
}
