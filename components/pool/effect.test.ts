import { expect, test } from "vitest";
import type { PoolPicture } from "../../server/contract/pool";
import { effectOf } from "./effect";

const pool: PoolPicture = {
  epoch: 1,
  version: 1,
  at: "2026-01-01T00:00:00.000Z",
  paused: false,
  isReady: true,
  global: { running: 5, max: 20, queued: 4 },
  perUserMax: 2,
  limits: { b: 3, c: 2 },
  users: {
    a: { running: 2, max: 2, queued: 3 },
    b: { running: 3, max: 3, queued: 1 },
    c: { running: 0, max: 2, queued: 0 },
  },
  seats: {},
  sessions: {},
  truncated: false,
};
const now = { globalMax: 20, perUserMax: 2, paused: false };

test("[QUE-3][P7] raising the cap per person says how many start at once, and that nobody is stopped", () => {
  expect(effectOf(pool, now, { ...now, perUserMax: 4 })).toEqual([
    "Seats per person 2 → 4.",
    "2 waiting sessions start at once.",
    "Running 5 → 7 of 20.",
    "Nobody is stopped.",
  ]);
});

test("[QUE-3] whoever has a limit of their own keeps it, also one that equals the general one", () => {
  const users = { ...pool.users, c: { running: 2, max: 2, queued: 5 } };
  expect(effectOf({ ...pool, users }, now, { ...now, perUserMax: 4 })).toContain("2 waiting sessions start at once.");
});

test("[P4] lowering the table's cap below what runs stops nobody", () => {
  expect(effectOf(pool, now, { ...now, globalMax: 3 })).toEqual([
    "Seats 20 → 3.",
    "5 are running: nothing starts until it is below 3.",
    "4 keep waiting.",
    "Nobody is stopped.",
  ]);
});

test("[P16] pausing says that nothing starts", () => {
  expect(effectOf(pool, now, { ...now, paused: true })[0]).toBe("Nothing starts until the pool is resumed.");
});

test("[QUE-3] a change that starts and stops nobody still says what changes", () => {
  const idle = { ...pool, global: { running: 0, max: 20, queued: 0 }, users: {} };
  expect(effectOf(idle, now, { ...now, globalMax: 25 })).toEqual(["Seats 20 → 25.", "Nobody is stopped."]);
});

test("[P4] lowering the cap per person says who is above it, not counting those with a limit of their own", () => {
  expect(effectOf(pool, now, { ...now, perUserMax: 1 })).toEqual([
    "Seats per person 2 → 1.",
    "1 person runs more: nothing of theirs starts until they are below.",
    "4 keep waiting.",
    "Nobody is stopped.",
  ]);
});
