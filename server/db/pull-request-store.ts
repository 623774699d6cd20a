/** Rows of tasks' pull requests. */
import type { Sql } from "postgres";
import type { PullRequestReview } from "../ports/github";
import type { PullRequestStore, StoredPullRequest } from "../ports/pull-request-store";

/** As the columns are selected below. */
type Row = Omit<StoredPullRequest, "review"> & { readonly review: PullRequestReview | null };

export function createPullRequestStore(sql: Sql): PullRequestStore {
  const time = (at: number | null) => sql`to_timestamp(${at === null ? null : at / 1_000})`;
  const millis = (column: string) => sql`round(extract(epoch from ${sql(`r.${column}`)}) * 1000)::float8`;
  const rows = (rest: ReturnType<typeof sql>) => sql<Row[]>`
    select r.task_id as "taskId", t.project_id as "projectId", r.api_url as "apiUrl", r.repository, r.number, r.url, r.base,
      r.state, r.is_draft as "isDraft", r.opened_by as "openedBy", ${millis("opened_at")} as "openedAt", r.review,
      ${millis("changed_at")} as "changedAt", ${millis("read_at")} as "readAt", r.problem
    from pull_requests r join tasks t on t.id = r.task_id ${rest}`;
  // As text: over these connections objects are not written as JSON by themselves.
  const json = (review: PullRequestReview | null) =>
    sql`${review === null ? null : JSON.stringify(review)}::text::jsonb`;
  return {
    async ofTask(taskId) {
      const [row] = await rows(sql`where r.task_id = ${taskId}`);
      return row ?? null;
    },
    async put(row) {
      const { taskId, apiUrl, repository, number, url, base, state, isDraft, openedBy, problem } = row;
      await sql`
        insert into pull_requests (task_id, api_url, repository, number, url, base, state, is_draft, opened_by, opened_at,
          review, changed_at, read_at, problem)
        values (${taskId}, ${apiUrl}, ${repository}, ${number}, ${url}, ${base}, ${state}, ${isDraft}, ${openedBy},
          ${time(row.openedAt)}, ${json(row.review)}, ${time(row.changedAt)}, ${time(row.readAt)}, ${problem})
        on conflict (task_id) do update set api_url = excluded.api_url, repository = excluded.repository,
          number = excluded.number, url = excluded.url, base = excluded.base, state = excluded.state,
          is_draft = excluded.is_draft, opened_by = excluded.opened_by, opened_at = excluded.opened_at,
          review = excluded.review, changed_at = excluded.changed_at, read_at = excluded.read_at, problem = excluded.problem`;
    },
    async saw(taskId, number, { state, isDraft, review, changedAt, readAt, problem }) {
      await sql`
        update pull_requests set state = ${state}, is_draft = ${isDraft}, review = ${json(review)},
          changed_at = ${time(changedAt)}, read_at = ${time(readAt)}, problem = ${problem}
        where task_id = ${taskId} and number = ${number}`;
    },
    async open(limit) {
      return rows(sql`
        join projects p on p.id = t.project_id join project_github g on g.project_id = p.id
        where r.state = 'open' and t.deleted_at is null and p.deleted_at is null
        order by r.read_at nulls first limit ${limit}`);
    },
  };
}
