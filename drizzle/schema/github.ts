/** What ties projects and tasks to GitHub: the token a project has, and the pull request a task was offered as. */
import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
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
