/**
 * Sessions: the queue is the set of rows with status `queued` and nothing else (spec 1). Only the pool's writer changes a
 * live row; finished rows never stand in the way of a grant (partial indexes over live rows only).
 */
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
import { tasks } from "./projects";

export const sessions = pgTable(
  "sessions",
  {
    id: text().primaryKey(),
    /** Creation order; never changes. Order in a line is `coalesce(place, seq)`. */
    seq: bigint({ mode: "number" }).notNull().generatedByDefaultAsIdentity(),
    /** Set when a user reorders their own line: their own numbers are permuted (P5). */
    place: bigint({ mode: "number" }),
    taskId: text("task_id")
      .notNull()
      .references(() => tasks.id, { onDelete: "cascade" }),
    projectId: text("project_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    agentId: text("agent_id").notNull(),
    status: text({ enum: ["queued", "running", "succeeded", "failed", "cancelled"] }).notNull(),
    phase: text({ enum: ["starting", "working", "asking", "stopping", "saving"] }),
    /** Since when it is in its phase. */
    phaseSince: timestamp("phase_since", { withTimezone: true }),
    attempt: integer().notNull().default(1),
    /** The writer's term that granted the slot. */
    epoch: bigint({ mode: "number" }),
    /** Which grant of the pool this was; decides ties between users (P6). */
    grantSeq: bigint("grant_seq", { mode: "number" }),
    /** The chair at the table, from 0; kept until release. */
    seat: integer(),
    held: text({ enum: ["budget", "agent-unusable", "repository-unusable", "disk"] }),
    heldDetail: text("held_detail"),
    heldUntil: timestamp("held_until", { withTimezone: true }),
    mode: text({ enum: ["work", "plan"] })
      .notNull()
      .default("work"),
    /** Follow-up text (A5); null: the task's prompt. */
    message: text(),
    queuedAt: timestamp("queued_at", { withTimezone: true }).notNull(),
    /** The grant. */
    startedAt: timestamp("started_at", { withTimezone: true }),
    /** The agent's own end (R10), not when it was written down. */
    finishedAt: timestamp("finished_at", { withTimezone: true }),
    cancelledBy: text("cancelled_by"),
    exitCode: integer("exit_code"),
    signal: text(),
    failureKind: text("failure_kind"),
    /** What the failure's sentence needs beside kind, code and signal. */
    failureDetail: text("failure_detail"),
    workUnsaved: text("work_unsaved"),
    leftOut: jsonb("left_out"),
    headCommit: text("head_commit"),
    files: integer(),
    additions: integer(),
    deletions: integer(),
    lastAction: text("last_action"),
    outputBytes: bigint("output_bytes", { mode: "number" }),
    /** When the agent wrote last, told at least once a minute while it does (R9). */
    lastOutputAt: timestamp("last_output_at", { withTimezone: true }),
    /** When a server last took its runner over after a restart. */
    adoptedAt: timestamp("adopted_at", { withTimezone: true }),
    outputRemoved: boolean("output_removed").notNull().default(false),
    usage: jsonb(),
    /** The agent's own id of the conversation, by which a follow-up goes on with it (A5); "": it is not there any more. */
    agentSessionId: text("agent_session_id"),
    question: jsonb(),
    /** False: inserted beside the writer, which has not read it yet (P19). */
    takenIn: boolean("taken_in").notNull().default(true),
  },
  (table) => [
    uniqueIndex("sessions_one_live_per_task").on(table.taskId).where(sql`${table.status} in ('queued', 'running')`),
    index("sessions_live").on(table.userId, table.seq).where(sql`${table.status} in ('queued', 'running')`),
    // The writer looks for rows that others inserted (P19).
    index("sessions_newcomers").on(table.seq).where(sql`${table.status} = 'queued' and not ${table.takenIn}`),
    index("sessions_of_task").on(table.taskId, table.seq),
    index("sessions_ended").on(table.finishedAt).where(sql`${table.finishedAt} is not null`),
    index("sessions_of_user").on(table.userId, table.seq),
    // What was used per day (A4).
    index("sessions_used_user")
      .on(table.userId, table.finishedAt)
      .where(sql`${table.startedAt} is not null and ${table.finishedAt} is not null`),
    index("sessions_used_project")
      .on(table.projectId, table.finishedAt)
      .where(sql`${table.startedAt} is not null and ${table.finishedAt} is not null`),
  ],
);

/** `Idempotency-Key` per person and route, kept for 24 h (P3). */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    userId: text("user_id").notNull(),
    route: text().notNull(),
    key: text().notNull(),
    bodyHash: text("body_hash").notNull(),
    sessionId: text("session_id").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.route, table.key] }),
    index("idempotency_keys_created").on(table.createdAt),
  ],
);
