/** For tests of the whole engine: makes rows as the desks would, and looks at what became of them. */
import postgres from "postgres";

export interface SessionRow {
  readonly id: string;
  readonly status: string;
  readonly phase: string | null;
  readonly attempt: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly failureKind: string | null;
  readonly failureDetail: string | null;
  readonly workUnsaved: string | null;
  readonly headCommit: string | null;
  readonly lastAction: string | null;
  readonly outputBytes: number | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export function isOver({ status }: SessionRow): boolean {
  return status === "succeeded" || status === "failed" || status === "cancelled";
}

export function createRows(sql: postgres.Sql) {
  let made = 0;
  return {
    async addUser(id: string): Promise<void> {
      await sql`insert into users (id, name, email) values (${id}, ${id}, ${`${id}@example.test`}) on conflict do nothing`;
      await sql`insert into agents (id, name, kind) values ('shell', 'Shell', 'shell') on conflict do nothing`;
    },
    async addProject(path: string): Promise<string> {
      const id = `p${++made}`;
      await sql`insert into projects (id, name, repository, path, base_branch) values (${id}, ${id}, ${path}, ${path}, 'main')`;
      return id;
    },
    async addAgent(argv: readonly string[], promptVia: string): Promise<string> {
      const id = `agent${++made}`;
      const settings = sql.json({ argv: [...argv], promptVia });
      await sql`insert into agents (id, name, kind, settings) values (${id}, ${id}, 'command', ${settings})`;
      return id;
    },
    async addTask(projectId: string, prompt: string): Promise<string> {
      const number = ++made;
      const id = `t${number}`;
      await sql`insert into tasks (id, project_id, number, title, prompt, order_key)
        values (${id}, ${projectId}, ${number}, ${`Task ${number}`}, ${prompt}, ${`a${number}`})`;
      return id;
    },
    async session(id: string): Promise<SessionRow> {
      const [row] = await sql<SessionRow[]>`select id, status, phase, attempt, exit_code, signal, failure_kind,
        failure_detail, work_unsaved, head_commit, last_action, output_bytes::int, started_at, finished_at
        from sessions where id = ${id}`;
      if (!row) throw new Error(`no session ${id}`);
      return row;
    },
    async branchOf(sessionId: string): Promise<{ branch: string; worktree: string }> {
      const [row] = await sql`select t.branch, t.worktree from tasks t join sessions s on s.task_id = t.id
        where s.id = ${sessionId}`;
      return { branch: row?.branch, worktree: row?.worktree };
    },
  };
}

/** Nobody reaches this database until the returned function is called. */
export async function takeAway(url: string): Promise<() => Promise<void>> {
  const maintenance = new URL(url);
  const name = maintenance.pathname.slice(1);
  maintenance.pathname = "/postgres";
  const sql = postgres(maintenance.href, { max: 1, onnotice: () => {} });
  await sql.unsafe(`alter database ${name} with allow_connections false`);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  return async () => {
    await sql.unsafe(`alter database ${name} with allow_connections true`);
    await sql.end();
  };
}
