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
  const said = [...changesOf(now, wish)];
  if (wish.paused) said.push("Nothing starts until the pool is resumed.");
  else if (now.paused) said.push("Waiting sessions start again as seats are free.");
  const starts = wish.paused ? 0 : startsWith(pool, wish);
  if (starts > 0)
    said.push(`${starts === 1 ? "1 waiting session starts" : `${starts} waiting sessions start`} at once.`);
  if (starts > 0) said.push(`Running ${running} → ${running + starts} of ${wish.globalMax}.`);
  if (running > wish.globalMax)
    said.push(`${running} are running: nothing starts until it is below ${wish.globalMax}.`);
  const above = wish.perUserMax < now.perUserMax ? peopleAbove(pool, wish.perUserMax) : 0;
  if (above > 0)
    said.push(
      `${above === 1 ? "1 person runs" : `${above} people run`} more: nothing of theirs starts until they are below.`,
    );
  if (starts === 0 && queued > 0 && !wish.paused) said.push(`${queued === 1 ? "1 keeps" : `${queued} keep`} waiting.`);
  said.push("Nobody is stopped.");
  return said;
}

function changesOf(now: CapsWish, wish: CapsWish): string[] {
  const said: string[] = [];
  if (wish.globalMax !== now.globalMax) said.push(`Seats ${now.globalMax} → ${wish.globalMax}.`);
  if (wish.perUserMax !== now.perUserMax) said.push(`Seats per person ${now.perUserMax} → ${wish.perUserMax}.`);
  return said;
}

/** People without a limit of their own who run more than the general one. */
function peopleAbove(pool: PoolPicture, perUserMax: number): number {
  const users = Object.entries(pool.users);
  return users.filter(([userId, { running }]) => pool.limits[userId] === undefined && running > perUserMax).length;
}

function startsWith(pool: PoolPicture, wish: CapsWish): number {
  let room = 0;
  for (const [userId, { running, queued }] of Object.entries(pool.users)) {
    const limit = pool.limits[userId] ?? wish.perUserMax;
    room += Math.max(0, Math.min(queued, limit - running));
  }
  return Math.max(0, Math.min(room, wish.globalMax - pool.global.running));
}
