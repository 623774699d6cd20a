import { expect, test } from "vitest";
import type { PoolPicture } from "../../server/contract/pool";
import { sampleLive, samplePool } from "../board/sample";
import { effectOf } from "./effect";

const waits = (userId: string, position: number | null) =>
  sampleLive({ taskId: `${userId}${position}`, userId, position, waitingFor: { reason: "your-limit" } });
const pool: PoolPicture = samplePool({
  global: { running: 5, max: 20, queued: 4 },
  perUserMax: 2,
  limits: { b: 3, c: 2 },
  users: {
    a: { running: 2, max: 2, queued: 3 },
    b: { running: 3, max: 3, queued: 1 },
    c: { running: 0, max: 2, queued: 0 },
  },
  sessions: { a3: waits("a", 3), a2: waits("a", 2), a1: waits("a", 1) },
});
const now = { globalMax: 20, perUserMax: 2, limits: pool.limits };

test("[QUE-3][P7] raising the cap per person says which start at once, and what runs and waits then", () => {
  expect(effectOf(pool, { ...now, perUserMax: 4 })).toEqual({
    starts: 2,
    starting: ["a1", "a2"],
    running: 7,
    queued: 2,
    isAboveGlobal: false,
    peopleAbove: 0,
  });
});

test("[QUE-3] whoever has a limit of their own keeps it, also one that equals the general one", () => {
  const users = { ...pool.users, c: { running: 2, max: 2, queued: 5 } };
  expect(effectOf({ ...pool, users }, { ...now, perUserMax: 4 }).starts).toBe(2);
});

test("[QUE-3][L4] an exception that is raised starts its person's sessions, also those one may not see", () => {
  const effect = effectOf(pool, { ...now, limits: { ...pool.limits, b: 4 } });
  expect([effect.starts, effect.starting]).toEqual([1, []]);
});

test("[QUE-3] an exception that is taken away leaves the general limit", () => {
  const effect = effectOf(pool, { ...now, limits: { c: 2 } });
  expect([effect.starts, effect.peopleAbove]).toEqual([0, 1]);
});

test("[P7][P6] where the seats are fewer than those who may start, whose turn it is decides and nobody is named", () => {
  const effect = effectOf(pool, { globalMax: 6, perUserMax: 4, limits: pool.limits });
  expect([effect.starts, effect.starting, effect.running]).toEqual([1, [], 6]);
});

test("[P14][L4] a held session starts by no cap, also where one cannot see it", () => {
  const sessions = { a1: waits("a", 1), held: waits("a", null), other: waits("a", null) };
  const held = { a: 2 };
  expect(effectOf({ ...pool, held, sessions }, { ...now, perUserMax: 9 }).starting).toEqual(["a1"]);
  expect(effectOf({ ...pool, held, sessions: {} }, { ...now, perUserMax: 9 }).starts).toBe(1);
});

test("[P4] lowering the table's cap below what runs stops nobody and starts nothing", () => {
  expect(effectOf(pool, { ...now, globalMax: 3 })).toMatchObject({ starts: 0, running: 5, isAboveGlobal: true });
});

test("[P16][R14] while the pool is paused, is starting or is short of disk, no cap starts anything", () => {
  for (const still of [{ paused: true }, { isReady: false }, { isDiskShort: true }]) {
    expect(effectOf({ ...pool, ...still }, { ...now, perUserMax: 4 }).starts).toBe(0);
  }
});

test("[P4] lowering the cap per person says who is above it, not counting those with a limit of their own", () => {
  expect(effectOf(pool, { ...now, perUserMax: 1 }).peopleAbove).toBe(1);
});
