/** Rows of issues that came in as tasks: read here, written with their task (`task-store.ts`). */
import type { Sql } from "postgres";
import type { IssueStore } from "../ports/issue-store";
import { arrayLiteral } from "./array-literal";

export function createIssueStore(sql: Sql): IssueStore {
  return {
    async unknown(projectId, { apiUrl, repository }, issues) {
      if (issues.length === 0) return [];
      const numbers = arrayLiteral(issues.map(({ number }) => number));
      const ids = arrayLiteral(issues.flatMap(({ id }) => id ?? []));
      const known = await sql<{ isHere: boolean; number: number; id: number | null }[]>`
        select lower(repository) = lower(${repository}) as "isHere", number, issue_id::float8 as id
        from imported_issues where project_id = ${projectId} and api_url = ${apiUrl}
          and ((lower(repository) = lower(${repository}) and number = any(${numbers}::text::int[]))
            or issue_id = any(${ids}::text::bigint[]))`;
      const knownNumbers = new Set(known.filter(({ isHere }) => isHere).map(({ number }) => number));
      const knownIds = new Set(known.flatMap(({ id }) => id ?? []));
      return issues.filter(({ number, id }) => !knownNumbers.has(number) && !(id !== null && knownIds.has(id)));
    },
  };
}
