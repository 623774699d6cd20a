/**
 * What an agent's error means (A8): its HTTP status if there is one, else its own words. The words of services change, so
 * what is not recognised stays "other" and is shown as it was said.
 */
import type { Millis } from "../words";
import type { AgentErrorKind, AgentTrouble } from "./events";
import { momentOf } from "./figures";
import { fieldsOf, parseLine, textOf } from "./json";

const LOST =
  /no conversation found|session (?:id )?not found|invalid session identifier|no rollout found|thread not found|no previous sessions/i;
const WORDS: readonly (readonly [AgentErrorKind, RegExp])[] = [
  [
    "usage-limit",
    /usage limit|rate.?limit|quota|too many requests|resource.?exhausted|out of credits|insufficient (?:credit|quota|balance)|credit balance/i,
  ],
  [
    "not-logged-in",
    /not logged in|log ?in|authenticat|unauthori[sz]ed|invalid (?:api )?key|api key|oauth|token (?:has )?expired|credentials/i,
  ],
  ["own-limit", /max(?:imum)?[ _-](?:number of )?turns|budget/i],
  [
    "connection",
    /econn|enotfound|etimedout|eai_again|socket|stream (?:disconnected|closed|ended|error)|disconnected|connection|network|fetch failed|timed? ?out|terminated/i,
  ],
  ["service", /overloaded|internal server error|service unavailable|bad gateway|server_error|api_error/i],
];

/** The agent's own words where the service has said nothing, though it calls that a failure of the service (Gemini CLI). */
const UNREACHED = /fetch failed|econn|enotfound|eai_again|socket hang up/i;

/** A number between 400 and 599 that stands alone, as in "unexpected status 401 Unauthorized". */
const STATUS = /(?:^|[\s(:])([45]\d\d)(?![\w.-])/;

export function troubleOf(message: string, status: number | null): AgentTrouble {
  const known = status ?? statusIn(message);
  return { error: kindOf(message, known), status: known, message };
}

function kindOf(message: string, status: number | null): AgentErrorKind {
  if (LOST.test(message)) return "conversation-lost";
  if (status === 401 || status === 403) return "not-logged-in";
  if (status === 429 || status === 402) return "usage-limit";
  if (status !== null && status >= 500) return UNREACHED.test(message) ? "connection" : "service";
  const known = WORDS.find(([, words]) => words.test(message));
  if (known) return known[0];
  return status === null ? "other" : "refused";
}

function statusIn(message: string): number | null {
  const found = STATUS.exec(message)?.[1];
  return found === undefined ? null : Number(found);
}

/** Agents often pass on the service's answer as it came: JSON with the words somewhere in it. */
export function spokenMessage(message: string): string {
  const start = message.indexOf("{");
  if (start < 0) return message.trim();
  const { error, message: own } = fieldsOf(parseLine(message.slice(start).trim()));
  return textOf(fieldsOf(error).message) ?? textOf(own) ?? message.trim();
}

const EPOCH = /\|\s*(\d{10})(?:\d{3})?\b/;
const DURATION =
  /\bin (?:about )?((?:\d+\s*(?:d(?:ays?)?|h(?:ours?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)[ ,]*(?:and )?)+)/i;
const PART = /(\d+)\s*(d|h|m|s)/gi;
const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** Until when a limit holds, as far as the words say it: a point in time, or a duration from `at` on. */
export function limitUntil(message: string, at: Millis): Millis | null {
  const epoch = EPOCH.exec(message)?.[1];
  if (epoch !== undefined) return Number(epoch) * 1_000;
  const duration = DURATION.exec(message)?.[1];
  if (duration === undefined) return null;
  let ms = 0;
  for (const [, count = "0", unit = "s"] of duration.matchAll(PART))
    ms += Number(count) * (UNIT_MS[unit.toLowerCase()] ?? 0);
  return ms > 0 ? momentOf(at + ms) : null;
}
