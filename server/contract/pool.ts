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
  global: counts,
  /** For everybody who has no limit of their own. */
  perUserMax: z.number().int(),
  /** People who have a limit of their own, whatever they have in the pool. */
  limits: z.record(id, z.number().int()),
  /** People with something running or queued. Everybody else has nothing, and the limit that stands above. */
  users: z.record(id, counts),
  /** Keyed by the chair's number, from 0. */
  seats: z.record(z.string(), seat),
  sessions: z.record(id, poolSession),
  /** True when there are more than 2,000 sessions to show. */
  truncated: z.boolean(),
});

export const caps = z.object({ globalMax: cap, perUserMax: cap, paused: z.boolean() });
export const capsChange = caps.partial();
export const userCap = z.object({ max: cap.nullable() });

export type PoolPicture = z.infer<typeof pool>;
export type PoolSession = z.infer<typeof poolSession>;
export type PoolSeat = z.infer<typeof seat>;
