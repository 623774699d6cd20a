/** Work that is saved when its session is over already: the rows say so afterwards. Live rows are the pool's (P19). */
import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { sessions } from "../../drizzle/schema/sessions";
import type { TaskStore } from "../ports/task-store";

export function createWorkSaved(db: PostgresJsDatabase): TaskStore["workSaved"] {
  return (id, { headCommit, files, additions, deletions, leftOut }) =>
    db.transaction(async (own) => {
      const isOver = and(eq(sessions.taskId, id), isNotNull(sessions.finishedAt));
      await own
        .update(sessions)
        .set({ workUnsaved: null })
        .where(and(isOver, isNotNull(sessions.workUnsaved)));
      const newest = own
        .select({ id: sessions.id })
        .from(sessions)
        .where(and(isOver, isNotNull(sessions.startedAt)))
        .orderBy(desc(sessions.seq))
        .limit(1);
      await own
        .update(sessions)
        .set({ headCommit, files, additions, deletions, leftOut })
        .where(eq(sessions.id, newest));
    });
}
