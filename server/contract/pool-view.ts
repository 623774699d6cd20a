/**
 * From the pool's own shapes to those on the wire, once for the API and the live channel, so that they cannot differ (P13).
 * Pure: what a caller may see is decided by whoever calls.
 */
import type { LiveSession, PoolSnapshot, WaitingFor } from "../core/pool/picture";
import { iso } from "./common";
import type { PoolPicture, PoolSeat, PoolSession } from "./pool";
import type { WaitingForView } from "./sessions";

function waitingForView({ reason, sessions, until, detail }: WaitingFor): WaitingForView {
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
    waitingFor: session.waitingFor === null ? null : waitingForView(session.waitingFor),
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

export type PoolHead = Omit<PoolPicture, "limits" | "users" | "held" | "seats" | "sessions" | "truncated">;

/** The few figures that everybody signed in may see (L4). */
export function poolHead(snapshot: PoolSnapshot): PoolHead {
  const { epoch, version, at, paused, isReady, isDiskShort, global, perUserMax } = snapshot;
  return { epoch, version, at: iso(at), paused, isReady, isDiskShort, global: { ...global }, perUserMax };
}
