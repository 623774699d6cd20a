/**
 * One person's line, as far as one may see it: who runs first, then who waits in the order of their places, held ones last.
 * Pure. What is in the counts but not in the picture belongs to projects that are not yours: "elsewhere" (L4).
 */
import type { PoolPicture, PoolSession } from "@/server/contract/pool";

/** Rows of one line on the screen; the rest is counted. */
export const LINE_SHOWN_MAX = 60;

export interface LineEntry {
  readonly sessionId: string;
  readonly session: PoolSession;
}

export interface PersonLine {
  readonly running: readonly LineEntry[];
  readonly queued: readonly LineEntry[];
  readonly elsewhere: { readonly running: number; readonly queued: number };
}

export function lineOf(pool: PoolPicture, userId: string): PersonLine {
  const running: LineEntry[] = [];
  const queued: LineEntry[] = [];
  for (const [sessionId, session] of Object.entries(pool.sessions)) {
    if (session.userId !== userId) continue;
    (session.status === "running" ? running : queued).push({ sessionId, session });
  }
  running.sort((one, other) => compare(one.session.startedAt ?? "", other.session.startedAt ?? ""));
  queued.sort(
    (one, other) =>
      (one.session.position ?? Number.MAX_SAFE_INTEGER) - (other.session.position ?? Number.MAX_SAFE_INTEGER) ||
      compare(one.session.queuedAt, other.session.queuedAt),
  );
  const counts = pool.users[userId] ?? { running: 0, queued: 0 };
  return {
    running,
    queued,
    elsewhere: {
      running: Math.max(0, counts.running - running.length),
      queued: Math.max(0, counts.queued - queued.length),
    },
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
