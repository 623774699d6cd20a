/**
 * Everything that can go wrong in a call, as `{code, message, …}` with its status (spec 10). Refusals keep their sentence;
 * a database that is away is 503; what is left is a bug: logged whole, told without a word of it.
 */
import { ORPCError } from "@orpc/server";
import { REFUSALS, type RefusalCode } from "../contract/refusals";
import { PoolRefused, PoolUnavailable } from "../engine/pool";
import type { Refusal } from "../engine/refusal";

/** Codes of the driver and of PostgreSQL that mean: away, starting, shutting down, overloaded. Try again. */
const AWAY = /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|08|57P0|57014|53|40001|40P01)/;

const RETRY_AFTER_SECONDS = 1;
const DATABASE_AWAY = "The database cannot be reached at the moment. Nothing was lost; try again.";

export class CallRefused extends ORPCError<RefusalCode, Readonly<Record<string, unknown>>> {
  readonly retryAfterSeconds: number | null;

  constructor(
    code: RefusalCode,
    message: string,
    details: Refusal["details"] = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(code, { status: REFUSALS[code], message, data: details });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Passes an answer on, or refuses with the desk's sentence. */
export function answerOf<Answer>(answer: Answer | Refusal): Exclude<Answer, Refusal> {
  if (isRefusal(answer)) throw new CallRefused(answer.code, answer.message, answer.details);
  return answer as Exclude<Answer, Refusal>;
}

export function toCallRefused(error: unknown, logBug: (error: unknown) => void): CallRefused {
  if (error instanceof CallRefused) return error;
  if (error instanceof ORPCError && isOurCode(error.code)) {
    // The library hands on its own copy of what was thrown, and checks inputs itself.
    return issuesOf(error.data).length > 0
      ? malformed(error.data)
      : new CallRefused(error.code, error.message, error.data);
  }
  if (error instanceof PoolUnavailable) {
    return new CallRefused("UNAVAILABLE", error.message, {}, error.retryAfterSeconds);
  }
  if (error instanceof PoolRefused) return new CallRefused("CONFLICT", "It was removed in this moment.");
  if (isAway(error)) return new CallRefused("UNAVAILABLE", DATABASE_AWAY, {}, RETRY_AFTER_SECONDS);
  logBug(withoutParameters(error));
  return new CallRefused("INTERNAL", "Something went wrong on the server. It was written to its log.");
}

/** Our own sentence where the schema has one, else the field and what is wrong with it. */
function malformed(data: unknown): CallRefused {
  const issues = issuesOf(data);
  const [first] = issues;
  const isTooLarge = issues.some((issue) => issue.params?.code === "TOO_LARGE");
  const path = (first?.path ?? []).filter((key) => !PARTS.has(String(key))).join(".");
  const said = first?.message ?? "The request cannot be read.";
  const message = said.endsWith(".") || path === "" ? said : `${path}: ${said}.`;
  return new CallRefused(isTooLarge ? "TOO_LARGE" : "BAD_REQUEST", message, path === "" ? {} : { field: path });
}

function isOurCode(code: string): code is RefusalCode {
  return code in REFUSALS;
}

/** Where a detailed input keeps its parts: nothing a caller wrote. */
const PARTS: ReadonlySet<string> = new Set(["params", "query", "headers", "body"]);

interface Issue {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
  readonly params?: { readonly code?: string };
}

function issuesOf(data: unknown): readonly Issue[] {
  return (data as { issues?: readonly Issue[] } | undefined)?.issues ?? [];
}

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === "object" && answer !== null && (answer as { kind?: unknown }).kind === "refused";
}

/** The query library wraps what the driver says: looked for in the causes too. */
function isAway(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code, severity } = cause as { code?: unknown; severity?: unknown };
    // FATAL: the database refuses the connection itself, not what was asked over it.
    if (severity === "FATAL" || (typeof code === "string" && AWAY.test(code))) return true;
  }
  return false;
}

/** A failed query names its parameters, prompts and all: only what the driver said goes to the log. */
function withoutParameters(error: unknown): unknown {
  return error instanceof Error && "params" in error && error.cause !== undefined ? error.cause : error;
}
