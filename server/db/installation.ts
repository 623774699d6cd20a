/** What a new installation begins with: the pool's settings and one agent that works on any machine. Harmless twice. */
import { sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { poolSettings } from "../../drizzle/schema/pool";
import { agents } from "../../drizzle/schema/projects";

export const DEFAULT_GLOBAL_MAX = 20;
export const DEFAULT_PER_USER_MAX = 2;

/** So that two servers that start together make one agent. */
const FIRST_AGENT_ID = "agent-shell";

/** Caps of the first start; null: the defaults. Later the database's settings count. */
export async function ensureInstallation(
  db: PostgresJsDatabase,
  first: { readonly globalMax: number | null; readonly perUserMax: number | null },
): Promise<void> {
  const globalMax = first.globalMax ?? DEFAULT_GLOBAL_MAX;
  const perUserMax = first.perUserMax ?? DEFAULT_PER_USER_MAX;
  await db.insert(poolSettings).values({ id: 1, globalMax, perUserMax, paused: false }).onConflictDoNothing();
  // A removed agent is a person's decision: it does not come back.
  await db.execute(sql`insert into ${agents} (id, name, kind, settings)
    select ${FIRST_AGENT_ID}, 'Shell', 'shell', '{}'::jsonb where not exists (select from ${agents})
    on conflict do nothing`);
}
