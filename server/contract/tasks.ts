/** Tasks (cards) on the wire. `column` is computed from the newest session; nobody stores it (P13). */
import { z } from "zod";
import { COLUMNS } from "../core/words";
import { id, listOf, longText, time, title } from "./common";
import { session } from "./sessions";

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

export const taskList = listOf(task);
export type Task = z.infer<typeof task>;
export type DiffFile = z.infer<typeof diffFile>;
/** Longest name of a file in a diff, in characters: as long as a path can be on the systems that agents run on. */
const FILE_PATH_MAX = 4_096;
export const filePath = z.string().min(1).max(FILE_PATH_MAX);
