/**
 * A client of the API as one has to write it where servers die: it asks again until it has an answer, with the same body and
 * the same `Idempotency-Key`. It asks whichever of the servers is named next.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** A server that was frozen does not refuse, it just never answers. */
const ANSWER_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 250;
/** Nobody has to wait longer than this for a server that comes back. */
const PATIENCE_MS = 180_000;
const AWAY = 503;
const BROKEN_MOST = 100;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export interface Asking {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  /** Cookies, as a header's value. */
  signUp(name: string): Promise<string>;
  ask(cookie: string, method: string, path: string, asking?: Asking): Promise<Answer>;
  /** The body of an answer that has to be a success. */
  json<T>(cookie: string, method: string, path: string, body?: unknown): Promise<T>;
  readonly figures: { requests: number; again: number };
  /** Answers that say that something is broken inside: away is 503. */
  readonly broken: string[];
}

export function createClient(nextServer: () => string, signal: AbortSignal): Client {
  const figures = { requests: 0, again: 0 };
  const broken: string[] = [];

  async function once(cookie: string, method: string, path: string, { body, headers }: Asking): Promise<Answer> {
    const base = nextServer();
    figures.requests += 1;
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { "content-type": "application/json", origin: base, ...(cookie ? { cookie } : {}), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  async function ask(cookie: string, method: string, path: string, asking: Asking = {}): Promise<Answer> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await once(cookie, method, path, asking).catch((error: unknown) => {
        signal.throwIfAborted();
        return error;
      });
      if (isAnswer(answer) && answer.status >= 500 && answer.status !== AWAY && broken.length < BROKEN_MOST)
        broken.push(`[P1] ${method} ${path} was answered with ${said(answer)}`);
      if (isAnswer(answer) && answer.status < 500 && answer.status !== 429) return answer;
      if (performance.now() > deadline)
        throw new Error(`${method} ${path}: no answer in ${PATIENCE_MS / 1_000} s: ${said(answer)}`);
      figures.again += 1;
      await sleep(AGAIN_AFTER_MS, undefined, { signal });
    }
  }

  return {
    figures,
    broken,
    ask,
    async signUp(name) {
      const body = { name, email: `${name}@example.com`, password: "correct horse battery" };
      const answer = await ask("", "POST", "/api/auth/sign-up/email", { body });
      if (answer.status !== 200) throw new Error(`Signing up: ${said(answer)}`);
      return answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(";")[0])
        .join("; ");
    },
    async json<T>(cookie: string, method: string, path: string, body?: unknown): Promise<T> {
      const answer = await ask(cookie, method, path, { body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${said(answer)}`);
      return JSON.parse(answer.bytes.toString()) as T;
    },
  };
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && "status" in value && "bytes" in value;
}

export function said(answer: unknown): string {
  return isAnswer(answer) ? `${answer.status} ${answer.bytes.toString().slice(0, 300)}` : String(answer);
}
