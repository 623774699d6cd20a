/**
 * Task rows, and cards as one statement reads them. Order not to break: everything that gives a card a number or a place
 * locks the project's row first, so cards of one project are placed one after the other (B3).
 */
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { importedIssues, pullRequests } from "../../drizzle/schema/github";
import { projects, tasks } from "../../drizzle/schema/projects";
import { sessions } from "../../drizzle/schema/sessions";
import { keyBetween } from "../core/task/order-key";
import type { ImportedIssue } from "../ports/issue-store";
import {
  cardState,
  type Outcome,
  type Placement,
  type StoredCard,
  type StoredTask,
  type TaskStore,
} from "../ports/task-store";
import { createWorkSaved } from "./late-work";
import { storedSession } from "./session-store";

/** Order keys are compared as bytes, whatever the database's own order of letters is. */
const ORDER = sql`${tasks.orderKey} collate "C"`;

const NEWEST = sql`(select s.id from ${sessions} s where s.task_id = ${tasks.id} order by s.seq desc limit 1)`;
const NEWEST_STARTED = sql<string | null>`(select s.id from ${sessions} s where s.task_id = ${tasks.id}
  and s.started_at is not null order by s.seq desc limit 1)`;
const SESSION_COUNT = sql<number>`(select count(*)::int from ${sessions} s where s.task_id = ${tasks.id})`;

const { number, url, state, isDraft, changedAt } = getTableColumns(pullRequests);
/** What a card shows of it. */
const PULL = { number, url, state, isDraft, changedAt };
/** Where it came from. */
const ISSUE = {
  apiUrl: importedIssues.apiUrl,
  repository: importedIssues.repository,
  number: importedIssues.number,
};

/** A transaction, or the connections outside of one. */
type Queries = Pick<PostgresJsDatabase, "select" | "insert" | "update">;

export function createTaskStore(db: PostgresJsDatabase): TaskStore {
  return {
    async card(id) {
      const [card] = await readCards(db, eq(tasks.id, id), null, 1);
      return card ?? null;
    },
    cards(projectId, which, promptChars) {
      const ofProject = eq(tasks.projectId, projectId);
      if ("ids" in which) {
        if (which.ids.length === 0) return Promise.resolve([]);
        return readCards(db, and(ofProject, inArray(tasks.id, [...which.ids])), promptChars, which.ids.length);
      }
      const behind = which.after === null ? undefined : gt(tasks.number, numberOf(projectId, which.after));
      return readCards(db, and(ofProject, behind), promptChars, which.limit);
    },
    create: ({ at, issue, ...task }) =>
      db.transaction(async (own) => {
        if (issue !== undefined && (await isImported(own, task.projectId, issue))) return false;
        const isUnknown = notExists(own.select({ id: tasks.id }).from(tasks).where(eq(tasks.id, task.id)));
        const [numbered] = await own
          .update(projects)
          .set({ lastNumber: sql`${projects.lastNumber} + 1` })
          .where(and(eq(projects.id, task.projectId), isNull(projects.deletedAt), isUnknown))
          .returning({ number: projects.lastNumber });
        if (!numbered) return false;
        const orderKey = keyBetween(await lastKey(own, task.projectId), null);
        const madeAt = new Date(at);
        await own.insert(tasks).values({ ...task, ...numbered, orderKey, createdAt: madeAt, updatedAt: madeAt });
        if (issue !== undefined) await own.insert(importedIssues).values(importedRow(task, issue));
        return true;
      }),
    async change(id, change, at) {
      await db
        .update(tasks)
        .set({ ...change, updatedAt: new Date(at) })
        .where(eq(tasks.id, id));
    },
    place: (placement) => db.transaction((own) => place(own, placement)),
    async pushed(id, branch, at) {
      await db
        .update(tasks)
        .set({ pushedAt: new Date(at), pushedBranch: branch })
        .where(eq(tasks.id, id));
    },
    workSaved: createWorkSaved(db),
    async keepDone(id) {
      await db
        .update(tasks)
        .set({ shelfSessionId: NEWEST_STARTED })
        .where(and(eq(tasks.id, id), eq(tasks.shelf, "done")));
    },
    async remove(id, at) {
      await db
        .update(tasks)
        .set({ deletedAt: new Date(at) })
        .where(eq(tasks.id, id));
    },
  };
}

/** Locks the project's row: of two that bring in one issue the later one finds what the other made. */
async function isImported(own: Queries, projectId: string, issue: ImportedIssue): Promise<boolean> {
  await own.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for("update");
  const { apiUrl, repository, id } = issue;
  const isSame = sql`lower(${importedIssues.repository}) = lower(${repository})`;
  const [known] = await own
    .select({ taskId: importedIssues.taskId })
    .from(importedIssues)
    .where(
      and(
        eq(importedIssues.projectId, projectId),
        eq(importedIssues.apiUrl, apiUrl),
        or(
          and(isSame, eq(importedIssues.number, issue.number)),
          id === null ? undefined : eq(importedIssues.issueId, id),
        ),
      ),
    )
    .limit(1);
  return known !== undefined;
}

function importedRow({ id, projectId }: Pick<StoredTask, "id" | "projectId">, issue: ImportedIssue) {
  const { apiUrl, repository, number: issueNumber, id: issueId } = issue;
  return { taskId: id, projectId, apiUrl, repository, number: issueNumber, issueId };
}

async function place(own: Queries, placement: Placement): Promise<"placed" | "left" | "gone"> {
  const { taskId, projectId, before, by, at } = placement;
  await own.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for("update");
  // A dispatch looks at the card's row once its session is there: it waits for this, or this sees the session (P1).
  await own.select({ id: tasks.id }).from(tasks).where(eq(tasks.id, taskId)).for("no key update");
  const [card] = await readCards(own, and(eq(tasks.id, taskId), eq(tasks.projectId, projectId)), 0, 1);
  if (!card) return "gone";
  const shelf = placement.shelfFor(cardState(card));
  if (shelf === null) return "left";
  const orderKey = await keyBefore(own, projectId, taskId, before);
  if (orderKey === null) return "gone";
  const isReshelved = shelf !== card.task.shelf || card.newestStartedId !== card.task.shelfSessionId;
  const shelved = { shelf, shelfSessionId: card.newestStartedId, shelfBy: by, shelfAt: new Date(at) };
  await own
    .update(tasks)
    .set({ orderKey, ...(isReshelved ? shelved : {}), ...outcomeColumns(shelf === "done" ? placement.outcome : null) })
    .where(eq(tasks.id, taskId));
  return "placed";
}

/** Undefined: they stay as they are. */
function outcomeColumns(outcome: Outcome | null | undefined) {
  if (outcome === undefined) return {};
  return {
    outcome: outcome?.kind ?? null,
    outcomeAt: outcome === null ? null : new Date(outcome.at),
    outcomeBy: outcome?.by ?? null,
    outcomeCommit: outcome?.commit ?? null,
    outcomeBase: outcome?.base ?? null,
  };
}

/** Null: `before` is not there, or in another project. */
async function keyBefore(own: Queries, projectId: string, taskId: string, before: string | null) {
  if (before === null) return keyBetween(await lastKey(own, projectId, ne(tasks.id, taskId)), null);
  const [next] = await own
    .select({ key: tasks.orderKey })
    .from(tasks)
    .where(and(eq(tasks.id, before), eq(tasks.projectId, projectId), isNull(tasks.deletedAt)));
  if (!next) return null;
  const isBetween = and(ne(tasks.id, taskId), sql`${ORDER} < ${next.key}`);
  return keyBetween(await lastKey(own, projectId, isBetween), next.key);
}

/** Removed cards keep their keys: they count, so that no key is given twice. */
async function lastKey(own: Queries, projectId: string, which?: SQL): Promise<string | null> {
  const [last] = await own
    .select({ key: tasks.orderKey })
    .from(tasks)
    .where(and(eq(tasks.projectId, projectId), which))
    .orderBy(desc(ORDER))
    .limit(1);
  return last?.key ?? null;
}

async function readCards(from: Queries, which: SQL | undefined, promptChars: number | null, limit: number) {
  const columns = getTableColumns(tasks);
  const prompt = promptChars === null ? columns.prompt : sql<string>`left(${tasks.prompt}, ${promptChars})`;
  const rows = await from
    .select({
      task: { ...columns, prompt },
      newest: sessions,
      pull: PULL,
      issue: ISSUE,
      newestStartedId: NEWEST_STARTED,
      sessionCount: SESSION_COUNT,
    })
    .from(tasks)
    .leftJoin(sessions, eq(sessions.id, NEWEST))
    .leftJoin(pullRequests, eq(pullRequests.taskId, tasks.id))
    .leftJoin(importedIssues, eq(importedIssues.taskId, tasks.id))
    .where(and(which, isNull(tasks.deletedAt)))
    .orderBy(asc(tasks.number))
    .limit(limit);
  return rows.map(({ task, newest, pull, ...rest }): StoredCard => {
    const pullRequest = pull && { ...pull, changedAt: pull.changedAt.getTime() };
    return { task: storedTask(task), newest: newest === null ? null : storedSession(newest), pullRequest, ...rest };
  });
}

function storedTask(row: typeof tasks.$inferSelect): StoredTask {
  const { deletedAt: _deletedAt, outcome, outcomeAt, outcomeBy, outcomeCommit, outcomeBase, ...task } = row;
  const isOver = outcome !== null && outcomeAt !== null && outcomeBy !== null;
  return {
    ...task,
    outcome: isOver
      ? { kind: outcome, at: outcomeAt.getTime(), by: outcomeBy, commit: outcomeCommit, base: outcomeBase }
      : null,
    pushedAt: row.pushedAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    shelfAt: row.shelfAt?.getTime() ?? null,
  };
}

/** Another project's task leads to an empty page, as one that does not exist (S2). */
function numberOf(projectId: string, taskId: string) {
  return sql`(select t.number from ${tasks} t where t.id = ${taskId} and t.project_id = ${projectId})`;
}
