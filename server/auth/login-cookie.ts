/**
 * Who a login's cookie belongs to: one query per request, and once a day one more that prolongs the login. A row is only
 * prolonged where the browser can be sent its cookie again, so that both live equally long. The library made and signed the
 * cookie; it is read here because the library answers "nobody" and "the database is away" alike, and takes several queries.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { logins, users } from "../../drizzle/schema/people";
import type { Caller } from "../ports/access";
import { LOGIN_REFRESH_SECONDS, LOGIN_SECONDS } from "./library";

/** Base64 of an HMAC-SHA-256. */
const SIGNATURE_CHARS = 44;

const isOld = lt(logins.expiresAt, inSeconds(LOGIN_SECONDS - LOGIN_REFRESH_SECONDS));

/** `prolonged`: the cookie may and must be sent again; absent: it cannot be, so the login stays as it is. */
export async function callerOfCookie(
  db: PostgresJsDatabase,
  token: string,
  warn: (message: string) => void,
  prolonged?: () => void,
): Promise<Caller | null> {
  const [found] = await db
    .select({ loginId: logins.id, user: users, isOld: sql<boolean>`${isOld}` })
    .from(logins)
    .innerJoin(users, eq(users.id, logins.userId))
    .where(and(eq(logins.token, token), gt(logins.expiresAt, sql`now()`), eq(users.active, true)));
  if (!found) return null;
  if (found.isOld && prolonged && (await prolong(db, found.loginId, warn))) prolonged();
  const { id: userId, name, email, role } = found.user;
  return { userId, name, email, role, via: { kind: "cookie", loginId: found.loginId }, scope: "admin" };
}

/** Whoever is there stays there, also when this fails. */
async function prolong(db: PostgresJsDatabase, id: string, warn: (message: string) => void): Promise<boolean> {
  const change = { expiresAt: inSeconds(LOGIN_SECONDS), updatedAt: inSeconds(0) };
  try {
    const changed = await db
      .update(logins)
      .set(change)
      .where(and(eq(logins.id, id), isOld))
      .returning({ id: logins.id });
    // Of requests at the same time one prolongs, and only its answer carries the cookie.
    return changed.length > 0;
  } catch {
    warn("a login could not be prolonged; it is tried again with its next request");
    return false;
  }
}

function inSeconds(seconds: number) {
  return sql`now() + make_interval(secs => ${seconds})`;
}

export interface CookieAttributes {
  readonly secure?: boolean | undefined;
  readonly path?: string | undefined;
}

/** A cookie once more, from now on for as long as a login that was just prolonged. */
export function cookieAgain(name: string, value: string, { secure, path = "/" }: CookieAttributes): string {
  const end = secure === true ? "; Secure" : "";
  return `${name}=${value}; Max-Age=${LOGIN_SECONDS}; Path=${path}; HttpOnly; SameSite=Lax${end}`;
}

/** The login inside a cookie header, if the cookie is there and was signed by us; `value` is the cookie's, as it came. */
export function loginIn(header: string, name: string, secret: string): { token: string; value: string } | null {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    const signed = decoded(value);
    const token = signed.slice(0, -SIGNATURE_CHARS - 1);
    const signature = Buffer.from(signed.slice(-SIGNATURE_CHARS));
    const expected = Buffer.from(createHmac("sha256", secret).update(token).digest("base64"));
    if (signature.length === expected.length && timingSafeEqual(signature, expected)) return { token, value };
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
