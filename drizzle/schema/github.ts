/** What ties projects and tasks to GitHub: the token a project has, the pull request a task was offered as, the issue it came from. */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { users } from "./people";
import { projects, tasks } from "./projects";

export const projectGitHub = pgTable("project_github", {
  projectId: text("project_id")
    .primaryKey()
    .references(() => projects.id, { onDelete: "cascade" }),
  /** Sealed with a key made from the installation's secret (A3). */
  token: text().notNull(),
  /** Null: GitHub's own. */
  apiUrl: text("api_url"),
  changedAt: timestamp("changed_at", { withTimezone: true }).notNull().defaultNow(),
  /** Open issues with it come in as tasks; null: none do. */
  issueLabel: text("issue_label"),
  /** Who set it: the tasks are made in their name. */
  issueLabelBy: text("issue_label_by").references(() => users.id, { onDelete: "set null" }),
  /** When issues were looked for last, and why that failed or left some out, one sentence; null: it did not. */
  issuesReadAt: timestamp("issues_read_at", { withTimezone: true }),
  issuesProblem: text("issues_problem"),
});

export const pullRequests = pgTable(
  "pull_requests",
  {
    taskId: text("task_id")
      .primaryKey()
      .references(() => tasks.id, { onDelete: "cascade" }),
    /** Where it is: API address, owner and name. */
    apiUrl: text("api_url").notNull(),
    repository: text().notNull(),
    number: integer().notNull(),
    /** For people. */
    url: text().notNull(),
    /** The branch it shall go into. */
    base: text().notNull(),
    state: text({ enum: ["open", "merged", "closed"] }).notNull(),
    isDraft: boolean("is_draft").notNull(),
    openedBy: text("opened_by").notNull(),
    openedAt: timestamp("opened_at", { withTimezone: true }).notNull(),
    /** Checks and reviews as they were read last (`ports/github.ts`); null: not read yet. */
    review: jsonb(),
    /** When state or review became another one, and when somebody looked last. */
    changedAt: timestamp("changed_at", { withTimezone: true }).notNull(),
    readAt: timestamp("read_at", { withTimezone: true }),
    /** Why the last look failed, one sentence; null: it did not. */
    problem: text(),
  },
  (table) => [index("pull_requests_open").on(table.readAt).where(sql`${table.state} = 'open'`)],
);

/** Which issue a task came from. A removed task's row stays, and this one with it: no issue comes in twice. */
export const importedIssues = pgTable(
  "imported_issues",
  {
    taskId: text("task_id")
      .primaryKey()
      .references(() => tasks.id),
    projectId: text("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** Where it is: API address, owner and name as the remote spells them. */
    apiUrl: text("api_url").notNull(),
    repository: text().notNull(),
    number: integer().notNull(),
    /** GitHub's own, which stays when the repository is renamed; null: it told none. */
    issueId: bigint("issue_id", { mode: "number" }),
  },
  (table) => [
    // GitHub takes a name in capitals for the same repository.
    uniqueIndex("imported_issues_once").on(
      table.projectId,
      table.apiUrl,
      sql`lower(${table.repository})`,
      table.number,
    ),
    uniqueIndex("imported_issues_once_renamed").on(table.projectId, table.apiUrl, table.issueId),
  ],
);
