import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryDatabase } from "../../testing/memory-pool-store";
import { PoolModel } from "../../testing/pool-model";
import { type PoolOp, poolOps, toOrder } from "../../testing/pool-ops";
import { sessionOf } from "../../testing/pool-world";
import type { Order } from "./events";
import { type Decision, decide, withRealNumbers } from "./index";
import { stateFrom, withUsersFromRows } from "./load";
import { isNothing } from "./rows";
import { pictureOf } from "./snapshot";
import type { PoolState } from "./state";

const RUNS = process.env.CAMELOT_TEST_ALL ? 3_000 : 250;

/** What a commit may come to; the last two are the same rows with and without the change. */
const fates = fc.constantFrom("done", "done", "done", "done", "failed", "unknown-done", "unknown-failed", "rebuilt");
const shortages = fc.constantFrom(false, false, false, true);
const steps = fc.record({
  ops: fc.array(poolOps, { minLength: 1, maxLength: 6 }),
  fate: fates,
  isDiskShort: shortages,
  /** A task for which somebody else inserted a session, and the person. */
  foreign: fc.option(fc.record({ task: fc.nat({ max: 40 }), person: fc.nat({ max: 4 }) }), { freq: 3 }),
});
const batches = fc.array(steps, { minLength: 1, maxLength: 25 });

interface Step {
  readonly ops: readonly PoolOp[];
  readonly fate: string;
  readonly isDiskShort: boolean;
  readonly foreign: { readonly task: number; readonly person: number } | null;
}

/** The index with the rows it writes, as the writer drives it, and the model beside it. */
class Bench {
  readonly clock = { now: () => 1_000_000 };
  readonly database = memoryDatabase(this.clock);
  readonly model = new PoolModel();
  state: PoolState = stateFrom({ caps: { ...this.model.caps }, users: [], live: [] }, true);
  epoch = 0;
  #made = 0;

  async begin(): Promise<void> {
    await this.database.store.ensureSettings({ ...this.model.caps });
    const taken = await this.database.lease.take("law", 1e12, null);
    this.epoch = taken.kind === "taken" ? taken.epoch : 0;
  }

  async batch({ ops, fate, isDiskShort, foreign }: Step): Promise<Decision> {
    const orders: Order[] = ops.map((op) => toOrder(op, this.model, () => `s${++this.#made}`));
    if (foreign && !fate.endsWith("failed")) orders.push(...(await this.#inserted(foreign)));
    const decision = decide(this.state, orders, { at: 1_000_000, epoch: this.epoch, isDiskShort });
    const isLost = fate === "failed" || fate === "unknown-failed";
    if (!isLost) {
      this.model.isDiskShort = isDiskShort;
      this.model.apply(orders);
      const committed = isNothing(decision.writes)
        ? { kind: "done" as const, inserted: new Map<string, number>() }
        : await this.database.store.commit(this.epoch, decision.writes);
      if (committed.kind !== "done") throw new Error("fenced");
      if (fate !== "unknown-done") this.state = withRealNumbers(decision, committed.inserted);
    }
    if (fate.startsWith("unknown")) {
      const tasks = decision.writes.inserts.map(({ row }) => row.taskId);
      const { rows, userIds } = await this.database.store.loadUsers([...decision.touched], tasks);
      this.state = withUsersFromRows(this.state, userIds, rows);
    }
    if (fate === "rebuilt") this.state = stateFrom(await this.database.store.load(), true);
    return decision;
  }

  /** A row beside the writer, and the order to take it in; nothing when the task has a live session. */
  async #inserted({ task, person }: NonNullable<Step["foreign"]>): Promise<Order[]> {
    const session = sessionOf(`u${person}`, `t${task}`);
    if (this.model.live().some((live) => live.taskId === session.taskId)) return [];
    this.#made += 1;
    const { sessionId } = await this.database.store.insertQueued(`s${this.#made}`, session, 1_000_000);
    const { rows } = await this.database.store.loadUsers([], [session.taskId]);
    return rows.live.filter((row) => row.id === sessionId).map((row) => ({ kind: "take-in", row }));
  }
}

describe("laws of the index", () => {
  test("[P3][P4][P5][P6][P7][P9][P17][R1][R14] decides as the model does, whatever becomes of the commits", async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (steps) => {
        const bench = new Bench();
        await bench.begin();
        for (const step of steps) {
          await bench.batch(step);
          expect(seenIn(bench.state)).toEqual(seenInModel(bench.model));
        }
        const statuses = Array.from(bench.database.rows, ([id, row]) => [id, row.status]);
        expect(Object.fromEntries(statuses)).toEqual(
          Object.fromEntries(bench.model.sessions.map((session) => [session.id, session.status])),
        );
      }),
      { numRuns: RUNS },
    );
  });

  test("[P11][P18] memory made from rows is the memory that wrote them", async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (steps) => {
        const bench = new Bench();
        await bench.begin();
        for (const step of steps) await bench.batch(step);
        const rebuilt = stateFrom(await bench.database.store.load(), true);
        expect(everythingOf(rebuilt)).toEqual(everythingOf(bench.state));
      }),
      { numRuns: RUNS },
    );
  });

  test("[P4][P7][P13] at every version: caps kept by grants, no idle slot, positions 1…n, sums agree; old pictures stay", async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (steps) => {
        const bench = new Bench();
        await bench.begin();
        const pictures: { state: PoolState; seen: unknown }[] = [];
        for (const step of steps) {
          const { fate } = step;
          const before = bench.state;
          const { granted } = await bench.batch(step);
          if (fate === "done")
            expectCapsKept(
              bench.state,
              granted.map((row) => row.userId),
            );
          if (fate === "done" && before !== bench.state) expectNoIdleSlot(bench.state);
          expectOnePicture(bench.state);
          pictures.push({ state: bench.state, seen: everythingOf(bench.state) });
        }
        for (const { state, seen } of pictures) expect(everythingOf(state)).toEqual(seen);
      }),
      { numRuns: RUNS },
    );
  });
});

test("[P15] ahead is the number of grants that come first when the global cap rises one by one", async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (steps) => {
      const bench = new Bench();
      await bench.begin();
      for (const step of steps) await bench.batch({ ...step, isDiskShort: false });
      const { state } = bench;
      const waiting = pictureOf(state, 1, 1, 0)
        .sessions(1_000)
        .filter((session) => session.status === "queued");
      const told = waiting.filter((session) => session.ahead !== null);
      told.sort((a, b) => (a.ahead ?? 0) - (b.ahead ?? 0));
      // Nothing of these is committed: each decision begins where the one before ended.
      let raised: PoolState = { ...state, caps: { ...state.caps, paused: false, globalMax: state.running.size } };
      const granted: string[] = [];
      for (let i = 1; i <= waiting.length + 1; i += 1) {
        const change = { globalMax: state.running.size + i };
        const decision = decide(raised, [{ kind: "set-caps", change }], { at: 0, epoch: 1 });
        granted.push(...decision.granted.map((row) => row.id));
        raised = decision.state;
      }
      expect(told.map((session) => session.id)).toEqual(granted);
      expect(told.map((session) => session.ahead)).toEqual(told.map((_, i) => i));
    }),
    { numRuns: RUNS },
  );
});

function expectCapsKept(state: PoolState, grantedTo: readonly string[]): void {
  const picture = pictureOf(state, 1, 1, 0);
  if (grantedTo.length > 0) expect(picture.global.running).toBeLessThanOrEqual(picture.global.max);
  for (const userId of grantedTo) expect(picture.user(userId).running).toBeLessThanOrEqual(picture.user(userId).max);
}

function expectNoIdleSlot(state: PoolState): void {
  const { paused, global } = pictureOf(state, 1, 1, 0);
  const isRoom = !paused && !state.isDiskShort && global.running < global.max;
  expect(isRoom && state.order.size > 0).toBe(false);
}

function expectOnePicture(state: PoolState): void {
  const picture = pictureOf(state, 1, 1, 0);
  let running = 0;
  let queued = 0;
  for (const [userId, counts] of picture.users()) {
    running += counts.running;
    queued += counts.queued;
    const line = picture.line(userId);
    const positions = line.map((session) => session.position).filter((position) => position !== null && position > 0);
    expect(positions).toEqual(positions.map((_, i) => i + 1));
    expect(line.filter((session) => session.status === "running")).toHaveLength(counts.running);
    expect(line).toHaveLength(counts.running + counts.queued);
    expect(picture.heldOf(userId)).toBe(line.filter((session) => session.position === null).length);
    for (const session of line) expect(picture.session(session.id)).toEqual(session);
  }
  const held = Array.from(picture.users(), ([userId]) => [userId, picture.heldOf(userId)] as const);
  expect(new Map(picture.held())).toEqual(new Map(held.filter(([, count]) => count > 0)));
  expect({ running, queued }).toEqual({ running: picture.global.running, queued: picture.global.queued });
  const seats = picture.sessions(1_000).flatMap((session) => session.seat ?? []);
  expect(new Set(seats).size).toBe(running);
}

/** What both the index and the model can say: who sits where, who waits in which order. */
function seenIn(state: PoolState) {
  const users = Array.from(state.lines, ([userId, line]) => ({
    userId,
    running: Array.from(line.running, (row) => `${row.id}/${row.attempt} ${row.phase} seat ${row.seat}`).sort(),
    line: Array.from(line.line, (row) => `${row.id}/${row.attempt}`),
    held: Array.from(line.held, (row) => `${row.id}/${row.attempt}`),
  }));
  return { users: sorted(users), caps: state.caps, grants: state.lastGrantSeq };
}

function seenInModel(model: PoolModel): ReturnType<typeof seenIn> {
  const named = (session: { id: string; attempt: number }) => `${session.id}/${session.attempt}`;
  const userIds = new Set(model.live().map((session) => session.userId));
  const users = Array.from(userIds, (userId) => ({
    userId,
    running: model
      .running(userId)
      .map((s) => `${named(s)} ${s.phase} seat ${s.seat}`)
      .sort(),
    line: model.line(userId).map(named),
    held: model
      .live()
      .filter((s) => s.userId === userId && s.status === "queued" && s.isHeld)
      .sort((a, b) => a.number - b.number)
      .map(named),
  }));
  return { users: sorted(users), caps: model.caps, grants: model.grants };
}

function everythingOf(state: PoolState) {
  const lines = Array.from(state.lines, ([userId, line]) => ({
    userId,
    line: [...line.line],
    held: [...line.held],
    running: [...line.running],
  }));
  return {
    lines: sorted(lines),
    sessions: Object.fromEntries(state.sessions),
    tasks: Object.fromEntries(state.tasks),
    running: Object.fromEntries(state.running),
    userCaps: Object.fromEntries(state.userCaps),
    lastGrants: Object.fromEntries(state.lastGrants),
    order: [...state.order],
    caps: state.caps,
    lastGrantSeq: state.lastGrantSeq,
  };
}

function sorted<T extends { userId: string }>(users: T[]): T[] {
  return users.sort((a, b) => (a.userId < b.userId ? -1 : 1));
}
