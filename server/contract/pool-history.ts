/** What the pool did over time, for charts (B9): numbers and times, nothing of people or projects (L4). */
import { z } from "zod";
import { time, wholeNumber } from "./common";

/** History is kept for so long. */
const HISTORY_HOURS_MAX = 168;

const HOURS = `A whole number of hours from 1 to ${HISTORY_HOURS_MAX} is needed.`;

export const poolHistoryWish = z.strictObject({
  /** How far back; 24 unless given. */
  hours: wholeNumber.refine((hours) => hours >= 1 && hours <= HISTORY_HOURS_MAX, HOURS).optional(),
});

/** Seconds up to which half, and 95 of 100, of those granted had waited; right to within a tenth. Null: nobody was granted. */
const wait = z.object({ p50: z.number(), p95: z.number() }).nullable();

const poolHistoryPoint = z.object({
  /** Begin of the step. */
  at: time,
  /** Seats taken, the cap, and sessions waiting: means over the step. */
  running: z.number(),
  max: z.number(),
  waiting: z.number(),
  wait,
  grants: z.number().int(),
  /** Sessions that gave their seat back, and those of them that failed. */
  ended: z.number().int(),
  failed: z.number().int(),
  commits: z.number().int(),
});

export const poolHistory = z.object({
  from: time,
  to: time,
  stepSeconds: z.number().int(),
  /** Over the whole time. */
  wait,
  /** At most 100, the oldest first; steps in which no server was the writer are left out. The minute under way is not in it. */
  points: z.array(poolHistoryPoint),
});

export type PoolHistory = z.infer<typeof poolHistory>;
export type PoolHistoryPoint = z.infer<typeof poolHistoryPoint>;
