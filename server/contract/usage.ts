/** What sessions used, added up (A4): tokens and US dollars. What nobody told is counted as unknown, never as 0. */
import { z } from "zod";

/** Days in one answer at most. */
const DAYS_MAX = 92;

export const usageSum = z.object({
  /** Sessions that ended and told what they used. */
  sessions: z.number().int(),
  /** Without those read from the cache. */
  input: z.number(),
  cachedInput: z.number(),
  output: z.number(),
  /** Sessions that ran an agent which told nothing of tokens: what they used is in none of the three. */
  unknownTokens: z.number().int(),
  /** Of the sessions whose cost is known; null: of none. */
  costUsd: z.number().nullable(),
  /** Sessions that ran an agent and whose cost nobody told; those of Shell cost nothing. */
  unknownCost: z.number().int(),
  /** At least one of them used more than it told. */
  partial: z.boolean(),
});

/** `day`: a date of the installation's calendar; a session counts on the day it ended. */
const usageDay = usageSum.extend({ day: z.string() });

export const usageDays = z.object({
  /** Of all the days that follow. */
  total: usageSum,
  /** Oldest first, days without any included; the last one is today. */
  days: z.array(usageDay),
});

export const usageWish = z.object({
  /** How many days, today included; 14 if absent. */
  days: z.coerce.number().int().min(1).max(DAYS_MAX).optional(),
});

export type UsageSum = z.infer<typeof usageSum>;
export type UsageDays = z.infer<typeof usageDays>;
