/** API tokens (S5): made once and shown once, kept as a hash, dead with their owner. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { and, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { apiTokens, users } from "../../drizzle/schema/people";
import type { UserId } from "../core/words";
import type { ApiTokens, Caller } from "../ports/access";

/** In front of every token, so that people and scanners recognise one. */
const PREFIX = "camelot_";
const SECRET_BYTES = 32;
/** "Last used" is written at most this often. */
const LAST_USED_MINUTES = 1;
/** Tokens of one person that are not revoked. */
const LIVE_MAX = 200;

export interface TokenDesk extends ApiTokens {
  callerOf(token: string): Promise<Caller | null>;
}

export function createTokenDesk(db: PostgresJsDatabase, tokenRevoked: (tokenId: string) => void): TokenDesk {
  return {
    async make(userId, name, scope) {
      if ((await db.$count(apiTokens, liveOf(userId))) >= LIVE_MAX) return null;
      const secret = PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
      const row = { id: randomUUID(), userId, name, scope, hash: hashOf(secret) };
      const [made] = await db.insert(apiTokens).values(row).returning({ createdAt: apiTokens.createdAt });
      const createdAt = (made?.createdAt ?? new Date()).getTime();
      return { id: row.id, name, scope, createdAt, lastUsedAt: null, secret };
    },
    async list(userId) {
      const rows = await db.select().from(apiTokens).where(liveOf(userId)).orderBy(desc(apiTokens.createdAt));
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        scope: row.scope,
        createdAt: row.createdAt.getTime(),
        lastUsedAt: row.lastUsedAt?.getTime() ?? null,
      }));
    },
    async revoke(userId, tokenId) {
      const gone = await db
        .update(apiTokens)
        .set({ revokedAt: sql`now()` })
        .where(and(liveOf(userId), eq(apiTokens.id, tokenId)))
        .returning({ id: apiTokens.id });
      if (gone.length > 0) tokenRevoked(tokenId);
      return gone.length > 0;
    },
    async callerOf(token) {
      if (!token.startsWith(PREFIX)) return null;
      const [row] = await db
        .select({ token: apiTokens, user: users })
        .from(apiTokens)
        .innerJoin(users, eq(users.id, apiTokens.userId))
        .where(and(eq(apiTokens.hash, hashOf(token)), isNull(apiTokens.revokedAt), eq(users.active, true)));
      if (!row) return null;
      await noteUse(db, row.token.id);
      const { id: userId, name, email, role } = row.user;
      return { userId, name, email, role, via: { kind: "token", tokenId: row.token.id }, scope: row.token.scope };
    },
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function liveOf(userId: UserId) {
  return and(eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt));
}

async function noteUse(db: PostgresJsDatabase, tokenId: string): Promise<void> {
  const isOld = lt(apiTokens.lastUsedAt, sql`now() - make_interval(mins => ${LAST_USED_MINUTES})`);
  await db
    .update(apiTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiTokens.id, tokenId), or(isNull(apiTokens.lastUsedAt), isOld)));
}
