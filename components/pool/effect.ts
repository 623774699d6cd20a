/** What a change of caps would do at once, read from the pool's picture; shown before it is saved. Pure. */
import type { PoolPicture } from "@/server/contract/pool";

export interface CapsWish {
  readonly globalMax: number;
  readonly perUserMax: number;
  readonly paused: boolean;
}

/** Sentences under "If you save this". People with a limit of their own keep it. */
export function effectOf(pool: PoolPicture, now: CapsWish, wish: CapsWish): readonly string[] {
  const { running, queued } = pool.global;
  const said: string[] = [];
  if (wish.paused) said.push("Nothing starts until the pool is resumed.");
  else if (now.paused) said.push("Waiting sessions start again as seats are free.");
  const starts = wish.paused ? 0 : startsWith(pool, wish);
  if (starts > 0)
    said.push(`${starts === 1 ? "1 waiting session starts" : `${starts} waiting sessions start`} at once.`);
  if (starts > 0) said.push(`Running ${running} → ${running + starts} of ${wish.globalMax}.`);
  if (running > wish.globalMax)
    said.push(`${running} are running: nothing starts until it is below ${wish.globalMax}.`);
  if (starts === 0 && queued > 0 && !wish.paused) said.push(`${queued} keep waiting.`);
  said.push("Nobody is stopped.");
  return said;
}

function startsWith(pool: PoolPicture, wish: CapsWish): number {
  let room = 0;
  for (const [userId, { running, queued }] of Object.entries(pool.users)) {
    const limit = pool.limits[userId] ?? wish.perUserMax;
    room += Math.max(0, Math.min(queued, limit - running));
  }
  return Math.max(0, Math.min(room, wish.globalMax - pool.global.running));
}
