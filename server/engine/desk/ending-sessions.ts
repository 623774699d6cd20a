/** Live sessions that end because something else is removed: said first, done after (S6, BRD-3). */
import type { UserId } from "../../core/words";
import type { StoredSession } from "../../ports/session-store";
import type { Pool } from "../pool";
import { type Refusal, refuse } from "./refusal";

/** Sessions named in one answer; the counts are always whole. */
const NAMED_MAX = 100;

/** Null: nothing lives, or they have said yes. `doing` begins the sentence: "Removing the project". */
export function confirmEnding(live: readonly StoredSession[], isConfirmed: boolean, doing: string): Refusal | null {
  if (live.length === 0 || isConfirmed) return null;
  const running = live.filter((session) => session.status === "running").length;
  const waiting = live.length - running;
  const parts = [
    running > 0 ? `stops ${count(running, "running")}` : "",
    waiting > 0 ? `withdraws ${count(waiting, "waiting")}` : "",
  ];
  const sessions = live.slice(0, NAMED_MAX).map(({ id, taskId, userId, status }) => ({ id, taskId, userId, status }));
  const message = `${doing} ${parts.filter(Boolean).join(" and ")}. Branches are kept.`;
  return refuse("CONFIRM", message, { running, waiting, sessions });
}

export async function cancelAll(pool: Pick<Pool, "cancel">, live: readonly StoredSession[], by: UserId): Promise<void> {
  await Promise.all(live.map((session) => pool.cancel(session.id, by)));
}

function count(sessions: number, state: string): string {
  return sessions === 1 ? `1 ${state} session` : `${sessions} ${state} sessions`;
}
