/** The pool on the wire: the same picture for the API and, as deltas, for the live channel (P13, L2). */
import { z } from "zod";
import { SESSION_PHASES } from "../core/words";
import { cap, id, time } from "./common";
import { counts } from "./people";
import { startsIn, waitingFor } from "./sessions";

export const poolSession = z.object({
  taskId: id,
  projectId: id,
  userId: id,
  attempt: z.number().int(),
  status: z.enum(["queued", "running"]),
  phase: z.enum(SESSION_PHASES).nullable(),
  position: z.number().int().nullable(),
  ahead: z.number().int().nullable(),
  waitingFor: waitingFor.nullable(),
  startsIn: startsIn.nullable(),
  seat: z.number().int().nullable(),
  queuedAt: time,
  startedAt: time.nullable(),
});

/** A taken chair at the table; for everybody to see, without saying on what (L4). */
export const seat = z.object({ userId: id, isStarting: z.boolean() });

export const pool = z.object({
  epoch: z.number().int(),
  version: z.number().int(),
  at: time,
  paused: z.boolean(),
  isReady: z.boolean(),
  /** The machine is short of room: nothing starts until it has some again (R14). */
  isDiskShort: z.boolean(),
  global: counts,
  /** For everybody who has no limit of their own. */
  perUserMax: z.number().int(),
  /** People who have a limit of their own, whatever they have in the pool. */
  limits: z.record(id, z.number().int()),
  /** People with something running or queued. Everybody else has nothing, and the limit that stands above. */
  users: z.record(id, counts),
  /** Of people's queued sessions so many are held, whoever may see which (L4). Only people with any. */
  held: z.record(id, z.number().int()),
  /** Keyed by the chair's number, from 0. */
  seats: z.record(z.string(), seat),
  sessions: z.record(id, poolSession),
  /** True when there are more than 2,000 sessions to show. */
  truncated: z.boolean(),
});

export const caps = z.strictObject({ globalMax: cap, perUserMax: cap, paused: z.boolean() });
export const capsChange = caps.partial();
export const userCap = z.object({ max: cap.nullable() });

/** One person's line as the caller may see it: running first, then in the order of their places; the rest is "elsewhere" (L4). */
export const userLine = counts.extend({
  userId: id,
  sessions: z.array(poolSession.extend({ id })),
  elsewhere: z.object({ running: z.number().int(), queued: z.number().int() }),
});

/** How the pool is doing, in numbers and nothing else, counted since this server started (P22). */
export const poolHealth = z.object({
  epoch: z.number().int(),
  version: z.number().int(),
  isReady: z.boolean(),
  /** Whether this server is the pool's writer (P19). */
  isWriter: z.boolean(),
  mailbox: z.object({ depth: z.number().int(), oldestMs: z.number() }),
  commits: z.object({
    count: z.number().int(),
    lastSize: z.number().int(),
    largestSize: z.number().int(),
    lastMs: z.number(),
    /** Null before the first one. */
    meanMs: z.number().nullable(),
  }),
  grants: z.object({
    count: z.number().int(),
    lastMinute: z.number().int(),
    /** From dispatch to grant; null before the first grant. */
    meanWaitMs: z.number().nullable(),
  }),
  /** Free slots × seconds while somebody eligible waited. */
  idleSlotSeconds: z.number(),
  crashes: z.number().int(),
  rebuilds: z.number().int(),
  staleMessages: z.number().int(),
});

export type PoolHealth = z.infer<typeof poolHealth>;
export type UserLine = z.infer<typeof userLine>;
export type PoolPicture = z.infer<typeof pool>;
export type PoolSession = z.infer<typeof poolSession>;
export type PoolSeat = z.infer<typeof seat>;
