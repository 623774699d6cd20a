/** What ended sessions used, added up from their rows (A4). Removed tasks and projects count: they were paid for. */
import type { Millis, ProjectId, TaskId, UserId } from "../core/words";

export interface UsageSum {
  /** Sessions that told what they used. */
  readonly sessions: number;
  /** Tokens; `input` is without those read from the cache. */
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  /** Sessions that ran an agent (Shell is none) and of whose tokens nobody told. */
  readonly unknownTokens: number;
  /** US dollars, of the sessions whose cost is known; null: of none. */
  readonly costUsd: number | null;
  /** Sessions that ran an agent (Shell is none) and whose cost nobody told. */
  readonly unknownCost: number;
  /** At least one used more than it told. */
  readonly partial: boolean;
}

/** `day`: `2026-11-30`, in the installation's time zone. */
export interface UsageOfDay extends UsageSum {
  readonly day: string;
}

export type UsageSubject =
  | { readonly kind: "project"; readonly projectId: ProjectId }
  /** As `viewer` may see it: their own all, of others those in projects `viewer` is a member of (L4). */
  | { readonly kind: "user"; readonly userId: UserId; readonly viewer: UserId };

export interface UsageStore {
  ofTask(id: TaskId): Promise<UsageSum>;
  /** Oldest day first, today last, days without any included. A session counts on the day its agent ended. */
  perDay(subject: UsageSubject, days: number, now: Millis, timeZone: string): Promise<UsageOfDay[]>;
}
