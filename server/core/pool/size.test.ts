import { describe, expect, test, vi } from "vitest";
import { sessionOf } from "../../testing/pool-world";
import { endedWith } from "../../testing/scripted-waiter";
import { decide, withRealNumbers } from "./index";
import { stateFrom } from "./load";
import type { QueuedRow } from "./rows";
import { pictureOf } from "./snapshot";
import type { PoolState } from "./state";

/** How often two rows or two turns were held against each other: what deciding costs, whatever the machine does. */
const compared = vi.hoisted(() => ({ count: 0 }));
vi.mock("./rows", async (original) => {
  const real = await original<typeof import("./rows")>();
  return { ...real, compareInLine: counted(real.compareInLine), compareByGrant: counted(real.compareByGrant) };
});
vi.mock("./fair-order", async (original) => {
  const real = await original<typeof import("./fair-order")>();
  return { ...real, compareTurns: counted(real.compareTurns) };
});

function counted<T>(compare: (a: T, b: T) => number): (a: T, b: T) => number {
  return (a, b) => {
    compared.count += 1;
    return compare(a, b);
  };
}

const ROUNDS = 600;
const LARGE = process.env.CAMELOT_TEST_ALL ? 1_000_000 : 100_000;

describe("size", () => {
  test(`[P20] one grant with ${LARGE} queued sessions takes at most three times the steps it takes with 1,000`, () => {
    const costOf = (pool: ReturnType<typeof loaded>) =>
      Math.max(...Array.from({ length: ROUNDS }, (_, i) => pool.step(i)));
    const small = costOf(loaded(1_000, 100));
    expect(small).toBeGreaterThan(0);
    expect(costOf(loaded(LARGE, LARGE / 10))).toBeLessThan(3 * small);
  }, 120_000);

  test("[P20] a user with a long line at the front costs the others nothing", () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => queued(i + 1, "ann"));
    let state = stateFrom({ caps: { globalMax: 20, perUserMax: 2, paused: false }, users: [], live: rows }, true);
    state = decide(state, [], { at: 0, epoch: 1 }).state;
    const order = { kind: "enqueue", sessionId: "bens", at: 0, session: sessionOf("ben", "t") } as const;
    const decision = decide(state, [order], { at: 0, epoch: 1 });
    expect(decision.granted.map((row) => row.id)).toEqual(["bens"]);
    expect(pictureOf(decision.state, 1, 1, 0).session("s20000")?.position).toBe(19_998);
  });

  test("[P10] after 10,000 sessions memory holds what it held before", () => {
    let state = stateFrom({ caps: { globalMax: 20, perUserMax: 2, paused: false }, users: [], live: [] }, true);
    for (let i = 0; i < 10_000; i += 1) {
      const enqueue = {
        kind: "enqueue",
        sessionId: `s${i}`,
        at: 0,
        session: sessionOf(`u${i % 50}`, `t${i}`),
      } as const;
      state = withRealNumbers(decide(state, [enqueue], { at: 0, epoch: 1 }), new Map([[`s${i}`, i + 1]]));
      const release = { kind: "release", run: { sessionId: `s${i}`, attempt: 1 }, ended: endedWith({}) } as const;
      state = decide(state, [release], { at: 0, epoch: 1 }).state;
    }
    const { sessions, tasks, lines, running, order, freeSeats, seatCount } = state;
    expect([sessions.size, tasks.size, lines.size, running.size, order.size, freeSeats.size, seatCount]).toEqual(
      new Array(7).fill(0),
    );
    expect(state.lastGrants.size).toBe(50);
  });
});

/** A pool in which one session ends, one is dispatched and one is granted at each step; answers the comparisons. */
function loaded(sessions: number, users: number): { step(i: number): number } {
  const live = Array.from({ length: sessions }, (_, i) => queued(i + 1, `user-${i % users}`));
  let state: PoolState = stateFrom({ caps: { globalMax: 20, perUserMax: 2, paused: false }, users: [], live }, true);
  state = decide(state, [], { at: 0, epoch: 1 }).state;
  return {
    step(i) {
      const [first] = state.running;
      if (!first) throw new Error("nothing runs");
      const [, row] = first;
      const run = { sessionId: row.id, attempt: row.attempt };
      const before = compared.count;
      const orders = [
        { kind: "release", run, ended: endedWith({}) },
        { kind: "enqueue", sessionId: `n${i}`, at: 0, session: sessionOf(row.userId, `nt${i}`) },
      ] as const;
      const decision = decide(state, orders, { at: 0, epoch: 1 });
      state = withRealNumbers(decision, new Map([[`n${i}`, sessions + i + 1]]));
      pictureOf(state, 1, i, 0).user(row.userId);
      expect(decision.granted).toHaveLength(1);
      return compared.count - before;
    },
  };
}

function queued(seq: number, userId: string): QueuedRow {
  const facts = { id: `s${seq}`, taskId: `t${seq}`, projectId: "p", userId, agentId: "a", attempt: 1, seq };
  return { ...facts, place: null, queuedAt: 0, status: "queued", hold: null };
}
