/** The pool's settings, the writer's lease and what other servers ask of the writer. */
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
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

/**
 * One row (id 1): of which version of the writer's picture the rows are. True only while its epoch is the lease's; written in
 * every commit of the writer while other servers follow (P13, P19).
 */
export const poolTold = pgTable("pool_told", {
  id: integer().primaryKey(),
  epoch: bigint({ mode: "number" }).notNull(),
  version: bigint({ mode: "number" }).notNull(),
  /** The picture's own time, by the writer's clock. */
  at: bigint({ mode: "number" }).notNull(),
  isOpen: boolean("is_open").notNull(),
  isDiskShort: boolean("is_disk_short").notNull(),
});

/** Which rows a version of the picture changed since the one told before it; the rows themselves are read (P19). */
export const poolChanges = pgTable(
  "pool_changes",
  {
    epoch: bigint({ mode: "number" }).notNull(),
    version: bigint({ mode: "number" }).notNull(),
    /** Null: everything has to be read again. */
    since: bigint({ mode: "number" }),
    body: jsonb().notNull(),
  },
  (table) => [primaryKey({ columns: [table.epoch, table.version] })],
);

/** Servers that want to know of the writer's changes. Without any the writer tells none. */
export const poolFollowers = pgTable("pool_followers", {
  holder: text().primaryKey(),
  seenAt: timestamp("seen_at", { withTimezone: true }).notNull().defaultNow(),
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

/** What the pool did, minute by minute, by who counted it; for charts, and kept for 7 days (P22). Sums, so that rows add up. */
export const poolHistory = pgTable(
  "pool_history",
  {
    at: timestamp({ withTimezone: true }).notNull(),
    source: text().notNull(),
    seconds: doublePrecision().notNull(),
    seatSeconds: doublePrecision("seat_seconds").notNull(),
    capSeconds: doublePrecision("cap_seconds").notNull(),
    waitingSeconds: doublePrecision("waiting_seconds").notNull(),
    grants: integer().notNull(),
    ended: integer().notNull(),
    failed: integer().notNull(),
    commits: integer().notNull(),
    /** Counts of waits per range; see `core/session/wait-spread.ts`. */
    waits: integer().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.source] })],
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
