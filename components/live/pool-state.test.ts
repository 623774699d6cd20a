import { describe, expect, test } from "vitest";
import type { PoolMessage } from "../../server/contract/live";
import type { PoolPicture, PoolSession } from "../../server/contract/pool";
import { stepPool } from "./pool-state";

const queued: PoolSession = {
  taskId: "t1",
  projectId: "p",
  userId: "u",
  attempt: 1,
  status: "queued",
  phase: null,
  position: 1,
  ahead: null,
  waitingFor: { reason: "your-limit", sessions: [] },
  startsIn: null,
  seat: null,
  queuedAt: "2026-01-01T00:00:00.000Z",
  startedAt: null,
};

function picture(change: Partial<PoolPicture> = {}): PoolPicture {
  return {
    epoch: 3,
    version: 10,
    at: "2026-01-01T00:00:00.000Z",
    paused: false,
    isReady: true,
    isDiskShort: false,
    global: { running: 0, max: 20, queued: 1 },
    perUserMax: 2,
    limits: { w: 5 },
    users: { u: { running: 0, max: 2, queued: 1 } },
    held: {},
    seats: {},
    sessions: { s1: queued },
    truncated: false,
    ...change,
  };
}

function delta(change: Partial<Extract<PoolMessage, { kind: "delta" }>>): PoolMessage {
  return { kind: "delta", epoch: 3, from: 10, to: 11, at: "2026-01-01T00:00:01.000Z", set: {}, gone: {}, ...change };
}

function nextOf(held: PoolPicture | undefined, message: PoolMessage): PoolPicture {
  const step = stepPool(held, message);
  if (step.kind !== "next") throw new Error(`expected a next picture, got ${step.kind}`);
  return step.picture;
}

describe("the pool's picture", () => {
  test("[L2] a delta sets absolute values and takes away what is gone", () => {
    const running: PoolSession = {
      ...queued,
      status: "running",
      phase: "starting",
      position: 0,
      seat: 0,
      waitingFor: null,
    };
    const next = nextOf(
      picture({ users: { u: { running: 0, max: 2, queued: 1 }, v: { running: 1, max: 2, queued: 0 } } }),
      delta({
        set: {
          global: { running: 1, max: 20, queued: 0 },
          users: { u: { running: 1, max: 2, queued: 0 } },
          seats: { "0": { userId: "u", isStarting: true } },
          sessions: { s1: running },
        },
        gone: { users: ["v"] },
      }),
    );
    expect(next.version).toBe(11);
    expect(next.global).toEqual({ running: 1, max: 20, queued: 0 });
    expect(next.users).toEqual({ u: { running: 1, max: 2, queued: 0 } });
    expect([next.perUserMax, next.limits]).toEqual([2, { w: 5 }]);
    expect(next.sessions.s1).toEqual(running);
    expect(next.seats).toEqual({ "0": { userId: "u", isStarting: true } });
  });

  test("[L2] what did not change stays the same object, so nobody draws it again", () => {
    const held = picture();
    const next = nextOf(held, delta({ set: { paused: true } }));
    expect(next.sessions).toBe(held.sessions);
    expect(next.users).toBe(held.users);
    expect(next.paused).toBe(true);
  });

  test("[P13] an older snapshot or delta never replaces a newer picture", () => {
    expect(stepPool(picture(), { kind: "snapshot", ...picture({ version: 9 }) }).kind).toBe("old");
    expect(stepPool(picture(), { kind: "snapshot", ...picture({ epoch: 2, version: 99 }) }).kind).toBe("old");
    expect(stepPool(picture(), delta({ from: 8, to: 9 })).kind).toBe("old");
    expect(stepPool(picture(), delta({ epoch: 2, from: 10, to: 11 })).kind).toBe("old");
  });

  test("[L4] a snapshot of the same version replaces what is held: one may see other projects since", () => {
    const next = nextOf(picture(), { kind: "snapshot", ...picture({ sessions: {} }) });
    expect(next).toMatchObject({ version: 10, sessions: {} });
  });

  test("[P15][L2] places in the order of grants come a moment after their version: a delta of the same version is applied", () => {
    const moved = { ...queued, ahead: 4 };
    const next = nextOf(picture(), delta({ from: 10, to: 10, set: { sessions: { s1: moved } } }));
    expect([next.version, next.sessions.s1?.ahead]).toEqual([10, 4]);
  });

  test("[L2] a gap or another epoch is not applied but asks for a snapshot", () => {
    expect(stepPool(picture(), delta({ from: 12, to: 13 })).kind).toBe("gap");
    expect(stepPool(picture(), delta({ epoch: 4, from: 0, to: 1 })).kind).toBe("gap");
    expect(stepPool(undefined, delta({})).kind).toBe("gap");
  });

  test("[L2] a delta that reaches back before the held version is applied: its values are absolute", () => {
    expect(nextOf(picture(), delta({ from: 7, to: 12, set: { paused: true } })).version).toBe(12);
  });

  test("[P13] the snapshot of a new epoch replaces everything, also with a smaller version", () => {
    const next = nextOf(picture(), { kind: "snapshot", ...picture({ epoch: 4, version: 1, sessions: {} }) });
    expect(next).toMatchObject({ epoch: 4, version: 1, sessions: {} });
    expect(next).not.toHaveProperty("kind");
  });
});
