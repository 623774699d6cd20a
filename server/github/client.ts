/**
 * GitHub over its REST API. Whatever it answered stays in memory with its mark (ETag), so that asking again costs nothing
 * while nothing changed; a used-up rate limit is remembered and nothing is asked until it is over. Nothing is retried here:
 * who opens a pull request looks for one first, so that the same press can be made again.
 */
import { createHash } from "node:crypto";
import { request } from "@octokit/request";
import {
  type GitHub,
  type GitHubPlace,
  type GitHubRefused,
  ISSUES_READ_MAX,
  type Issue,
  type Issues,
  type PullRequest,
  type PullRequestReview,
  type ReviewComment,
} from "../ports/github";
import {
  checkOf,
  issueOf,
  type Json,
  lineCommentOf,
  listIn,
  pullRequestOf,
  reviewCommentOf,
  statusCheckOf,
} from "./answers";
import { limitRefusal, refusalOf, statusOf } from "./refusals";

/** A person waits for it. */
const ANSWER_LIMIT_MS = 15_000;
/** Answers that are kept for their mark; the ones asked for longest ago go first. */
const KEPT_MAX = 2_000;
/** Of each list. */
const PAGE = 100;
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

export interface GitHubOptions {
  readonly now: () => number;
}

/** Read already: what GitHub sends is many times as long. */
interface Kept {
  readonly mark: string;
  readonly read: unknown;
}

export function createGitHub({ now }: GitHubOptions): GitHub {
  const kept = new Map<string, Kept>();
  /** By whose limit it is: until when nothing is asked. */
  const blocked = new Map<string, number>();

  async function send(
    place: GitHubPlace,
    route: string,
    values: Record<string, unknown>,
    mark: string | null = null,
  ): Promise<{ data: Json; mark: string | null } | "unchanged" | GitHubRefused> {
    const whose = limitOf(place);
    const until = blocked.get(whose) ?? 0;
    if (until > now()) return limitRefusal(until);
    blocked.delete(whose);
    const [owner = "", repo = ""] = place.repository.split("/");
    const headers = {
      authorization: `Bearer ${place.token}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      ...(mark === null ? {} : { "if-none-match": mark }),
    };
    try {
      const answer = await request(route, {
        ...values,
        owner,
        repo,
        headers,
        baseUrl: place.apiUrl,
        request: { signal: AbortSignal.timeout(ANSWER_LIMIT_MS), log: QUIET },
      });
      return { data: answer.data as Json, mark: answer.headers.etag ?? null };
    } catch (error) {
      if (mark !== null && statusOf(error) === 304) return "unchanged";
      const refused = refusalOf(error, place, now());
      if (refused.until !== undefined) blocked.set(whose, refused.until);
      return refused;
    }
  }

  async function get<Read>(
    place: GitHubPlace,
    route: string,
    values: Record<string, unknown>,
    readFrom: (json: Json) => Read,
  ): Promise<Read | GitHubRefused> {
    const key = `${limitOf(place)} ${place.repository} ${route} ${JSON.stringify(values)}`;
    const before = kept.get(key);
    const answer = await send(place, `GET ${route}`, values, before?.mark ?? null);
    if (answer === "unchanged") {
      if (before !== undefined) keep(key, before);
      return before?.read as Read;
    }
    if ("kind" in answer) return answer;
    const read = readFrom(answer.data);
    if (answer.mark !== null) keep(key, { mark: answer.mark, read });
    return read;
  }

  function keep(key: string, answer: Kept): void {
    kept.delete(key);
    kept.set(key, answer);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  }

  async function findOpen(place: GitHubPlace, head: string) {
    const [owner = ""] = place.repository.split("/");
    const values = { head: `${owner}:${head}`, state: "open", per_page: 1 };
    // Never from memory: what was opened a moment ago must be found.
    const found = await send(place, `GET ${PULLS}`, values);
    if (found === "unchanged") return null;
    if ("kind" in found) return found;
    const [first] = listIn(found.data);
    return first === undefined ? null : pullRequestOf(first);
  }

  return {
    findOpen,
    async open(place, { head, base, title, body, isDraft }): Promise<PullRequest | GitHubRefused> {
      const made = await send(place, `POST ${PULLS}`, { head, base, title, body, draft: isDraft });
      if (made !== "unchanged" && !("kind" in made)) return pullRequestOf(made.data);
      if (made === "unchanged" || made.reason !== "refused") return made as GitHubRefused;
      // Somebody else opened it in this moment.
      return (await findOpen(place, head)) ?? made;
    },
    read: (place, number) => get(place, `${PULLS}/{pull_number}`, { pull_number: number }, pullRequestOf),
    async review(place, { number, head }): Promise<PullRequestReview | GitHubRefused> {
      const ofHead = { ref: head, per_page: PAGE };
      const ofPull = { pull_number: number, per_page: PAGE };
      const newest = { ...ofPull, sort: "created", direction: "desc" };
      const [runs, statuses, onLines, reviews] = await Promise.all([
        get(place, `${COMMITS}/{ref}/check-runs`, ofHead, (json) => listIn(json, "check_runs").map(checkOf)),
        get(place, `${COMMITS}/{ref}/status`, ofHead, (json) => listIn(json, "statuses").map(statusCheckOf)),
        get(place, `${PULLS}/{pull_number}/comments`, newest, (json) => listIn(json).map(lineCommentOf)),
        get(place, `${PULLS}/{pull_number}/reviews`, ofPull, (json) => listIn(json).map(reviewCommentOf)),
      ]);
      const refused = [runs, statuses, onLines, reviews].find(isTrouble);
      if (refused !== undefined) return refused;
      return {
        checks: joined(readable(runs), readable(statuses)),
        comments: inOrder(readable(onLines), readable(reviews)),
      };
    },
    async issues(place, label): Promise<Issues | GitHubRefused> {
      const wanted = { labels: label, state: "open", sort: "created", direction: "desc", per_page: PAGE };
      const issues: Issue[] = [];
      for (let page = 1; page <= ISSUES_READ_MAX / PAGE; page++) {
        const read = await get(place, ISSUES, { ...wanted, page }, issuePageOf);
        if ("kind" in read) return read;
        issues.push(...read.issues);
        if (!read.isFull) return { kind: "issues", issues, isAll: true };
      }
      return { kind: "issues", issues, isAll: false };
    },
  };
}

const PULLS = "/repos/{owner}/{repo}/pulls";
const COMMITS = "/repos/{owner}/{repo}/commits";
const ISSUES = "/repos/{owner}/{repo}/issues";

function issuePageOf(json: Json): { readonly issues: readonly Issue[]; readonly isFull: boolean } {
  const all = listIn(json);
  return { issues: all.flatMap((one) => issueOf(one) ?? []), isFull: all.length >= PAGE };
}

/** A limit belongs to a token. Kept as a fingerprint. */
function limitOf({ apiUrl, token }: GitHubPlace): string {
  return createHash("sha256").update(`${apiUrl} ${token}`).digest("hex");
}

type Part<Item> = readonly Item[] | GitHubRefused;

/** What a token may not read is left out; everything else is a reason to look again later. */
function isTrouble(part: Part<unknown>): part is GitHubRefused {
  return "kind" in part && part.reason !== "no-right" && part.reason !== "not-found";
}

function readable<Item>(part: Part<Item>): readonly Item[] | null {
  return "kind" in part ? null : part;
}

function joined<Item>(one: readonly Item[] | null, other: readonly Item[] | null): Item[] | null {
  return one === null && other === null ? null : [...(one ?? []), ...(other ?? [])];
}

/** Oldest first. Reviews without words say nothing to an agent. */
function inOrder(onLines: readonly ReviewComment[] | null, reviews: readonly ReviewComment[] | null) {
  const all = joined(onLines, reviews);
  return all === null ? null : all.filter(({ text }) => text.trim() !== "").sort((one, other) => one.at - other.at);
}
