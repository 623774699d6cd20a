/**
 * Everything that can go wrong in a call, as `{code, message, …}` with its status (spec 10). Refusals keep their sentence;
 * a database that cannot do it now is 503; what is left is a bug: logged whole, told without a word of it.
 */
import { ORPCError } from "@orpc/server";
import { type Issue, mistakeIn } from "../contract/mistakes";
import { REFUSALS, type RefusalCode } from "../contract/refusals";
import type { Refusal } from "../engine/desk/refusal";
import { PoolRefused, PoolUnavailable } from "../engine/pool";

const DATABASE_AWAY = "The database cannot be reached at the moment. Nothing was lost; try again.";

/** Codes of the driver and of PostgreSQL that mean: not now, and what to say of it. The first that fits. */
const NOT_NOW: readonly (readonly [RegExp, string])[] = [
  [/^53100/, "The database's disk is full, so this could not be saved. Make room there, then try again."],
  [/^(53|57014)/, "The database is overloaded at the moment. Nothing was lost; try again."],
  [/^(40001|40P01)/, "Somebody else changed it in the same moment. Nothing was lost; try again."],
  [/^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|08|57P0)/, DATABASE_AWAY],
];

const RETRY_AFTER_SECONDS = 1;

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
      ? malformed(issuesOf(error.data), (error.cause as { data?: unknown } | undefined)?.data)
      : new CallRefused(error.code, error.message, error.data);
  }
  if (error instanceof PoolUnavailable) {
    return new CallRefused("UNAVAILABLE", error.message, {}, error.retryAfterSeconds);
  }
  if (error instanceof PoolRefused) return new CallRefused("CONFLICT", "It was removed in this moment.");
  const notNow = whyNotNow(error);
  if (notNow !== null) return new CallRefused("UNAVAILABLE", notNow, {}, RETRY_AFTER_SECONDS);
  logBug(error);
  return new CallRefused("INTERNAL", "Something went wrong on the server. It was written to its log.");
}

export function malformed(issues: readonly Issue[], given: unknown): CallRefused {
  const { sentence, field } = mistakeIn(issues, given);
  const isTooLarge = issues.some((issue) => issue.params?.code === "TOO_LARGE");
  return new CallRefused(isTooLarge ? "TOO_LARGE" : "BAD_REQUEST", sentence, field === "" ? {} : { field });
}

function isOurCode(code: string): code is RefusalCode {
  return code in REFUSALS;
}

function issuesOf(data: unknown): readonly Issue[] {
  return (data as { issues?: readonly Issue[] } | undefined)?.issues ?? [];
}

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === "object" && answer !== null && (answer as { kind?: unknown }).kind === "refused";
}

/** The query library wraps what the driver says: looked for in the causes too. */
function whyNotNow(error: unknown): string | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code, severity } = cause as { code?: unknown; severity?: unknown };
    const known = typeof code === "string" ? NOT_NOW.find(([pattern]) => pattern.test(code)) : undefined;
    if (known !== undefined) return known[1];
    // FATAL: the database refuses the connection itself, not what was asked over it.
    if (severity === "FATAL") return DATABASE_AWAY;
  }
  return null;
}
