/**
 * Brings the tables to this version. Two servers may do it at the same time: an advisory lock lets one go first, the
 * other then finds nothing to do. Runs on a connection of its own, and waits for others, never for ever; how long its own
 * statements take depends on what is in the tables.
 */
import fs from "node:fs";
import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { StartRefused } from "../ports/start-refused";
import { CONNECT_LIMIT_S, hangUp, SMALL_THINGS_S, within } from "./ask-within";

/** The server is always started at the root of the checkout. */
export const MIGRATIONS_FOLDER = path.join(process.cwd(), "drizzle", "migrations");

/** Any number no other program on the same database uses: "camelot" in ASCII. */
const MIGRATION_LOCK = 0x63616d656c6f74n;

/** Longest wait for another server that migrates, or for a table that somebody keeps locked, seconds. */
const LOCK_LIMIT_S = 300;
const LOCK_NOT_AVAILABLE = "55P03";

export async function migrate(url: string, folder = MIGRATIONS_FOLDER, lockLimitS = LOCK_LIMIT_S): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: CONNECT_LIMIT_S,
    connection: { lock_timeout: lockLimitS * 1_000 },
    onnotice: () => {},
  });
  try {
    await within(url, SMALL_THINGS_S, sql`select`);
    const lock = sql`select pg_advisory_lock(${MIGRATION_LOCK.toString()}::bigint)`;
    await within(url, lockLimitS + SMALL_THINGS_S, lock);
    await within(url, SMALL_THINGS_S, refuseNewerDatabase(sql, folder));
    await applyMigrations(drizzle(sql), { migrationsFolder: folder });
  } catch (error) {
    throw isLockTimeout(error) ? new StartRefused(lockedFor(lockLimitS)) : error;
  } finally {
    // Ending the connection gives the lock back, whatever happened.
    await hangUp(sql);
  }
}

function lockedFor(seconds: number): string {
  return `The database's tables could not be brought to this version: something else has kept them locked for ${seconds} s. End it, then start again.`;
}

/** The query library wraps what the driver says. */
function isLockTimeout(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return true;
  }
  return false;
}

/** A database that a later version has migrated must not be written to by this one. */
async function refuseNewerDatabase(sql: postgres.Sql, folder: string): Promise<void> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`;
  if (!table?.there) return;
  const [last] = await sql`select max(created_at)::text as at from drizzle.__drizzle_migrations`;
  const journal = JSON.parse(fs.readFileSync(path.join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: { when: number }[];
  };
  const newest = Math.max(0, ...journal.entries.map((entry) => entry.when));
  if (last?.at && Number(last.at) > newest) {
    throw new StartRefused(
      "The database was used with a newer version of Camelot: start that version, or restore an older copy.",
    );
  }
}
