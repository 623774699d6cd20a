/**
 * Why an agent brought no result, in one plain sentence, and whether that holds for whoever comes next as well (A8). The
 * agent's own words come last and cut: they may be anything.
 */
import type { Millis } from "../words";
import type { AgentTrouble } from "./events";
import { knownProgram } from "./known-programs";

/** Longest quotation in characters. */
const WORDS_MAX = 300;

export interface NoResultFacts {
  /** The agent's name, as people gave it. */
  readonly name: string;
  /** The program it starts. */
  readonly program: string;
  readonly trouble: AgentTrouble;
  /** For a usage limit: until when, if that is known. */
  readonly until: Millis | null;
  /** In which times of day are told, an IANA name. */
  readonly timeZone: string;
}

export function noResultSentence({ name, program, trouble, until, timeZone }: NoResultFacts): string {
  // What is our sentence already says all, and nobody said it.
  const words = trouble.isOurs ? "" : quoted(trouble.message);
  const ownSentence = trouble.isOurs && trouble.message !== "" ? trouble.message : null;
  switch (trouble.error) {
    case "not-logged-in": {
      const login = knownProgram(program)?.login ?? "log in there";
      return `${name} is not logged in on the machine that runs agents: ${login}, or give it a key.${words}`;
    }
    case "usage-limit":
      if (until === null) return `The usage limit of ${name} is reached.${words}`;
      return `The usage limit of ${name} is reached until ${timeOfDay(until, timeZone)}.`;
    case "service":
      return `The model's service failed.${words}`;
    case "connection":
      return `The connection to the model was cut.${words}`;
    case "refused":
      return ownSentence ?? `The model's service refused the request.${words}`;
    case "own-limit":
      return ownSentence ?? `The agent stopped at a limit of its own.${words}`;
    case "wrong-setting":
      return ownSentence ?? `The agent does not take one of its settings.${words}`;
    case "conversation-lost":
      return "The agent's earlier conversation is not there any more. The next dispatch begins a new one.";
    case "other":
      return ownSentence ?? `The agent ended with an error.${words}`;
    default:
      return trouble.error satisfies never;
  }
}

/** True: whoever is started next would end the same way. */
export function holdsForOthers({ error }: AgentTrouble): boolean {
  return error === "not-logged-in" || error === "usage-limit" || error === "wrong-setting";
}

export function quoted(message: string): string {
  const words = Array.from(message.replace(/\s+/g, " ").trim());
  if (words.length === 0) return "";
  const text = words.length <= WORDS_MAX ? words.join("") : `${words.slice(0, WORDS_MAX - 1).join("")}…`;
  return ` It said: “${text}”`;
}

/** With the day when it is not within the next day, of which nobody here knows: so always. */
function timeOfDay(at: Millis, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    day: "numeric",
    month: "short",
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get("hour")}:${parts.get("minute")} (${parts.get("day")} ${parts.get("month")})`;
}
