/** `Idempotency-Key` rows: who comes first holds the key for 24 hours (P3). */
import { and, eq, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { idempotencyKeys } from "../../drizzle/schema/sessions";
import type { DispatchKeys, KeyName } from "../ports/dispatch-keys";

const IS_OVER = sql`${idempotencyKeys.createdAt} < now() - interval '24 hours'`;
/** Old keys are cleared away once in so many reservations. */
const CLEAR_EVERY = 1_000;

export function createDispatchKeyStore(db: PostgresJsDatabase): DispatchKeys {
  let reservations = 0;
  return {
    async reserve(name, entry) {
      if (reservations++ % CLEAR_EVERY === 0) await db.delete(idempotencyKeys).where(IS_OVER);
      const [own] = await db
        .insert(idempotencyKeys)
        .values({ ...name, ...entry })
        .onConflictDoUpdate({
          target: [idempotencyKeys.userId, idempotencyKeys.route, idempotencyKeys.key],
          set: { ...entry, createdAt: sql`now()` },
          setWhere: IS_OVER,
        })
        .returning();
      if (own) return entry;
      const [held] = await db.select().from(idempotencyKeys).where(named(name));
      if (!held) throw new Error("an idempotency key was there and is gone again within its 24 hours");
      return { bodyHash: held.bodyHash, sessionId: held.sessionId };
    },
    async pointTo(name, sessionId) {
      await db.update(idempotencyKeys).set({ sessionId }).where(named(name));
    },
  };
}

function named({ userId, route, key }: KeyName) {
  return and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.route, route), eq(idempotencyKeys.key, key));
}
