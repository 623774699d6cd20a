/** The token a project has for GitHub, sealed in its row (A3), and the label by which issues come in. */
import type { Sql } from "postgres";
import type { ProjectGitHubStore, StoredGitHub } from "../ports/pull-request-store";
import type { Seal } from "../ports/seal";

interface Row {
  readonly token: string;
  readonly apiUrl: string | null;
  readonly changedAt: number;
  readonly issueLabel: string | null;
  readonly issueLabelBy: string | null;
  readonly issuesReadAt: number | null;
  readonly issuesProblem: string | null;
}

export function createProjectGitHubStore(sql: Sql, seal: Seal): ProjectGitHubStore {
  const time = (at: number | null) => sql`to_timestamp(${at === null ? null : at / 1_000})`;
  const millis = (column: string) => sql`round(extract(epoch from ${sql(column)}) * 1000)::float8`;
  return {
    async read(projectId): Promise<StoredGitHub | null> {
      const [row] = await sql<Row[]>`
        select token, api_url as "apiUrl", ${millis("changed_at")} as "changedAt", issue_label as "issueLabel",
          issue_label_by as "issueLabelBy", ${millis("issues_read_at")} as "issuesReadAt", issues_problem as "issuesProblem"
        from project_github where project_id = ${projectId}`;
      if (row === undefined) return null;
      const { apiUrl, changedAt, issueLabel: name, issueLabelBy: by, issuesReadAt: at, issuesProblem: problem } = row;
      const label = name === null ? null : { name, by };
      return { token: seal.open(row.token, aboutOf(projectId)), apiUrl, changedAt, label, issues: { at, problem } };
    },
    /** What was said of the last look for issues was said of what is changed here. */
    async set(projectId, { token, apiUrl, label }, at) {
      await sql`
        insert into project_github (project_id, token, api_url, issue_label, issue_label_by, changed_at)
        values (${projectId}, ${seal.close(token, aboutOf(projectId))}, ${apiUrl}, ${label?.name ?? null},
          ${label?.by ?? null}, ${time(at)})
        on conflict (project_id) do update
          set token = excluded.token, api_url = excluded.api_url, issue_label = excluded.issue_label,
            issue_label_by = excluded.issue_label_by, changed_at = excluded.changed_at, issues_read_at = null,
            issues_problem = null`;
    },
    async remove(projectId) {
      await sql`delete from project_github where project_id = ${projectId}`;
    },
    async labelled(limit) {
      const rows = await sql<{ id: string }[]>`
        select p.id from project_github g join projects p on p.id = g.project_id
        where g.issue_label is not null and p.deleted_at is null
        order by g.issues_read_at nulls first limit ${limit}`;
      return rows.map(({ id }) => id);
    },
    async issuesRead(projectId, { at, problem }) {
      await sql`
        update project_github set issues_read_at = ${time(at)}, issues_problem = ${problem}
        where project_id = ${projectId} and issue_label is not null`;
    },
  };
}

function aboutOf(projectId: string): string {
  return `github token ${projectId}`;
}
