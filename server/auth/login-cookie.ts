/**
 * Who a login's cookie belongs to: one query per request. The library made and signed the cookie; it is read here because
 * the library answers "nobody" and "the database is away" alike, and takes several queries for it.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { logins, users } from "../../drizzle/schema/people";
import type { Caller } from "../ports/access";

/** Base64 of an HMAC-SHA-256. */
const SIGNATURE_CHARS = 44;

export async function callerOfCookie(db: PostgresJsDatabase, token: string): Promise<Caller | null> {
  const [found] = await db
    .select({ loginId: logins.id, user: users })
    .from(logins)
    .innerJoin(users, eq(users.id, logins.userId))
    .where(and(eq(logins.token, token), gt(logins.expiresAt, sql`now()`), eq(users.active, true)));
  if (!found) return null;
  const { id: userId, name, email, role } = found.user;
  return { userId, name, email, role, via: { kind: "cookie", loginId: found.loginId }, scope: "admin" };
}

/** The token inside a cookie header, if the cookie is there and was signed by us. */
export function tokenIn(header: string, name: string, secret: string): string | null {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const signed = decoded(pair.slice(at + 1).trim());
    const token = signed.slice(0, -SIGNATURE_CHARS - 1);
    const signature = Buffer.from(signed.slice(-SIGNATURE_CHARS));
    const expected = Buffer.from(createHmac("sha256", secret).update(token).digest("base64"));
    if (signature.length === expected.length && timingSafeEqual(signature, expected)) return token;
  }
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
