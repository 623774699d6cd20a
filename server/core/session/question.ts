/**
 * What an agent asks of people (R12). Written by the host into the run folder, kept in the session's row, answered by whoever
 * may dispatch. Read with care: the file may be of another release, the row of an older one.
 */
import type { Millis } from "../words";

export interface Question {
  /** Of this question within its run; the answer names it, so that no answer is taken for another question's. */
  readonly id: string;
  readonly text: string;
  /** What may be answered; none: any text. */
  readonly options: readonly string[];
  readonly askedAt: Millis;
}

const ID = /^[A-Za-z0-9_-]{1,100}$/;

export function questionFrom(value: unknown): Question | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, text, options, askedAt } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || !ID.test(id) || typeof text !== "string" || typeof askedAt !== "number") return null;
  if (!Array.isArray(options) || !options.every((option): option is string => typeof option === "string")) return null;
  return { id, text, options, askedAt };
}
