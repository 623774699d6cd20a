/** Projects and their members on the wire. */
import { z } from "zod";
import { hold, id, listOf, name, time } from "./common";

/** Longest path or URL of a repository in characters. */
const REPOSITORY_MAX = 4_096;
/** Longest setup script in characters. */
const SETUP_SCRIPT_MAX = 100_000;

/** Longest name of a branch in characters. */
const BRANCH_MAX = 250;

/** git takes both as arguments, and a line is a line of its configuration. */
const isOneLine = (text: string) => !["\u0000", "\n", "\r"].some((letter) => text.includes(letter));

const repository = z
  .string()
  .trim()
  .min(1, "A repository is needed: an absolute path, a clone URL, or “sample”.")
  .max(REPOSITORY_MAX)
  .refine(isOneLine, "A repository's path has no line breaks and no NUL.");
const baseBranch = z
  .string()
  .trim()
  .min(1)
  .max(BRANCH_MAX)
  .refine(isOneLine, "A branch's name has no line breaks and no NUL.");

/** Run by bash in the worktree before each agent; empty or null: none. */
const setupScript = z
  .string()
  .max(SETUP_SCRIPT_MAX)
  .refine((text) => !text.includes("\u0000"), "A script cannot hold a NUL character.")
  .nullable();

export const project = z.object({
  id,
  name: z.string(),
  repository: z.string(),
  baseBranch: z.string(),
  /** The caller's role. */
  role: z.enum(["owner", "member"]),
  longestRunSeconds: z.number().int(),
  quietNoticeSeconds: z.number().int(),
  setupScript: z.string().nullable(),
  /** A token for GitHub is set. */
  hasGitHub: z.boolean(),
  /** A dispatch here steps aside because of the repository, and why (A8). */
  hold: hold.nullable(),
  createdAt: time,
});

/** Where the base here stands beside the remote's, as that was fetched or pushed last. */
const remote = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("remote"),
    /** What the remote is called, and the base there. */
    name: z.string(),
    base: z.string(),
    /** Commits on the base's own line that the remote does not have, newest first, 500 at most; null: not known. */
    unpushed: z.array(z.string()).nullable(),
    /** What the base of a clone lacks of the remote's, and what to do, for people; null: nothing. */
    apart: z.string().nullable(),
  }),
  /** There is no remote, or several and none chosen. */
  z.object({ kind: z.literal("nowhere"), why: z.string() }),
]);

export const projectWithNote = project.extend({
  /** What stands in the way of a dispatch here, or lets it start from an old base, in whole sentences. */
  note: z.string().nullable(),
  /** A merge that a crash cut off in somebody's tree and that could not be put right yet: whole sentences; null: none. */
  cutOff: z.string().nullable(),
  /** Null: it could not be found out, as the repository cannot be used. */
  remote: remote.nullable(),
  /** Where the repository lies on the server: the folder itself, the sample, or the clone. */
  path: z.string(),
});

export const newProject = z.strictObject({
  name,
  repository,
  baseBranch: baseBranch.optional(),
});
export const projectChange = z.object({
  name: name.optional(),
  /** The clone's new address, with its login, or the folder the repository moved to. */
  repository: repository.optional(),
  baseBranch: baseBranch.optional(),
  longestRunSeconds: z.number().int().min(1).max(604_800).optional(),
  quietNoticeSeconds: z.number().int().min(10).max(86_400).optional(),
  setupScript: setupScript.optional(),
});

/** How much room a project takes on the server's disk, below the data directory (R14). */
export const projectDiskUse = z.object({
  /** The last figures; null: there are none yet, or they could not be measured. */
  diskUse: z
    .object({
      worktrees: z.number().int(),
      worktreesBytes: z.number().int(),
      /** Of the clone or sample; null: the repository is a folder of somebody's own. */
      repositoryBytes: z.number().int().nullable(),
      measuredAt: time,
    })
    .nullable(),
  isMeasuring: z.boolean(),
});

export const memberRole = z.enum(["owner", "member"]);
export const member = z.object({
  userId: id,
  name: z.string(),
  email: z.string(),
  role: memberRole,
  addedAt: time,
});

export const projectList = listOf(project);
export const memberList = listOf(member);
export type Project = z.infer<typeof project>;
export type ProjectWithNote = z.infer<typeof projectWithNote>;
export type ProjectDiskUse = z.infer<typeof projectDiskUse>;
export type Member = z.infer<typeof member>;
