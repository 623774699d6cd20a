/**
 * From the pool's own shapes to those on the wire, once for the API and the live channel, so that they cannot differ (P13).
 * Pure: what a caller may see is decided by whoever calls.
 */
import type { LiveSession, PoolSnapshot } from "../core/pool/picture";
import type { PoolPicture, PoolSeat, PoolSession } from "./pool";
import type { WaitingForView } from "./sessions";

const iso = (millis: number) => new Date(millis).toISOString();

function waitingForView(session: LiveSession): WaitingForView | null {
  if (session.waitingFor === null) return null;
  const { reason, sessions, until, detail } = session.waitingFor;
  return {
    reason,
    ...(sessions === undefined ? {} : { sessions: [...sessions] }),
    ...(until === undefined ? {} : { until: iso(until) }),
    ...(detail === undefined ? {} : { detail }),
  };
}

export function poolSessionView(session: LiveSession): PoolSession {
  return {
    taskId: session.taskId,
    projectId: session.projectId,
    userId: session.userId,
    attempt: session.attempt,
    status: session.status,
    phase: session.phase,
    position: session.position,
    ahead: session.ahead,
    waitingFor: waitingForView(session),
    startsIn: session.startsIn === null ? null : { ...session.startsIn },
    seat: session.seat,
    queuedAt: iso(session.queuedAt),
    startedAt: session.startedAt === null ? null : iso(session.startedAt),
  };
}

/** Null: it sits nowhere. */
export function seatView(session: LiveSession): PoolSeat | null {
  return session.seat === null ? null : { userId: session.userId, isStarting: session.phase === "starting" };
}

/** What everybody signed in may see (L4), without seats and sessions. */
export function poolHead(snapshot: PoolSnapshot): Omit<PoolPicture, "users" | "seats" | "sessions" | "truncated"> {
  const { epoch, version, at, paused, isReady, global } = snapshot;
  return { epoch, version, at: iso(at), paused, isReady, global: { ...global } };
}
