/**
 * better-auth, set up for our tables: email and password, cookies that scripts cannot read, revocable logins. Its own
 * origin check and rate limit are off because ours stand in front of it (`server/http/guard.ts`, `throttle.ts`); its
 * "session" is a login here. Never reads the environment: everything comes from the composition root.
 */
import { randomUUID } from "node:crypto";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError } from "better-auth/api";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { credentials, logins, users, verifications } from "../../drizzle/schema/people";
import { AUTH_PREFIX } from "../contract/accounts";

/** A login ends after this many seconds without a refresh (30 days). */
export const LOGIN_SECONDS = 30 * 24 * 3_600;
/** A login used after this many seconds is prolonged (1 day). */
export const LOGIN_REFRESH_SECONDS = 24 * 3_600;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

interface LibraryOptions {
  readonly db: PostgresJsDatabase;
  readonly secret: string;
  /** Where people reach us; decides whether cookies are for https only. */
  readonly baseUrl: string;
  readonly personCreated: (userId: string) => Promise<void>;
  readonly loginEnded: (loginId: string) => void;
  readonly warn: (message: string) => void;
}

export type Library = ReturnType<typeof makeLibrary>;

export function makeLibrary(options: LibraryOptions) {
  return betterAuth({
    appName: "Camelot",
    baseURL: options.baseUrl,
    basePath: AUTH_PREFIX,
    secret: options.secret,
    telemetry: { enabled: false },
    logger: { level: "warn", log: (_level, message) => options.warn(message) },
    database: drizzleAdapter(options.db, {
      provider: "pg",
      transaction: true,
      schema: { user: users, session: logins, account: credentials, verification: verifications },
    }),
    emailAndPassword: { enabled: true, minPasswordLength: PASSWORD_MIN, maxPasswordLength: PASSWORD_MAX },
    user: {
      additionalFields: {
        role: { type: "string", required: false, input: false },
        active: { type: "boolean", required: false, input: false },
      },
    },
    session: { expiresIn: LOGIN_SECONDS, updateAge: LOGIN_REFRESH_SECONDS },
    rateLimit: { enabled: false },
    // What is no refusal comes out as it is: the library would print it with everything a query was given.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: "camelot",
      useSecureCookies: options.baseUrl.startsWith("https:"),
      disableCSRFCheck: true,
      ipAddress: { ipAddressHeaders: ["x-client-ip"] },
      database: { generateId: () => randomUUID() },
    },
    databaseHooks: {
      user: { create: { after: async (user) => options.personCreated(user.id) } },
      session: {
        create: {
          // Read by the library's own adapter: a first login is made in the transaction that makes the person.
          before: async (login, call) => {
            const person: Record<string, unknown> | null | undefined = await call?.context.internalAdapter.findUserById(
              login.userId,
            );
            if (person?.active === true) return;
            throw new APIError("FORBIDDEN", {
              code: "FORBIDDEN",
              message: "This account has been deactivated. Ask an administrator.",
            });
          },
        },
        delete: { after: async (login) => options.loginEnded(login.id) },
      },
    },
  });
}
