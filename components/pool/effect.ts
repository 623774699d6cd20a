/** What a change of caps would do at once, read from the pool's picture; shown before it is saved. Pure. */
import type { PoolPicture } from "@/server/contract/pool";

export interface CapsWish {
  readonly globalMax: number;
  readonly perUserMax: number;
  /** People with a limit of their own. */
  readonly limits: Readonly<Record<string, number>>;
}

export interface CapsEffect {
  /** How many waiting sessions start at once. */
  readonly starts: number;
  /** Which ones, as far as one may see them; empty where it depends on whose turn it is. */
  readonly starting: readonly string[];
  readonly running: number;
  readonly queued: number;
  /** While more run than there are seats, nothing starts. */
  readonly isAboveGlobal: boolean;
  /** People who run more than they may after it: nothing of theirs starts until they are below. */
  readonly peopleAbove: number;
}

/** Nobody is stopped by any of it (P4). A pool that is paused, is starting or is short of disk starts nothing. */
export function effectOf(pool: PoolPicture, wish: CapsWish): CapsEffect {
  const { running, queued } = pool.global;
  const limitOf = (userId: string) => wish.limits[userId] ?? wish.perUserMax;
  const isStill = pool.paused || !pool.isReady || pool.isDiskShort;
  const rooms = isStill ? {} : roomsIn(pool, limitOf);
  const wanted = Object.values(rooms).reduce((sum, room) => sum + room, 0);
  const starts = Math.max(0, Math.min(wanted, wish.globalMax - running));
  return {
    starts,
    starting: starts === wanted ? firstOf(pool, rooms) : [],
    running: running + starts,
    queued: queued - starts,
    isAboveGlobal: running > wish.globalMax,
    peopleAbove: Object.entries(pool.users).filter(([userId, counts]) => {
      const may = limitOf(userId);
      return counts.running > may && may < counts.max;
    }).length,
  };
}

/** By user: how many of theirs may start if there are seats for all. Held ones step aside. */
function roomsIn(pool: PoolPicture, limitOf: (userId: string) => number): Readonly<Record<string, number>> {
  const rooms = Object.entries(pool.users).map(([userId, { running, queued }]) => {
    const ready = queued - (pool.held[userId] ?? 0);
    return [userId, Math.max(0, Math.min(ready, limitOf(userId) - running))] as const;
  });
  return Object.fromEntries(rooms);
}

/** The first ones of each line. */
function firstOf(pool: PoolPicture, rooms: Readonly<Record<string, number>>): readonly string[] {
  const ready = Object.entries(pool.sessions).filter(
    ([, { userId, status, position }]) => status === "queued" && position !== null && position <= (rooms[userId] ?? 0),
  );
  ready.sort(([, one], [, other]) => (one.position ?? 0) - (other.position ?? 0));
  return ready.map(([sessionId]) => sessionId);
}
