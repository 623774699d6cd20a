import { expect, test } from "vitest";
import type { PoolPicture, PoolSession } from "../../server/contract/pool";
import { lineOf } from "./line-order";

function session(change: Partial<PoolSession>): PoolSession {
  return {
    taskId: "t",
    projectId: "p",
    userId: "ann",
    attempt: 1,
    status: "queued",
    phase: null,
    position: 1,
    ahead: null,
    waitingFor: null,
    startsIn: null,
    seat: null,
    queuedAt: "2026-01-01T00:00:00.000Z",
    startedAt: null,
    ...change,
  };
}

const running = (startedAt: string, userId = "ann") =>
  session({ status: "running", phase: "working", position: 0, startedAt, userId });

const pool: PoolPicture = {
  epoch: 1,
  version: 1,
  at: "2026-01-01T00:00:00.000Z",
  paused: false,
  isReady: true,
  isDiskShort: false,
  global: { running: 4, max: 20, queued: 5 },
  perUserMax: 2,
  limits: { ann: 3 },
  users: { ann: { running: 3, max: 3, queued: 5 }, ben: { running: 1, max: 2, queued: 0 } },
  held: {},
  seats: {},
  sessions: {
    held: session({ position: null, waitingFor: { reason: "disk" } }),
    second: session({ position: 2 }),
    later: running("2026-01-01T00:00:05.000Z"),
    first: session({ position: 1 }),
    earlier: running("2026-01-01T00:00:01.000Z"),
    theirs: running("2026-01-01T00:00:00.000Z", "ben"),
    tenth: session({ position: 10 }),
  },
  truncated: false,
};

test("[B8][P13] a line has who runs first, then the places in order, held ones last, and nobody else's", () => {
  const line = lineOf(pool, "ann");
  expect(line.running.map(({ sessionId }) => sessionId)).toEqual(["earlier", "later"]);
  expect(line.queued.map(({ sessionId }) => sessionId)).toEqual(["first", "second", "tenth", "held"]);
});

test("[B8][L4] what is counted but belongs to foreign projects is elsewhere", () => {
  expect(lineOf(pool, "ann").elsewhere).toEqual({ running: 1, queued: 1 });
  expect(lineOf(pool, "ben").elsewhere).toEqual({ running: 0, queued: 0 });
  expect(lineOf(pool, "nobody")).toEqual({ running: [], queued: [], elsewhere: { running: 0, queued: 0 } });
});
