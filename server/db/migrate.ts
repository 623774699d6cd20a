/**
 * Brings the tables to this version. Two servers may do it at the same time: an advisory lock lets one go first, the
 * other then finds nothing to do. Runs on a connection of its own.
 */
import fs from "node:fs";
import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { StartRefused } from "../ports/start-refused";

/** The server is always started at the root of the checkout. */
export const MIGRATIONS_FOLDER = path.join(process.cwd(), "drizzle", "migrations");

/** Any number no other program on the same database uses: "camelot" in ASCII. */
const MIGRATION_LOCK = 0x63616d656c6f74n;

export async function migrate(url: string, folder = MIGRATIONS_FOLDER): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK.toString()}::bigint)`;
    await refuseNewerDatabase(sql, folder);
    await applyMigrations(drizzle(sql), { migrationsFolder: folder });
  } finally {
    // Ending the connection gives the lock back, whatever happened.
    await sql.end({ timeout: 5 });
  }
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
