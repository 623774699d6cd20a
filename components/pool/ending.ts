/** What would end with something that is removed, before the server is asked, as the pool's picture knows it (S6). Pure. */
import type { PoolPicture } from "@/server/contract/pool";

/** A sentence with a space before it; empty: nothing lives, or it is not known. */
export function endsWithIt(pool: PoolPicture | undefined, projectId: string, userId?: string): string {
  const live = Object.values(pool?.sessions ?? {}).filter(
    (session) => session.projectId === projectId && (userId === undefined || session.userId === userId),
  );
  const running = live.filter(({ status }) => status === "running").length;
  return endingSentence(running, live.length - running);
}

export function endingSentence(running: number, waiting: number): string {
  const parts = [
    ...(running === 0 ? [] : [`${counted(running, "running")} stopped`]),
    ...(waiting === 0 ? [] : [`${counted(waiting, "waiting")} withdrawn`]),
  ];
  return parts.length === 0 ? "" : ` ${parts.join(", and ")}.`;
}

function counted(sessions: number, state: string): string {
  return sessions === 1 ? `1 ${state} session is` : `${sessions} ${state} sessions are`;
}
