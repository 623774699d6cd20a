/** Pull requests and issues on the wire, and how a project is tied to GitHub. A token goes in and never comes out. */
import { z } from "zod";
import { LABEL_MAX_CHARS } from "../core/text/github-address";
import { id, time } from "./common";

/** Shortest and longest token in characters; a shorter one could not be masked (A3). */
const TOKEN_MIN = 8;
const TOKEN_MAX = 1_000;
const API_URL_MAX = 500;

const PULL_REQUEST_STATES = ["open", "merged", "closed"] as const;

/** As a card shows it. */
export const pullRequest = z.object({
  number: z.number().int(),
  /** For people, on GitHub. */
  url: z.string(),
  state: z.enum(PULL_REQUEST_STATES),
  isDraft: z.boolean(),
  /** When its state, its checks or its comments became others. */
  changedAt: time,
});

const check = z.object({
  name: z.string(),
  state: z.enum(["passed", "failed", "running", "skipped"]),
  url: z.string().nullable(),
});

const reviewComment = z.object({
  id: z.string(),
  author: z.string(),
  text: z.string(),
  url: z.string(),
  at: time,
  /** Of a comment on a line: the file, and the line in it; a line is null where the file has changed since. */
  path: z.string().nullable(),
  line: z.number().int().nullable(),
  /** The line as it was when the comment was written; empty: none. */
  quote: z.string(),
});

/** With what others say of it. */
export const pullRequestDetails = pullRequest.extend({
  repository: z.string(),
  base: z.string(),
  openedBy: id,
  openedAt: time,
  /** Null: not read yet, or the token may not read them. */
  checks: z.array(check).nullable(),
  comments: z.array(reviewComment).nullable(),
  readAt: time.nullable(),
  /** Why the last look failed, one sentence; null: it did not. */
  problem: z.string().nullable(),
});
/** Null: the task was not offered as one. */
export const pullRequestOfTask = z.object({ pullRequest: pullRequestDetails.nullable() });

const token = z
  .string()
  .trim()
  .min(TOKEN_MIN, "A token has 8 characters or more.")
  .max(TOKEN_MAX)
  .regex(/^[\x21-\x7e]*$/, "A token holds no blanks and no letters beyond ASCII.");

export const projectGitHub = z.object({
  isSet: z.boolean(),
  /** The token cannot be read any more, because the installation's own secret was lost: enter it again. */
  isLost: z.boolean(),
  /** Null: GitHub's own, https://api.github.com. */
  apiUrl: z.string().nullable(),
  /** `owner/name` that the project's remote is; null: it is not on that GitHub. */
  repository: z.string().nullable(),
  changedAt: time.nullable(),
  /** Open issues with it come in as tasks; null: none do. */
  issueLabel: z.string().nullable(),
  /** When issues were looked for last; null: not since token, address and label are what they are. */
  issuesReadAt: time.nullable(),
  /** Why the last look failed or left some out, one sentence; null: it did not. */
  issuesProblem: z.string().nullable(),
});

const issueLabel = z
  .string()
  .trim()
  .max(LABEL_MAX_CHARS, `A label has ${LABEL_MAX_CHARS} characters at most.`)
  .regex(/^[^,\p{Cc}]*$/u, "GitHub can be asked for a label without commas and line breaks only.");

/** Without a token the former one stays, for the address it was given for only; so do address and label. Empty or null: none. */
export const projectGitHubChange = z.object({
  token: token.optional(),
  apiUrl: z.string().trim().max(API_URL_MAX).nullish(),
  issueLabel: issueLabel.nullish(),
});

/** The issue on GitHub that a task came from. */
export const issue = z.object({
  /** `owner/name`. */
  repository: z.string(),
  number: z.number().int(),
  /** For people, on GitHub. */
  url: z.string(),
});

export const issuesBroughtIn = z.object({
  /** Tasks that were made. */
  count: z.number().int(),
  /** False: GitHub has more with the label than are read at once. */
  isAll: z.boolean(),
});

export type PullRequestDetails = z.infer<typeof pullRequestDetails>;
export type ReviewCommentView = z.infer<typeof reviewComment>;
export type BroughtInView = z.infer<typeof issuesBroughtIn>;
export type ProjectGitHubView = z.infer<typeof projectGitHub>;
