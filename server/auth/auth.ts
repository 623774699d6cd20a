/**
 * Who is it: the account calls under `/api/auth`, and `whoIs` for every other door (cookie or API token). Whoever calls
 * `handle` has checked host and origin already. Only the calls listed here exist; what the library offers beside is shut.
 */
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { z } from "zod";
import { AUTH_PREFIX, type RegistrationPolicy } from "../contract/accounts";
import { jsonBody, mistakeIn } from "../contract/mistakes";
import { REFUSALS, type RefusalCode } from "../contract/refusals";
import type { ApiTokens, Caller, Invitations, Passwords, Rights } from "../ports/access";
import type { Clock } from "../ports/clock";
import type { Feed } from "../ports/feed";
import { changePasswordForm, renameForm, signInForm, signUpForm } from "./forms";
import { createInvitations } from "./invitations";
import { type Library, makeLibrary } from "./library";
import { callerOfCookie, cookieAgain, loginIn } from "./login-cookie";
import { createPasswords } from "./passwords";
import { createRegistration } from "./registration";
import { createRights } from "./rights";
import { createThrottle } from "./throttle";
import { createTokenDesk, type TokenDesk } from "./tokens";

/** Ends every login of one's own but the one that asks. */
const REVOKE_OTHERS = "/revoke-other-sessions";

export interface AuthOptions {
  readonly db: PostgresJsDatabase;
  readonly secret: string;
  readonly baseUrl: string;
  readonly registration: RegistrationPolicy;
  readonly clock: Clock;
  /** For tests: failed logins are not slowed down. */
  readonly relaxedLimits: boolean;
  /** A login ended or a token was revoked: its sockets shall end (L1). */
  readonly loginEnded: (loginOrTokenId: string) => void;
  /** Somebody has signed up: lists of people and invitations are others now (L5). */
  readonly news: Feed["news"];
  readonly warn: (message: string) => void;
}

export interface Auth {
  /** Answers a request under `/api/auth`; `client` is the other end's network address. Throws when the database is away. */
  handle(request: Request, client: string): Promise<Response>;
  /**
   * Null: nobody we know. Throws when the database is away. A login in use is prolonged at most once a day, where its
   * cookie can be sent again: `send` gets the header's value then.
   */
  whoIs(headers: Headers, send?: (setCookie: string) => void): Promise<Caller | null>;
  /** Heals what a crash between a first sign-up and its appointment left; to be called once at start. */
  appointFirstAdmin(): Promise<void>;
  readonly tokens: ApiTokens;
  readonly invitations: Invitations;
  readonly passwords: Passwords;
  readonly rights: Rights;
}

export function createAuth(options: AuthOptions): Auth {
  const { db } = options;
  const invitations = createInvitations(db, options.registration);
  const registration = createRegistration(db, options.registration, invitations);
  const tokens = createTokenDesk(db, options.loginEnded);
  const library = makeLibrary({
    ...options,
    personCreated: () => registration.appointFirstAdmin(),
  });
  const throttle = createThrottle(options.clock.monotonic);
  // Where an empty house decides who may enter, one comes after the other.
  let lastSignUp: Promise<unknown> = Promise.resolve();

  async function signUp(request: Request, body: unknown): Promise<Response> {
    const form = signUpForm.safeParse(body);
    if (!form.success) return malformed(form.error, body);
    const { invitation, ...account } = form.data;
    const enter = async () => {
      const admission = await registration.admit(account.email, invitation);
      if (admission.kind === "refused") return refused("REGISTRATION_CLOSED", admission.sentence);
      const answer = await ask(library, request, account);
      await registration.settle(admission.claim, account.email, answer.ok);
      if (answer.ok) for (const topic of ["users", "invitations"] as const) options.news(topic, { kind: "everybody" });
      return answer;
    };
    if (options.registration === "open") return enter();
    const mine = lastSignUp.then(enter, enter);
    lastSignUp = mine.catch(() => {});
    return mine;
  }

  async function signIn(request: Request, body: unknown, client: string): Promise<Response> {
    const form = signInForm.safeParse(body);
    if (!form.success) return malformed(form.error, body);
    const answer = () => ask(library, request, form.data);
    return slowed(client, form.data.email, answer, (status) => status === REFUSALS.UNAUTHORIZED);
  }

  /** Guessing is slowed down: what `isWrong` calls a wrong password counts against the address and the client. */
  async function slowed(
    client: string,
    email: string,
    answered: () => Promise<Response>,
    isWrong: (status: number) => boolean,
  ): Promise<Response> {
    if (options.relaxedLimits) return answered();
    const attempt = throttle.begin(client, email);
    if (attempt.kind === "refused") {
      const sentence = `Too many failed attempts. Try again in ${attempt.retryAfterSeconds} seconds.`;
      return refused("TOO_MANY_REQUESTS", sentence, { "retry-after": String(attempt.retryAfterSeconds) });
    }
    let hasFailed = false;
    try {
      const answer = await answered();
      hasFailed = isWrong(answer.status);
      return answer;
    } finally {
      attempt.settle(hasFailed);
    }
  }

  async function changePassword(request: Request, body: unknown, client: string): Promise<Response> {
    const form = changePasswordForm.safeParse(body);
    if (!form.success) return malformed(form.error, body);
    const person = await whoIs(options, library, tokens, request.headers, undefined);
    if (person?.via.kind !== "cookie") return refused("UNAUTHORIZED", "Sign in first.");
    const change = () => ask(library, request, form.data);
    const changed = await slowed(client, person.email, change, (status) => status === REFUSALS.BAD_REQUEST);
    // Whoever knew the old one is out, and hears it at once.
    if (changed.ok)
      await ask(library, new Request(new URL(`${AUTH_PREFIX}${REVOKE_OTHERS}`, request.url), request), {});
    return changed;
  }

  async function rename(request: Request, body: unknown): Promise<Response> {
    const form = renameForm.safeParse(body);
    if (!form.success) return malformed(form.error, body);
    const answer = await ask(library, request, form.data);
    if (answer.ok) options.news("users", { kind: "everybody" });
    return answer;
  }

  const formCalls = new Map<string, (request: Request, body: unknown, client: string) => Promise<Response>>([
    ["POST /sign-up/email", signUp],
    ["POST /sign-in/email", signIn],
    ["POST /change-password", changePassword],
    ["POST /update-user", rename],
  ]);
  return {
    tokens,
    invitations,
    passwords: createPasswords(library),
    rights: createRights(db),
    appointFirstAdmin: registration.appointFirstAdmin,
    whoIs: (headers, send) => whoIs(options, library, tokens, headers, send),
    async handle(request, client) {
      const call = `${request.method} ${new URL(request.url).pathname.slice(AUTH_PREFIX.length)}`;
      if (call === "GET /get-session") return ask(library, withClient(request, client));
      const known = withClient(request, client);
      if (call === "POST /sign-out" || call === `POST ${REVOKE_OTHERS}`) return ask(library, known, {});
      const answer = formCalls.get(call);
      if (answer === undefined) return refused("NOT_FOUND", "There is no such call.");
      const body = jsonBody(new Uint8Array(await request.arrayBuffer()));
      return body.kind === "body" ? answer(known, body.value, client) : refused("BAD_REQUEST", body.sentence);
    },
  };
}

async function whoIs(
  options: AuthOptions,
  library: Library,
  tokens: TokenDesk,
  headers: Headers,
  send: ((setCookie: string) => void) | undefined,
) {
  const bearer = headers.get("authorization");
  if (bearer !== null) {
    const token = /^Bearer ([\w-]{1,200})$/i.exec(bearer)?.[1];
    return token === undefined ? null : tokens.callerOf(token);
  }
  const cookie = headers.get("cookie");
  if (cookie === null) return null;
  const { name, attributes } = (await library.$context).authCookies.sessionToken;
  const login = loginIn(cookie, name, options.secret);
  if (login === null) return null;
  const prolonged = send && (() => send(cookieAgain(name, login.value, attributes)));
  return callerOfCookie(options.db, login.token, options.warn, prolonged);
}

/** The library's answer, its refusals in our words. Throws when the database is away. */
async function ask(library: Library, request: Request, body?: unknown): Promise<Response> {
  const forwarded = new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await library.handler(forwarded);
  if (answer.status < 400) return withoutSecrets(answer);
  const said = (await answer.json().catch(() => null)) as { code?: string; message?: string } | null;
  const message = said?.message ?? "This did not work.";
  if (said?.code === "INVALID_EMAIL_OR_PASSWORD")
    return refused("UNAUTHORIZED", "The email address or the password is wrong.");
  if (said?.code === "INVALID_PASSWORD")
    return refused("BAD_REQUEST", "The current password is wrong.", {}, "currentPassword");
  switch (answer.status) {
    case 401:
      return refused("UNAUTHORIZED", "Sign in first.");
    case 403:
      return refused("FORBIDDEN", message);
    case 422:
      return refused("CONFLICT", "There is an account with this email address already.");
    default:
      if (answer.status >= 500) throw new Error(`the account library answered ${answer.status}: ${message}`);
      return refused("BAD_REQUEST", message);
  }
}

/** Who it is and for how long. The login's own token stays in the cookie, where no script can read it. */
async function withoutSecrets(answer: Response): Promise<Response> {
  const said = (await answer.json().catch(() => null)) as {
    user?: { id: string; name: string; email: string } | null;
    session?: { expiresAt: string } | null;
  } | null;
  const { user, session } = said ?? {};
  const headers = new Headers();
  for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
  const person = user ? { id: user.id, name: user.name, email: user.email } : null;
  const login = session ? { expiresAt: session.expiresAt } : undefined;
  return Response.json({ user: person, ...(login && { login }) }, { status: answer.status, headers });
}

function withClient(request: Request, client: string): Request {
  const headers = new Headers(request.headers);
  headers.set("x-client-ip", client);
  headers.set("content-type", "application/json");
  headers.delete("content-length");
  return new Request(request.url, { method: request.method, headers });
}

function malformed(error: z.ZodError, given: unknown): Response {
  const { sentence, field } = mistakeIn(error.issues, given);
  return refused("BAD_REQUEST", sentence, {}, field);
}

/** `field`: of the request, where the mistake is; empty: the whole. */
function refused(code: RefusalCode, message: string, headers: Record<string, string> = {}, field = ""): Response {
  return Response.json({ code, message, ...(field && { field }) }, { status: REFUSALS[code], headers });
}
