/** People, tasks and sessions written straight into the tables, for measurements that begin with many of them. */
import type postgres from "postgres";

export const PROJECT = "project-1";

export function userId(n: number): string {
  return `user-${n}`;
}

export function taskId(n: number): string {
  return `task-${n}`;
}

/** `users` people (from 0), one project, and `tasks` tasks (from 0) in it. */
export async function seed(sql: postgres.Sql, { users, tasks }: { users: number; tasks: number }): Promise<void> {
  await sql`insert into users (id, name, email)
    select 'user-' || n, 'User ' || n, 'user-' || n || '@example.org' from generate_series(0, ${users - 1}::int) n`;
  await sql`insert into projects (id, name, repository, path, base_branch)
    values (${PROJECT}, 'One', 'sample', 'sample', 'main')`;
  await sql`insert into tasks (id, project_id, number, title, prompt, order_key)
    select 'task-' || n, ${PROJECT}, n + 1, 'Task ' || n, 'true', 'a' from generate_series(0, ${tasks - 1}::int) n`;
}

/** One queued session of each of the tasks 0 … `count` - 1, dealt out to `users` people in turns. For a client of one connection. */
export async function queueAll(sql: postgres.Sql, { count, users }: { count: number; users: number }): Promise<void> {
  // They are right by themselves: the checks of foreign keys would take most of the time.
  await sql`set session_replication_role = replica`;
  await sql`insert into sessions (id, task_id, project_id, user_id, agent_id, status, queued_at)
    select gen_random_uuid()::text, 'task-' || n, ${PROJECT}, 'user-' || n % ${users}::int, 'agent-1', 'queued', now()
    from generate_series(0, ${count - 1}::int) n`;
  await sql.unsafe("vacuum analyze sessions");
}
