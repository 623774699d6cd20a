/** The pool's settings, the writer's lease and what other servers ask of the writer. */
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { users } from "./people";

/** One row (id 1). */
export const poolSettings = pgTable("pool_settings", {
  id: integer().primaryKey(),
  globalMax: integer("global_max").notNull(),
  perUserMax: integer("per_user_max").notNull(),
  paused: boolean().notNull().default(false),
});

/** Per-user overrides of the cap and the number of the user's last grant (survives a rebuild, P6). */
export const poolUsers = pgTable("pool_users", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  max: integer(),
  lastGrantSeq: bigint("last_grant_seq", { mode: "number" }),
});

/** One row (id 1): who is the writer (P19). Database time only. */
export const poolLease = pgTable("pool_lease", {
  id: integer().primaryKey(),
  holder: text().notNull(),
  epoch: bigint({ mode: "number" }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});

/** What another server asks of the writer: cancel, reorder, settings (P19). */
export const poolRequests = pgTable(
  "pool_requests",
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    body: jsonb().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    answeredAt: timestamp("answered_at", { withTimezone: true }),
    answer: jsonb(),
  },
  (table) => [index("pool_requests_open").on(table.answeredAt, table.createdAt)],
);

/** One row (id 1): what administrators decide beside the pool. Without a row the defaults hold. */
export const settings = pgTable("settings", {
  id: integer().primaryKey(),
  /** Output is kept this long and this much of it, whichever is reached first (R14). */
  outputDays: integer("output_days").notNull().default(30),
  outputMaxBytes: bigint("output_max_bytes", { mode: "number" }).notNull().default(20_000_000_000),
  /** How long an agent's question waits for an answer (R12). */
  answerWithinMs: bigint("answer_within_ms", { mode: "number" }).notNull().default(3_600_000),
});

/** Small facts of the installation: schema of the data directory, the secret's fingerprint. */
export const installation = pgTable("installation", {
  key: text().primaryKey(),
  value: text().notNull(),
});
