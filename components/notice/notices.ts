/**
 * What one wants to be told of one's own sessions (B14), from two pictures of the pool, one after the other. Pure. That a
 * session has gone from the picture may also mean that it was withdrawn; `notice-words.ts` finds out.
 */
import type { PoolPicture, PoolSession } from "@/server/contract/pool";

/** Whoever waited at least so long, in milliseconds, is told of the start. */
export const LONG_WAIT_MS = 2 * 60_000;

export interface Moment {
  readonly kind: "gone" | "asks" | "started";
  readonly sessionId: string;
  readonly taskId: string;
  readonly projectId: string;
}

export function momentsOf(before: PoolPicture, now: PoolPicture, meId: string): readonly Moment[] {
  const moments: Moment[] = [];
  for (const [sessionId, { taskId, projectId, ...held }] of Object.entries(before.sessions)) {
    if (held.userId !== meId) continue;
    const session = now.sessions[sessionId];
    const kind = session === undefined ? (now.truncated ? null : "gone") : kindOf(held, session);
    if (kind !== null) moments.push({ kind, sessionId, taskId, projectId });
  }
  return moments;
}

function kindOf(before: Pick<PoolSession, "phase" | "status">, now: PoolSession): "asks" | "started" | null {
  if (now.phase === "asking" && before.phase !== "asking") return "asks";
  return before.status === "queued" && now.status === "running" && waitedMs(now) >= LONG_WAIT_MS ? "started" : null;
}

export function waitedMs({ queuedAt, startedAt }: Pick<PoolSession, "queuedAt" | "startedAt">): number {
  return startedAt === null ? 0 : Date.parse(startedAt) - Date.parse(queuedAt);
}

/** What a person is told. */
export interface Notice {
  /** One for each thing that happens to a session. */
  readonly id: string;
  readonly projectId: string;
  readonly number: number;
  /** `#12 needs you` */
  readonly head: string;
  readonly text: string;
}

/** What is on the screen of the tab that is in front. */
export interface Place {
  /** The project whose board is there. */
  readonly boardOf: string | null;
  /** The path of its address. */
  readonly path: string;
}

export function pathOf({ projectId, number }: Pick<Notice, "projectId" | "number">): string {
  return `/projects/${projectId}/tasks/${number}`;
}

/** The board with its card, or its own page. */
export function isShownAt(notice: Notice, { boardOf, path }: Place): boolean {
  return boardOf === notice.projectId || path === pathOf(notice);
}

/** The window's title with how much has not been seen; 0 takes the figure away. */
export function titleWith(count: number, title: string): string {
  const bare = title.replace(/^\(\d+\) /, "");
  return count === 0 ? bare : `(${count}) ${bare}`;
}
