/**
 * The whole pool against the model of `pool-model.ts`: random wishes, one after the other and in bursts, while commits are cut
 * before and after they reach the database, the loop crashes, memory is rebuilt and the server is killed. A failing run
 * prints its seed; `CAMELOT_LAWS_SEED` repeats it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Order } from "../core/pool/events";
import type { PoolSnapshot } from "../core/pool/picture";
import { PoolUnavailable } from "../engine/pool";
import type { RunningPool } from "../engine/pool/pool-options";
import { PoolModel } from "./pool-model";
import { poolOps, toOrder } from "./pool-ops";
import { type PoolDatabase, PoolWorld, type Server } from "./pool-world";
import { waitFor } from "./wait-for";

const troubles = fc.constantFrom("none", "none", "none", "none", "none", "none", "before", "after", "crash", "rebuild");
const steps = fc.record({ op: poolOps, trouble: troubles, isKilled: fc.nat({ max: 60 }).map((n) => n === 0) });

export function poolLaws(kind: string, open: () => Promise<PoolDatabase>, count: number): void {
  const seed = Number(process.env.CAMELOT_LAWS_SEED ?? Math.floor(Math.random() * 2 ** 31));

  test(`[P3][P4][P5][P6][P7][P9][P11][P12][P18] on ${kind}: ${count} wishes end as the model says, whatever breaks (seed ${seed})`, async () => {
    const bench = await LawBench.begin(await open());
    for (const [i, { op, trouble, isKilled }] of fc.sample(steps, { numRuns: count, seed }).entries()) {
      if (isKilled) await bench.kill();
      const order = toOrder(op, bench.model, () => "not yet known");
      await bench.one(order, trouble);
      expect(pictureOf(bench.server.pool.snapshot()), `seed ${seed}, wish ${i}: ${order.kind}`).toEqual(
        modelled(bench.model),
      );
    }
    await bench.expectRowsAsModelled();
    await bench.world.close();
  }, 300_000);

  test(`[P4][P7][P13][P17] on ${kind}: bursts of wishes while commits break keep the laws (seed ${seed})`, async () => {
    const bench = await LawBench.begin(await open());
    const bursts = fc.sample(fc.array(steps, { minLength: 5, maxLength: 40 }), {
      numRuns: Math.ceil(count / 20),
      seed,
    });
    for (const burst of bursts) await bench.burst(burst);
    await bench.expectAgreement();
    await bench.world.close();
  }, 300_000);
}

class LawBench {
  readonly world: PoolWorld;
  readonly model = new PoolModel();
  server: Server;

  private constructor(world: PoolWorld, server: Server) {
    this.world = world;
    this.server = server;
  }

  static async begin(database: PoolDatabase): Promise<LawBench> {
    await database.addPeople(["u0", "u1", "u2", "u3", "u4"]);
    await database.addTasks(Array.from({ length: 41 }, (_, i) => `t${i}`));
    const world = new PoolWorld(database);
    return new LawBench(world, await world.ready({ before: neverEnds }));
  }

  async kill(): Promise<void> {
    this.server.kill();
    this.server = await this.world.ready({ before: neverEnds });
  }

  /** One wish, to the pool and then to the model; what was refused for a crash has not happened. */
  async one(order: Order, trouble: string): Promise<void> {
    const { pool, store } = this.server;
    if (trouble === "before" || trouble === "after") store.faults.push(trouble);
    if (trouble === "rebuild") await pool.rebuild();
    // More than three crashes within five seconds are meant to be fatal.
    if (trouble === "crash" && this.#mayCrash()) pool.crashNext?.();
    const answer = await perform(pool, order).catch((error: unknown) => {
      if (error instanceof PoolUnavailable) return null;
      throw error;
    });
    store.faults.length = 0;
    if (answer === null) return this.#settled();
    this.model.apply([order.kind === "enqueue" ? { ...order, sessionId: answer } : order]);
    await this.#settled();
  }

  async burst(wishes: readonly { op: Parameters<typeof toOrder>[0]; trouble: string }[]): Promise<void> {
    const { pool, store } = this.server;
    const known = new PoolModel();
    const seen = (await this.world.database.sessions()).toSorted((a, b) => a.seq - b.seq);
    for (const row of seen.slice(-60)) {
      known.sessions.push({ ...row, number: row.seq, isHeld: false, isCancelled: false, grant: 0 });
    }
    const trouble = wishes[0]?.trouble;
    if (trouble === "before" || trouble === "after") store.faults.push(trouble);
    const orders = wishes.map(({ op }) => toOrder(op, known, () => "not yet known"));
    await Promise.all(
      orders.map((order) =>
        perform(pool, order).catch((error: unknown) => {
          if (!(error instanceof PoolUnavailable)) throw error;
        }),
      ),
    );
    store.faults.length = 0;
    await this.#settled();
    expectLawful(pool.snapshot());
  }

  async expectRowsAsModelled(): Promise<void> {
    const stored = await this.world.database.sessions();
    expect(Object.fromEntries(stored.map((row) => [row.id, row.status]))).toEqual(
      Object.fromEntries(this.model.sessions.map((session) => [session.id, session.status])),
    );
  }

  /** Rows, picture, waiters and a picture made anew from rows say the same. */
  async expectAgreement(): Promise<void> {
    const { pool, waiter } = this.server;
    const before = pool.snapshot().sessions(10_000);
    const stored = await this.world.database.sessions();
    const live = stored.filter((row) => row.status === "queued" || row.status === "running");
    expect(before.map(({ id, status, attempt, seat }) => [id, status, attempt, seat]).sort()).toEqual(
      live.map(({ id, status, attempt, seat }) => [id, status, attempt, seat]).sort(),
    );
    expect((await pool.rebuild()).sessions(10_000).map(withoutEstimate)).toEqual(before.map(withoutEstimate));
    const attended = new Set(waiter.history.map((entry) => `${entry.sessionId}/${entry.attempt}`));
    expect(waiter.history).toHaveLength(attended.size);
    for (const row of live) if (row.status === "running") expect(attended).toContain(`${row.id}/${row.attempt}`);
  }

  async #settled(): Promise<void> {
    const { pool } = this.server;
    await waitFor(() => pool.vitals().state === "writing" && pool.vitals().mailboxDepth === 0, "the writer to rest");
  }

  #crashedAt = Number.NEGATIVE_INFINITY;
  #mayCrash(): boolean {
    const now = performance.now();
    if (now - this.#crashedAt < 2_000) return false;
    this.#crashedAt = now;
    return true;
  }
}

/** The id of the session for a dispatch, anything but null for the others. */
async function perform(pool: RunningPool, order: Order): Promise<string> {
  switch (order.kind) {
    case "enqueue":
      return (await pool.enqueue(order.session)).sessionId;
    case "cancel":
      return (await pool.cancel(order.sessionId, order.by)).kind;
    case "reorder":
      return (await pool.reorder(order.sessionId, order.by, order.before)).kind;
    case "set-caps":
      await pool.setCaps(order.change);
      break;
    case "set-user-cap":
      await pool.setUserCap(order.userId, order.max);
      break;
    case "hold":
      await pool.hold(order.sessionId, order.hold);
      break;
    case "progress":
      await pool.progress(order.run, order.progress);
      break;
    case "release":
      await pool.release(order.run, order.ended);
      break;
    case "requeue":
      return pool.requeue(order.run);
    default:
      throw new Error(`nobody may wish for ${order.kind}`);
  }
  return "done";
}

function neverEnds(waiter: { obeysStop: boolean }): void {
  waiter.obeysStop = false;
}

/** It is made beside the pool and comes when it is ready: of two pictures of the same rows one may have it already. */
function withoutEstimate<S extends { readonly startsIn: unknown }>({ startsIn: _startsIn, ...session }: S) {
  return session;
}

function expectLawful(snapshot: PoolSnapshot): void {
  let running = 0;
  let isSomebodyEligible = false;
  for (const [userId, counts] of snapshot.users()) {
    running += counts.running;
    const line = snapshot.line(userId);
    const positions = line.flatMap((session) => session.position || []);
    expect(positions).toEqual(positions.map((_, i) => i + 1));
    isSomebodyEligible ||= positions.length > 0 && counts.running < counts.max;
  }
  expect(running).toBe(snapshot.global.running);
  const isRoom = !snapshot.paused && snapshot.global.running < snapshot.global.max;
  expect(isRoom && isSomebodyEligible).toBe(false);
}

function pictureOf(snapshot: PoolSnapshot) {
  const users = Array.from(snapshot.users(), ([userId, { running, max, queued }]) => ({
    userId,
    running,
    max,
    queued,
    line: snapshot
      .line(userId)
      .map((s) => `${s.id}/${s.attempt} ${s.position} ${s.phase} ${s.seat}`)
      .sort(),
  }));
  return users.sort((a, b) => (a.userId < b.userId ? -1 : 1));
}

function modelled(model: PoolModel): ReturnType<typeof pictureOf> {
  const userIds = new Set(model.live().map((session) => session.userId));
  const users = Array.from(userIds, (userId) => {
    const line = model.line(userId);
    const own = model.live().filter((session) => session.userId === userId);
    const place = (s: (typeof own)[number]) => (s.status === "running" ? 0 : s.isHeld ? null : line.indexOf(s) + 1);
    const running = model.running(userId).length;
    return {
      userId,
      running,
      max: model.cap(userId),
      queued: own.length - running,
      line: own.map((s) => `${s.id}/${s.attempt} ${place(s)} ${s.phase} ${s.seat}`).sort(),
    };
  });
  return users.sort((a, b) => (a.userId < b.userId ? -1 : 1));
}
