/**
 * Why something failed, as one plain line for a log or a person: the innermost reason a query failed for, never the query or
 * what it was given. Pure.
 */

/** How the query library begins what it wraps around the driver's own error; query and parameters follow. */
const QUERY = "Failed query:";

export function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.message.startsWith(QUERY) && reason.cause instanceof Error) {
    reason = reason.cause;
  }
  if (!(reason instanceof Error)) return withoutQuery(wordsOf(reason));
  const code = "code" in reason && typeof reason.code === "string" ? reason.code : reason.name;
  return withoutQuery(reason.message.split("\n", 1)[0]?.trim() ?? "") || code;
}

/** Of what was thrown without being an error; never all that is in it, which may be secret. */
function wordsOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  if ("message" in thrown && typeof thrown.message === "string") return thrown.message;
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : "something without words was thrown";
}

/** A text that repeats somebody's message: what a query said and was given is cut off. */
export function withoutQuery(text: string): string {
  const at = text.indexOf(QUERY);
  return at < 0 ? text : `${text.slice(0, at)}a query failed`;
}
