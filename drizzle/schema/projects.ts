/** Projects, who belongs to them, agents and tasks: what people make. Sessions have a file of their own. */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "./people";

export const projects = pgTable("projects", {
  id: text().primaryKey(),
  name: text().notNull(),
  /** What the person gave: absolute path, clone URL without credentials, or "sample". */
  repository: text().notNull(),
  /** Absolute path of the git repository that is used. */
  path: text().notNull(),
  baseBranch: text("base_branch").notNull(),
  /** The last task number given; numbers are never reused. */
  lastNumber: integer("last_number").notNull().default(0),
  longestRunMs: bigint("longest_run_ms", { mode: "number" }).notNull().default(7_200_000),
  quietNoticeMs: bigint("quiet_notice_ms", { mode: "number" }).notNull().default(300_000),
  setupScript: text("setup_script"),
  createdBy: text("created_by").references(() => users.id, { onDelete: "set null" }),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  deletedAt: timestamp("deleted_at", { withTimezone: true }),
});

export const projectMembers = pgTable(
  "project_members",
  {
    projectId: text("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text({ enum: ["owner", "member"] }).notNull(),
    addedAt: timestamp("added_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.userId] }), index("project_members_user").on(table.userId)],
);

/** What a project gives its agents as environment (A1). */
export const projectVariables = pgTable(
  "project_variables",
  {
    projectId: text("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** A secret's value is sealed with a key made from the installation's secret (A3); any other stands as it is. */
    value: text().notNull(),
    isSecret: boolean("is_secret").notNull(),
    changedAt: timestamp("changed_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
);

export const agents = pgTable("agents", {
  id: text().primaryKey(),
  /** Null: for the whole installation. */
  projectId: text("project_id").references(() => projects.id, { onDelete: "cascade" }),
  name: text().notNull(),
  kind: text().notNull(),
  settings: jsonb().notNull().default({}),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  deletedAt: timestamp("deleted_at", { withTimezone: true }),
});

export const tasks = pgTable(
  "tasks",
  {
    id: text().primaryKey(),
    projectId: text("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    number: integer().notNull(),
    title: text().notNull(),
    prompt: text().notNull(),
    agentId: text("agent_id").references(() => agents.id),
    createdBy: text("created_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
    /** Where a person put the card; counts until a newer session starts (see core/task/board). */
    shelf: text({ enum: ["backlog", "review", "done"] })
      .notNull()
      .default("backlog"),
    /** The newest started session when the card was put on that shelf. */
    shelfSessionId: text("shelf_session_id"),
    shelfBy: text("shelf_by"),
    shelfAt: timestamp("shelf_at", { withTimezone: true }),
    /** Order within a shelf: a fractional key, compared as text (COLLATE "C"). */
    orderKey: text("order_key").notNull(),
    /** Made at the first session, kept for the task's life (W1). */
    branch: text(),
    worktree: text(),
    baseCommit: text("base_commit"),
    /** What a person made of the work (W4); null: nothing yet, or it was taken up again. */
    outcome: text({ enum: ["merged", "requested", "discarded"] }),
    outcomeAt: timestamp("outcome_at", { withTimezone: true }),
    outcomeBy: text("outcome_by"),
    /** Of a merge: the commit on the base, and the base's name. */
    outcomeCommit: text("outcome_commit"),
    outcomeBase: text("outcome_base"),
    /** What was sent to the remote last: the task's branch or the base. No name beside a time: nobody noted it then. */
    pushedAt: timestamp("pushed_at", { withTimezone: true }),
    pushedBranch: text("pushed_branch"),
  },
  (table) => [
    uniqueIndex("tasks_number").on(table.projectId, table.number),
    index("tasks_project").on(table.projectId).where(sql`${table.deletedAt} is null`),
  ],
);
