/** One look at many open connections at once: who may still be here, and which projects they belong to (L1). */
import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { apiTokens, logins, users } from "../../drizzle/schema/people";
import { projectMembers, projects } from "../../drizzle/schema/projects";
import type { ProjectId, UserId } from "../core/words";
import type { Rights } from "../ports/access";

export function createRights(db: PostgresJsDatabase): Rights {
  return {
    async alive({ loginIds, tokenIds }) {
      const ofLogins = db
        .select({ id: logins.id })
        .from(logins)
        .innerJoin(users, eq(users.id, logins.userId))
        .where(and(inArray(logins.id, [...loginIds]), gt(logins.expiresAt, sql`now()`), eq(users.active, true)));
      const ofTokens = db
        .select({ id: apiTokens.id })
        .from(apiTokens)
        .innerJoin(users, eq(users.id, apiTokens.userId))
        .where(and(inArray(apiTokens.id, [...tokenIds]), isNull(apiTokens.revokedAt), eq(users.active, true)));
      const found = await Promise.all([loginIds.length > 0 ? ofLogins : [], tokenIds.length > 0 ? ofTokens : []]);
      return new Set(found.flat().map((row) => row.id));
    },
    async projectsOf(userIds) {
      const of = new Map<UserId, Set<ProjectId>>(userIds.map((userId) => [userId, new Set()]));
      if (userIds.length === 0) return of;
      const rows = await db
        .select({ userId: projectMembers.userId, projectId: projectMembers.projectId })
        .from(projectMembers)
        .innerJoin(projects, eq(projects.id, projectMembers.projectId))
        .where(and(inArray(projectMembers.userId, [...userIds]), isNull(projects.deletedAt)));
      for (const { userId, projectId } of rows) of.get(userId)?.add(projectId);
      return of;
    },
  };
}
