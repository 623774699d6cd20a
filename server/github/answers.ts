/** What GitHub answered, read without trusting it: what is missing or of another kind is empty. Pure. */
import type { Check, Issue, PullRequest, ReviewComment } from "../ports/github";

export type Json = null | boolean | number | string | bigint | readonly Json[] | { readonly [name: string]: Json };

/** Longest comment, in characters. */
const TEXT_MAX = 10_000;
/** Longest line that is quoted, in characters. */
const QUOTE_MAX = 400;

export function pullRequestOf(json: Json): PullRequest {
  const isMerged = fieldOf(json, "merged") === true || textOf(json, "merged_at") !== "";
  const isClosed = textOf(json, "state") === "closed";
  return {
    kind: "pull-request",
    number: Number(fieldOf(json, "number")),
    url: linkOf(json, "html_url") ?? "",
    base: textOf(fieldOf(json, "base"), "ref"),
    state: isMerged ? "merged" : isClosed ? "closed" : "open",
    isDraft: fieldOf(json, "draft") === true,
    head: textOf(fieldOf(json, "head"), "sha"),
    mergeCommit: isMerged ? textOf(json, "merge_commit_sha") || null : null,
  };
}

/** A check of GitHub Actions and its like. */
export function checkOf(json: Json): Check {
  const isOver = textOf(json, "status") === "completed";
  const state = isOver ? (CONCLUSIONS[textOf(json, "conclusion")] ?? "failed") : "running";
  return { name: textOf(json, "name"), state, url: linkOf(json, "html_url") };
}

const CONCLUSIONS: Readonly<Record<string, Check["state"]>> = {
  success: "passed",
  neutral: "skipped",
  skipped: "skipped",
};

/** A status that another service set. */
export function statusCheckOf(json: Json): Check {
  const said = textOf(json, "state");
  const state = said === "success" ? "passed" : said === "pending" ? "running" : "failed";
  return { name: textOf(json, "context"), state, url: linkOf(json, "target_url") };
}

export function lineCommentOf(json: Json): ReviewComment {
  const line = fieldOf(json, "line");
  const lines = textOf(json, "diff_hunk").split("\n");
  return {
    ...commentOf(json, "line", "created_at"),
    path: textOf(json, "path") || null,
    line: typeof line === "number" ? line : null,
    quote: (lines.at(-1) ?? "").slice(1, QUOTE_MAX),
  };
}

export function reviewCommentOf(json: Json): ReviewComment {
  return { ...commentOf(json, "review", "submitted_at"), path: null, line: null, quote: "" };
}

function commentOf(json: Json, kind: string, at: string) {
  const time = Date.parse(textOf(json, at));
  return {
    id: `${kind}-${String(fieldOf(json, "id") ?? "")}`,
    author: textOf(fieldOf(json, "user"), "login") || "somebody",
    text: textOf(json, "body").replaceAll("\r\n", "\n").replaceAll("\u0000", "").slice(0, TEXT_MAX),
    url: linkOf(json, "html_url") ?? "",
    at: Number.isNaN(time) ? 0 : time,
  };
}

/** Null: a pull request, which GitHub lists among the issues, or nothing that could be told from others. */
export function issueOf(json: Json): Issue | null {
  const number = wholeIn(json, "number", NUMBER_MAX);
  if (number === null || fieldOf(json, "pull_request") !== null) return null;
  return {
    number,
    id: wholeIn(json, "id", Number.MAX_SAFE_INTEGER),
    title: textOf(json, "title"),
    body: textOf(json, "body"),
  };
}

/** What the database has room for. */
const NUMBER_MAX = 2 ** 31 - 1;

function wholeIn(json: Json, name: string, most: number): number | null {
  const value = fieldOf(json, name);
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= most ? Number(value) : null;
}

/** The list itself, or the one under a name. */
export function listIn(json: Json, name?: string): readonly Json[] {
  const list = name === undefined ? json : fieldOf(json, name);
  return Array.isArray(list) ? list : [];
}

function fieldOf(json: Json | undefined, name: string): Json {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
  return (json as { readonly [name: string]: Json })[name] ?? null;
}

export function textOf(json: Json | undefined, name: string): string {
  const text = fieldOf(json, name);
  return typeof text === "string" ? text : "";
}

/** Only what a browser may follow safely. */
function linkOf(json: Json, name: string): string | null {
  const text = textOf(json, name);
  return /^https?:\/\//.test(text) ? text : null;
}
