/** Everybody's sessions as one line: who runs by seat, then who waits in the order in which the pool would grant. Pure. */
import type { PoolPicture, PoolSession } from "@/server/contract/pool";
import type { LineEntry, PersonLine } from "../profile/line-order";

export function everybodysLine({ sessions, global }: PoolPicture): PersonLine {
  const entries = Object.entries(sessions).map(([sessionId, session]) => ({ sessionId, session }));
  const running = entries.filter(({ session }) => session.status === "running");
  const queued = entries.filter(({ session }) => session.status === "queued");
  running.sort((one, other) => (one.session.seat ?? 0) - (other.session.seat ?? 0));
  queued.sort(byGrant);
  const elsewhere = {
    running: Math.max(0, global.running - running.length),
    queued: Math.max(0, global.queued - queued.length),
  };
  return { running, queued, elsewhere };
}

/** Who only lacks a free seat first, then by place in the own line, then who waits longest; held ones last. */
function byGrant({ session: one }: LineEntry, { session: other }: LineEntry): number {
  return (
    Number(one.position === null) - Number(other.position === null) ||
    rank(one.ahead) - rank(other.ahead) ||
    rank(one.position) - rank(other.position) ||
    Date.parse(one.queuedAt) - Date.parse(other.queuedAt)
  );
}

function rank(place: PoolSession["ahead"]): number {
  return place ?? Number.MAX_SAFE_INTEGER;
}
