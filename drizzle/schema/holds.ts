/** What cannot be used at the moment, found out by a session that failed: agents and repositories (A8). */
import { pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

export const holds = pgTable(
  "holds",
  {
    /** `repository`: the project's. */
    subject: text({ enum: ["agent", "repository"] }).notNull(),
    /** The agent's or the project's id. */
    subjectId: text("subject_id").notNull(),
    detail: text().notNull(),
    /** When it ends by itself; null: when somebody tries again. */
    until: timestamp({ withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.subject, table.subjectId] })],
);
