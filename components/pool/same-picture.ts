/** Whether two pictures of the pool say the same of every session, whatever their moment and version. Pure. */
import type { PoolPicture, PoolSession } from "@/server/contract/pool";

/** How many sessions are in one picture only, or stand elsewhere in the other. */
export function differing(one: PoolPicture, other: PoolPicture): number {
  const ids = new Set([...Object.keys(one.sessions), ...Object.keys(other.sessions)]);
  return [...ids].filter((id) => standing(one.sessions[id]) !== standing(other.sessions[id])).length;
}

function standing(session: PoolSession | undefined): string {
  if (session === undefined) return "";
  const { status, attempt, position, seat } = session;
  return [status, attempt, position, seat].join(" ");
}
