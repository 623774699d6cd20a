/**
 * Who a login's cookie belongs to: one query per request, and once a day one more that prolongs the login. How long it lasts
 * is the row's to say; browsers keep the cookie for as long as they do, so that it need not be sent again. The library made and signed the cookie; it is read here because
 * the library answers "nobody" and "the database is away" alike, and takes several queries for it.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { logins, users } from "../../drizzle/schema/people";
import type { Caller } from "../ports/access";
import { LOGIN_REFRESH_SECONDS, LOGIN_SECONDS } from "./library";

/** Base64 of an HMAC-SHA-256. */
const SIGNATURE_CHARS = 44;

/** Browsers keep no cookie for longer (400 days), s. */
const COOKIE_SECONDS = 400 * 24 * 3_600;

const isOld = lt(logins.expiresAt, inSeconds(LOGIN_SECONDS - LOGIN_REFRESH_SECONDS));

export async function callerOfCookie(
  db: PostgresJsDatabase,
  token: string,
  warn: (message: string) => void,
): Promise<Caller | null> {
  const [found] = await db
    .select({ loginId: logins.id, user: users, isOld: sql<boolean>`${isOld}` })
    .from(logins)
    .innerJoin(users, eq(users.id, logins.userId))
    .where(and(eq(logins.token, token), gt(logins.expiresAt, sql`now()`), eq(users.active, true)));
  if (!found) return null;
  if (found.isOld) await prolong(db, found.loginId, warn);
  const { id: userId, name, email, role } = found.user;
  return { userId, name, email, role, via: { kind: "cookie", loginId: found.loginId }, scope: "admin" };
}

/** Whoever is there stays there, also when this fails. */
async function prolong(db: PostgresJsDatabase, id: string, warn: (message: string) => void): Promise<void> {
  const change = { expiresAt: inSeconds(LOGIN_SECONDS), updatedAt: inSeconds(0) };
  try {
    await db
      .update(logins)
      .set(change)
      .where(and(eq(logins.id, id), isOld));
  } catch {
    warn("a login could not be prolonged; it is tried again with its next request");
  }
}

function inSeconds(seconds: number) {
  return sql`now() + make_interval(secs => ${seconds})`;
}

/** The library's cookie for a login, kept by the browser for as long as it may. */
export function keptLong(setCookie: string): string {
  return setCookie.replace(`Max-Age=${LOGIN_SECONDS};`, `Max-Age=${COOKIE_SECONDS};`);
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
