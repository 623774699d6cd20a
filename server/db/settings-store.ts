/** The one row behind `ports/settings-store.ts`; what was never changed has the column's default. */
import { eq } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { settings } from "../../drizzle/schema/pool";
import type { SettingsStore } from "../ports/settings-store";

const ROW = 1;

export function createSettingsStore(db: PostgresJsDatabase): SettingsStore {
  const read = async () => {
    const [row] = await db.select().from(settings).where(eq(settings.id, ROW));
    return row;
  };
  const ensure = async () => {
    await db.insert(settings).values({ id: ROW }).onConflictDoNothing();
    const row = await read();
    if (!row) throw new Error("the settings' row was removed in this moment");
    return row;
  };
  return {
    async read() {
      const { id: _, ...found } = (await read()) ?? (await ensure());
      return found;
    },
    async change(change) {
      await ensure();
      const isNothing = Object.values(change).every((value) => value === undefined);
      if (!isNothing) await db.update(settings).set(change).where(eq(settings.id, ROW));
      return this.read();
    },
  };
}
