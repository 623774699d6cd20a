/** Rows behind `ports/session-record.ts`: what a session's supervisor reads, and where it keeps the task's worktree. */
import type { Sql } from "postgres";
import { usageFrom } from "../core/agent/usage";
import type { AttemptRef } from "../core/words";
import type { SessionFacts, SessionRecord } from "../ports/session-record";
import type { OpenedVariables, VariableStore } from "../ports/variable-store";

interface FactsRow {
  session_id: string;
  project_id: string;
  task_id: string;
  number: number;
  title: string;
  prompt: string;
  message: string | null;
  agent_id: string;
  agent_kind: string;
  agent_name: string;
  agent_settings: unknown;
  repository: string;
  base_branch: string;
  branch: string | null;
  worktree: string | null;
  base_commit: string | null;
  longest_run_ms: string;
  quiet_notice_ms: string;
  setup_script: string | null;
  conversation: string | null;
  earlier_usage: unknown;
}

export function createSessionRecordStore(sql: Sql, variables: Pick<VariableStore, "open">): SessionRecord {
  return {
    async read(sessionId) {
      // Removed tasks, projects and agents count: a session that was dispatched before goes on to its end.
      const [row] = await sql<FactsRow[]>`
        select s.id as session_id, s.message, t.id as task_id, t.number, t.title, t.prompt, t.branch, t.worktree,
          t.base_commit, p.id as project_id, p.path as repository, p.base_branch, p.longest_run_ms,
          p.quiet_notice_ms, p.setup_script,
          a.id as agent_id, a.kind as agent_kind, a.name as agent_name, a.settings as agent_settings,
          e.agent_session_id as conversation, e.usage as earlier_usage
        from sessions s
          join tasks t on t.id = s.task_id
          join projects p on p.id = t.project_id
          join agents a on a.id = s.agent_id
          left join lateral (
            select agent_session_id, usage from sessions
            where task_id = s.task_id and agent_id = s.agent_id and seq < s.seq and agent_session_id is not null
            order by seq desc limit 1
          ) e on true
        where s.id = ${sessionId}`;
      return row ? factsOf(row, await variables.open(row.project_id)) : null;
    },
    async storeWorktree(taskId, { branch, path, baseCommit }) {
      await sql`update tasks set branch = ${branch}, worktree = ${path}, base_commit = ${baseCommit} where id = ${taskId}`;
    },
    async runningAttempts() {
      const rows = await sql<{ id: string; attempt: number }[]>`
        select id, attempt from sessions where status = 'running'`;
      return rows.map(({ id, attempt }): AttemptRef => ({ sessionId: id, attempt }));
    },
  };
}

function factsOf(row: FactsRow, variables: OpenedVariables): SessionFacts {
  return {
    sessionId: row.session_id,
    projectId: row.project_id,
    taskId: row.task_id,
    number: row.number,
    title: row.title,
    prompt: row.prompt,
    message: row.message,
    agent: { id: row.agent_id, kind: row.agent_kind, name: row.agent_name, settings: row.agent_settings },
    earlier: row.conversation ? { conversation: row.conversation, costUsd: conversationCostOf(row) } : null,
    repository: row.repository,
    baseBranch: row.base_branch,
    branch: row.branch,
    worktree: row.worktree,
    baseCommit: row.base_commit,
    longestRunMs: Number(row.longest_run_ms),
    quietNoticeMs: Number(row.quiet_notice_ms),
    setupScript: row.setup_script,
    variables,
  };
}

function conversationCostOf({ earlier_usage: usage }: FactsRow): number | null {
  return usageFrom(usage)?.conversationCostUsd ?? null;
}
