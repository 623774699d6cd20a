/** Tasks (cards) on the wire. `column` is computed from the newest session; nobody stores it (P13). */
import { z } from "zod";
import { COLUMNS, OUTCOME_KINDS } from "../core/words";
import { id, listOf, longText, time, title } from "./common";
import { issue, pullRequest } from "./pull-requests";
import { session } from "./sessions";

/** What became of the work; null on a task: nothing yet, or it was taken up again. */
const outcome = z.object({
  kind: z.enum(OUTCOME_KINDS),
  at: time,
  by: id,
  /** Of a merge: the commit on the base that brought the branch in. */
  commit: z.string().nullable(),
  /** Of a merge and a pull request: the base branch. */
  base: z.string().nullable(),
});

/** What can be pushed: the task's branch, or the base it was merged into. */
export const PUSHED_BRANCHES = ["branch", "base"] as const;

export const task = z.object({
  id,
  projectId: id,
  number: z.number().int(),
  title: z.string(),
  prompt: z.string(),
  agentId: id.nullable(),
  column: z.enum(COLUMNS),
  /** The newest session or null. */
  session: session.nullable(),
  sessionCount: z.number().int(),
  /** Order within Backlog, where people order: compared as bytes. Elsewhere times decide, the newest first. */
  orderKey: z.string(),
  branch: z.string().nullable(),
  createdBy: id.nullable(),
  createdAt: time,
  updatedAt: time,
  /** Since when the card is where a person put it. */
  shelfAt: time.nullable(),
  shelfBy: id.nullable(),
  outcome: outcome.nullable(),
  /** The one it was offered as; null: none. */
  pullRequest: pullRequest.nullable(),
  /** The one it came from; null: a person wrote it. */
  issue: issue.nullable(),
  /** When the task's branch, or the base it was merged into, was sent to the remote last. */
  pushedAt: time.nullable(),
  /** Which of the two that was; null: neither, or it was not noted then. */
  pushedBranch: z.string().nullable(),
  /** Where on the server the newest session left work that is on no branch (W2); null: nowhere. */
  unsavedIn: z.string().nullable(),
});

/** A card on the board: the prompt is cut to its beginning; the task page reads the whole. */
export const PROMPT_PREVIEW_CHARS = 300;

export const newTask = z.strictObject({ title, prompt: longText, agentId: id.nullish() });
export const taskChange = z.object({ title: title.optional(), prompt: longText.optional(), agentId: id.nullish() });
export const move = z.strictObject({
  column: z.enum(COLUMNS),
  /** The task it shall stand before; absent or null: at the end. */
  before: id.nullish(),
  /** Where the caller saw it; differs → 409. */
  from: z.enum(COLUMNS).optional(),
});

/** Longest name of a file in a diff, in characters: as long as a path can be on the systems that agents run on. */
const FILE_PATH_MAX = 4_096;
export const filePath = z.string().min(1).max(FILE_PATH_MAX);
export const diffFile = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  status: z.enum(["added", "modified", "deleted", "renamed", "mode-changed"]),
  isBinary: z.boolean(),
  additions: z.number().int(),
  deletions: z.number().int(),
  patch: z.string().nullable(),
  isCut: z.boolean(),
});
export const diff = z.object({ branch: z.string().nullable(), baseBranch: z.string(), files: z.array(diffFile) });
/**
 * `behind`: commits of the base that the branch lacks; null: there is no branch, or one of the two is gone. `passedOver`: what a
 * merge by hand would do and a merge here does not: hooks by name, and `commit.gpgSign`.
 */
export const mergeOutlook = z.object({ behind: z.number().int().nullable(), passedOver: z.array(z.string()) });

export const taskList = listOf(task);
export type Task = z.infer<typeof task>;
export type MergeOutlook = z.infer<typeof mergeOutlook>;
export type DiffFile = z.infer<typeof diffFile>;
