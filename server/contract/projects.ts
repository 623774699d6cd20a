/** Projects and their members on the wire. */
import { z } from "zod";
import { id, listOf, name, time } from "./common";

/** Longest path or URL of a repository in characters. */
const REPOSITORY_MAX = 4_096;
/** Longest setup script in characters. */
const SETUP_SCRIPT_MAX = 100_000;

const repository = z
  .string()
  .trim()
  .min(1, "A repository is needed: an absolute path, a clone URL, or “sample”.")
  .max(REPOSITORY_MAX)
  .refine(
    (text) => !["\u0000", "\n", "\r"].some((letter) => text.includes(letter)),
    "A repository's path has no line breaks and no NUL.",
  );

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
  createdAt: time,
});

export const projectWithNote = project.extend({
  /** What stands in the way of a dispatch here, as one sentence. */
  note: z.string().nullable(),
  /** Where the repository lies on the server: the folder itself, the sample, or the clone. */
  path: z.string(),
});

export const newProject = z.strictObject({
  name,
  repository,
  baseBranch: z.string().trim().min(1).max(250).optional(),
});
export const projectChange = z.object({
  name: name.optional(),
  /** The clone's new address, with its login, or the folder the repository moved to. */
  repository: repository.optional(),
  baseBranch: z.string().trim().min(1).max(250).optional(),
  longestRunSeconds: z.number().int().min(1).max(604_800).optional(),
  quietNoticeSeconds: z.number().int().min(10).max(86_400).optional(),
  setupScript: setupScript.optional(),
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
export type Member = z.infer<typeof member>;
