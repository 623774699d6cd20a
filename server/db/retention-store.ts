/** Rows behind `ports/retention-store.ts`. Live rows are the pool's writer's; here only ended ones are marked (P19). */
import type { Sql } from "postgres";
import type { RetentionStore } from "../ports/retention-store";

/** What a host keeps of one session at most: the first 40 MB and the last 10 MB (R6). */
const KEPT_OF_ONE_BYTES = 50_000_000;

export function createRetentionStore(sql: Sql): RetentionStore {
  /** In Done (by the newest start, as the board computes it) or removed; nothing waits or runs; the last work was saved. */
  const isIdle = sql`
    (t.deleted_at is not null or p.deleted_at is not null or (t.shelf = 'done' and t.shelf_session_id is not distinct from
      (select s.id from sessions s where s.task_id = t.id and s.started_at is not null order by s.seq desc limit 1)))
    and not exists (select from sessions s where s.task_id = t.id and s.status in ('queued', 'running'))
    and (select s.work_unsaved from sessions s where s.task_id = t.id and s.started_at is not null
      order by s.seq desc limit 1) is null`;

  return {
    async markRemoved({ before, mostBytes, limit }) {
      const marked = await sql`
        with kept as (
          select id, finished_at, seq,
            sum(least(coalesce(output_bytes, 0), ${KEPT_OF_ONE_BYTES})) over (order by finished_at desc, seq desc) as bytes
          from sessions
          where finished_at is not null and started_at is not null and status in ('succeeded', 'failed', 'cancelled') and not output_removed
        )
        update sessions set output_removed = true where id in (
          select id from kept where finished_at < to_timestamp(${before / 1_000}) or bytes > ${mostBytes}
          order by finished_at, seq limit ${limit}
        )`;
      return marked.count;
    },
    async removedOf(sessionIds) {
      const rows = await sql<{ id: string }[]>`
        select id from sessions where id = any(${[...sessionIds]}) and output_removed`;
      return new Set(rows.map(({ id }) => id));
    },
    async idleWorktrees(after, limit) {
      const rows = await sql<{ id: string; path: string; worktree: string }[]>`
        select t.id, p.path, t.worktree from tasks t join projects p on p.id = t.project_id
        where t.worktree is not null and t.id > ${after ?? ""} and ${isIdle} order by t.id limit ${limit}`;
      return rows.map(({ id, path, worktree }) => ({ taskId: id, repository: path, worktree }));
    },
    async isIdle(taskId) {
      const [row] = await sql`
        select from tasks t join projects p on p.id = t.project_id where t.id = ${taskId} and ${isIdle}`;
      return row !== undefined;
    },
    async worktreeGone(taskId, worktree) {
      await sql`update tasks set worktree = null where id = ${taskId} and worktree = ${worktree}`;
    },
  };
}
