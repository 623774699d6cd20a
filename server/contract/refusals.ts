/** Refusal codes with their HTTP status. Each answer is `{code, message, …}`; the message is one sentence for people. */
export const REFUSALS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  BAD_ORIGIN: 403,
  BAD_HOST: 403,
  REGISTRATION_CLOSED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  REOPEN_FIRST: 409,
  CONFIRM: 409,
  MOVED: 409,
  KEY_REUSED: 409,
  LAST_ADMIN: 409,
  LAST_OWNER: 409,
  REPOSITORY_UNUSABLE: 409,
  AGENT_UNUSABLE: 409,
  MERGE_CONFLICT: 409,
  BASE_NOT_CLEAN: 409,
  NOTHING_TO_MERGE: 409,
  SESSION_LIVE: 409,
  WORK_UNSAVED: 409,
  PUSH_REFUSED: 409,
  PULL_REQUEST_REFUSED: 409,
  ISSUES_REFUSED: 409,
  TOO_LARGE: 413,
  TOO_MANY_REQUESTS: 429,
  /** A bug or a broken world: logged, never explained to the caller. */
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** The named refusals in the contract library's form, for the calls that may answer them. */
export function refusalErrors<Code extends RefusalCode>(...codes: readonly Code[]) {
  const errors = {} as Record<Code, { status: number }>;
  for (const code of codes) errors[code] = { status: REFUSALS[code] };
  return errors;
}
