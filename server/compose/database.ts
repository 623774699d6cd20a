/**
 * From a configuration to a database that may be used: ours (embedded) or the one that was named, checked, at this version's
 * tables, with the secret and the data directory it knows, and with what a new installation begins with. Each refusal is one sentence.
 */
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Config } from "../config";
import { readOrMakeId, readOrMakeSecret } from "../data-dir";
import { SMALL_THINGS_S, within } from "../db/ask-within";
import { checkDatabase } from "../db/check-database";
import { appClient, type Sql } from "../db/client";
import { checkDataDir, refuseOtherDataDir } from "../db/data-dir-check";
import { startEmbeddedPostgres } from "../db/embedded-postgres";
import { createGossip } from "../db/gossip";
import { ensureInstallation } from "../db/installation";
import { migrate } from "../db/migrate";
import { checkSecret } from "../db/secret-check";
import type { Log } from "../log";
import type { Gossip } from "../ports/gossip";

export interface OpenDatabase {
  readonly url: string;
  readonly sql: Sql;
  readonly db: PostgresJsDatabase;
  readonly secret: string;
  /** To the other servers on it. */
  readonly gossip: Gossip;
  close(): Promise<void>;
}

/** Longest wait for queries under way when leaving, seconds. */
const LAST_QUERIES_S = 1;

const SECRET_REPLACED =
  "The secret was lost; there is a new one: everybody signs in again, and project secrets have to be entered again.";

const DATABASE_ADOPTED =
  "The database is this data directory's from now on; what ran in the former one counts as lost. Start without CAMELOT_ADOPT_DATABASE next time.";

export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const embedded = config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null;
  const url = embedded?.url ?? config.databaseUrl ?? "";
  try {
    if (embedded === null) await checkDatabase(url);
    await migrate(url);
    const ours = { id: readOrMakeId(config.dataDir), place: config.dataDir };
    // An embedded database lives in its data directory, so it is never somebody else's.
    const mayAdopt = config.adoptDatabase || embedded !== null;
    if (!mayAdopt) await refuseOtherDataDir(url, ours);
    const secret = await secretFor(config, url, log);
    if ((await checkDataDir(url, ours, mayAdopt)) === "adopted") log.warn(DATABASE_ADOPTED);
    const sql = appClient(url);
    const db = drizzle(sql);
    await within(url, SMALL_THINGS_S, ensureInstallation(db, config));
    const gossip = createGossip(url);
    return {
      url,
      sql,
      db,
      secret,
      gossip,
      async close() {
        await gossip.close();
        await sql.end({ timeout: LAST_QUERIES_S });
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

async function secretFor(config: Config, url: string, log: Log): Promise<string> {
  const kept = config.secret === null ? readOrMakeSecret(config.dataDir) : { secret: config.secret, isNew: false };
  // Only a database that lives in the same data directory can have lost its secret with it.
  const found = await checkSecret(url, kept.secret, kept.isNew && config.databaseUrl === null);
  if (found === "replaced") log.warn(SECRET_REPLACED);
  return kept.secret;
}
