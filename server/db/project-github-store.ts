/** The token a project has for GitHub, sealed in its row (A3). */
import type { Sql } from "postgres";
import type { ProjectGitHubStore, StoredGitHub } from "../ports/pull-request-store";
import type { Seal } from "../ports/seal";

export function createProjectGitHubStore(sql: Sql, seal: Seal): ProjectGitHubStore {
  return {
    async read(projectId): Promise<StoredGitHub | null> {
      const [row] = await sql<{ token: string; api_url: string | null; changed_at: number }[]>`
        select token, api_url, round(extract(epoch from changed_at) * 1000)::float8 as changed_at
        from project_github where project_id = ${projectId}`;
      if (row === undefined) return null;
      return { token: seal.open(row.token, aboutOf(projectId)), apiUrl: row.api_url, changedAt: row.changed_at };
    },
    async set(projectId, { token, apiUrl }, at) {
      await sql`
        insert into project_github (project_id, token, api_url, changed_at)
        values (${projectId}, ${seal.close(token, aboutOf(projectId))}, ${apiUrl}, to_timestamp(${at / 1_000}))
        on conflict (project_id) do update
          set token = excluded.token, api_url = excluded.api_url, changed_at = excluded.changed_at`;
    },
    async remove(projectId) {
      await sql`delete from project_github where project_id = ${projectId}`;
    },
  };
}

function aboutOf(projectId: string): string {
  return `github token ${projectId}`;
}
