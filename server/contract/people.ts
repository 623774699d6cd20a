/** People on the wire. Counts come from the pool's snapshot, so they agree with the board (P13). */
import { z } from "zod";
import { id, listOf, time } from "./common";
import { usage } from "./sessions";

export const counts = z.object({ running: z.number().int(), queued: z.number().int(), max: z.number().int() });

export const person = counts.extend({
  id,
  name: z.string(),
  /** Null for people whose address the caller may not see. */
  email: z.string().nullable(),
  role: z.enum(["admin", "member"]),
  active: z.boolean(),
});

export const me = counts.extend({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(["admin", "member"]),
});

/** One ended session in a person's history; foreign projects' sessions are left out (L4). */
const historyEntry = z.object({
  sessionId: id,
  taskId: id,
  projectId: id,
  number: z.number().int(),
  title: z.string(),
  /** The agent's name; null where it is not kept any more. */
  agent: z.string().nullable(),
  /** Lines; null where nothing could be counted. */
  additions: z.number().int().nullable(),
  deletions: z.number().int().nullable(),
  usage: usage.nullable(),
  status: z.enum(["succeeded", "failed", "cancelled"]),
  queuedAt: time,
  startedAt: time.nullable(),
  finishedAt: time,
});

export const profile = person.extend({
  /** Seconds from dispatch to grant over the last 30 days; null without history. */
  wait: z.object({ p50: z.number(), p95: z.number(), sessions: z.number().int() }).nullable(),
  /** The same per day of the last 14 days, oldest first, by the day of the grant; null where nothing was granted. */
  waitDays: z.array(z.object({ day: z.string(), p50: z.number().nullable(), p95: z.number().nullable() })),
  /** Agent time per day of the last 14 days, oldest first; seconds. */
  agentSeconds: z.array(z.object({ day: z.string(), seconds: z.number() })),
  /** The newest first, as far as one may see their projects. */
  history: z.array(historyEntry),
  /** Goes into `?after=` of `/users/{id}/history`; null: these are all. */
  historyNext: z.string().nullable(),
});

export const pastList = listOf(historyEntry);

/** Roles and deactivation, by administrators; there is always at least one active administrator (S2). */
export const personChange = z.strictObject({
  role: z.enum(["admin", "member"]).optional(),
  active: z.boolean().optional(),
});

/** `password`: shown now and never again (S1). */
export const newPassword = z.object({ password: z.string() });

export const personList = listOf(person);
export type Me = z.infer<typeof me>;
export type Person = z.infer<typeof person>;
export type Profile = z.infer<typeof profile>;
