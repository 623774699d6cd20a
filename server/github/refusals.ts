/** Why GitHub said no, as one plain sentence for people. What it says itself is told too, with the token masked. */
import { maskText } from "../core/text/masking";
import { reasonOf } from "../core/text/reason";
import type { GitHubPlace, GitHubRefused } from "../ports/github";
import { type Json, listIn, textOf } from "./answers";

/** Without a word of it how long a limit lasts. */
const LIMIT_UNKNOWN_MS = 60_000;
/** Longest that is believed of it. */
const LIMIT_MOST_MS = 3_600_000;
/** Most of GitHub's own words, in characters. */
const WORDS_MAX = 300;

/** What the client library throws; `response` is there when there was an answer. */
interface Thrown {
  readonly status: number;
  readonly response?: { readonly headers: Headers; readonly data: Json };
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/** Null: there was no answer. */
export function statusOf(error: unknown): number | null {
  return error instanceof Error && (error as Partial<Thrown>).response
    ? ((error as Partial<Thrown>).status ?? null)
    : null;
}

export function refusalOf(error: unknown, { repository, apiUrl, token }: GitHubPlace, now: number): GitHubRefused {
  const status = statusOf(error);
  const response = status === null ? undefined : (error as Thrown).response;
  if (status === null || response === undefined) return away(error, apiUrl);
  const words = wordsOf(response.data, token);
  const said = words === "" ? "" : ` It says: ${words}`;
  const until = limitUntil(status, response.headers, now);
  if (until !== null) return limitRefusal(until);
  switch (status) {
    case 401:
      return no(
        "bad-token",
        "GitHub refuses the project's token: it is wrong, expired or revoked. An owner sets another.",
      );
    case 403:
      return no("no-right", `The project's token has not the right for this in ${repository} on GitHub.${said}`);
    case 404:
      return no("not-found", `GitHub does not know ${repository}, or the project's token may not see it.`);
    case 410:
    case 422:
      return /no commits between/i.test(words)
        ? no("nothing-to-request", "There is nothing to request: the branch has no commits that the base has not.")
        : no("refused", `GitHub refuses this in ${repository}.${said}`);
    default:
      return status >= 500
        ? no("away", `GitHub has trouble at the moment (${status}). Nothing was lost; try again.`)
        : no("refused", `GitHub refuses this in ${repository} (${status}).${said}`);
  }
}

export function limitRefusal(until: number): GitHubRefused {
  const message = `GitHub asks no more of the project's token until ${new Date(until).toISOString().slice(11, 16)} UTC: its rate limit is used up.`;
  return { kind: "refused", reason: "rate-limited", message, until };
}

function away(error: unknown, apiUrl: string): GitHubRefused {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = isTimeOut(cause) || isTimeOut(error) ? "no answer in time" : reasonOf(innermost(cause));
  return no("away", `${new URL(apiUrl).host} cannot be reached (${why}). Nothing was lost; try again.`);
}

function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

function isTimeOut(error: unknown): boolean {
  return error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
}

function no(reason: GitHubRefused["reason"], message: string): GitHubRefused {
  return { kind: "refused", reason, message };
}

/** Null: it is no limit. The second kind of limit says how long to wait, the first until when. */
function limitUntil(status: number, headers: Headers, now: number): number | null {
  if (status !== 403 && status !== 429) return null;
  const wait = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(wait)) return now + Math.min(Math.max(wait, 1) * 1_000, LIMIT_MOST_MS);
  const reset = Number(headers["x-ratelimit-reset"] ?? Number.NaN) * 1_000;
  if (String(headers["x-ratelimit-remaining"]) === "0" && Number.isFinite(reset)) {
    return Math.min(Math.max(reset, now + 1_000), now + LIMIT_MOST_MS);
  }
  return status === 429 ? now + LIMIT_UNKNOWN_MS : null;
}

function wordsOf(data: Json, token: string): string {
  const details = listIn(data, "errors").map((one) => (typeof one === "string" ? one : textOf(one, "message")));
  const words = [textOf(data, "message"), ...details].filter(Boolean).join(" ").replace(/\s+/g, " ");
  return maskText(words, [token]).slice(0, WORDS_MAX);
}
