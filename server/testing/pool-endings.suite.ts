/**
 * How a slot comes back: endings, attempts given up, waiters that die (P9, P10, R2, R5). Seen from outside, whatever the rows
 * are kept in: run on the memory store and on PostgreSQL.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PoolDatabase, PoolWorld } from "./pool-world";
import { endedWith } from "./scripted-waiter";
import { waitFor } from "./wait-for";

export function poolEndingsSuite(kind: string, open: () => Promise<PoolDatabase>): void {
  describe(`what the pool takes back, on ${kind}`, () => {
    let world: PoolWorld;
    let ann = "";

    beforeEach(async () => {
      world = new PoolWorld(await open());
      [ann = ""] = await world.people(50);
    });
    afterEach(() => world.close());

    test("[P9] a thousand endings of one attempt at once end it once and free one slot", async () => {
      const { pool, waiter } = await world.ready();
      const [first = ""] = await world.dispatch(pool, ann, 5);
      await waitFor(() => waiter.open.length === 2, "two to run");
      const run = { sessionId: first, attempt: 1 };
      const endings = Array.from({ length: 1_000 }, (_, i) =>
        endedWith(i === 0 ? {} : { status: "failed", exitCode: i }),
      );
      await Promise.all(endings.map((ended) => pool.release(run, ended)));
      expect(pool.snapshot().user(ann)).toEqual({ running: 2, max: 2, queued: 2 });
      expect(await world.stored(first)).toMatchObject({ status: "succeeded", exitCode: 0 });
      expect(pool.vitals()).toMatchObject({ releases: 1, staleMessages: 999 });
    });

    test("[P9][R1] a late ending of an attempt that is no longer held changes nothing", async () => {
      const { pool, waiter } = await world.ready();
      const [first = ""] = await world.dispatch(pool, ann, 1);
      await waitFor(() => waiter.open.length === 1, "it to run");
      expect(await pool.requeue({ sessionId: first, attempt: 1 })).toBe("requeued");
      await waitFor(() => waiter.open.some((session) => session.attempt === 2), "the second attempt");
      await pool.release({ sessionId: first, attempt: 1 }, endedWith({ status: "failed" }));
      await pool.progress({ sessionId: first, attempt: 1 }, { phase: "saving" });
      expect(await pool.requeue({ sessionId: first, attempt: 1 })).toBe("stale");
      expect(pool.snapshot().session(first)).toMatchObject({ status: "running", attempt: 2, phase: "starting" });
      expect(await world.stored(first)).toMatchObject({ status: "running", attempt: 2, phase: "starting" });
      expect(pool.vitals().staleMessages).toBe(3);
    });

    test("[R2] an attempt is given up three times at most, then it could not start; its place in the line is kept", async () => {
      const { pool, waiter } = await world.ready({ firstCaps: { globalMax: 1, perUserMax: 1, paused: false } });
      const [first = "", second = ""] = await world.dispatch(pool, ann, 2);
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        await waitFor(() => waiter.open.some((session) => session.attempt === attempt), `attempt ${attempt}`);
        expect(await pool.requeue({ sessionId: first, attempt })).toBe("requeued");
        waiter.vanish(first, attempt);
        expect(pool.snapshot().session(second)?.position).toBe(1);
      }
      expect(await pool.requeue({ sessionId: first, attempt: 4 })).toBe("tried-too-often");
      expect(await world.stored(first)).toMatchObject({ status: "failed", failureKind: "could-not-start", attempt: 4 });
      expect(pool.snapshot().session(second)?.position).toBe(0);
    });

    test("[R5][R2] a server that leaves hands back what it has not started: same place, no try counted, nothing granted", async () => {
      const first = await world.ready({ firstCaps: { globalMax: 2, perUserMax: 2, paused: false } });
      const [a = "", b = "", c = ""] = await world.dispatch(first.pool, ann, 3);
      await waitFor(() => first.waiter.open.length === 2, "two to run");
      await first.pool.cancel(b, ann);
      await first.pool.stopGranting();
      await Promise.all([a, b].map((sessionId) => first.pool.handBack({ sessionId, attempt: 1 })));
      expect(await world.stored(a)).toMatchObject({ status: "queued", attempt: 1, seat: null, startedAt: null });
      // The cancel came first, and wins.
      expect(await world.stored(b)).toMatchObject({ status: "cancelled", cancelledBy: ann });
      expect([a, c].map((id) => first.pool.snapshot().session(id)?.position)).toEqual([1, 2]);
      const [d = ""] = await world.dispatch(first.pool, ann, 1);
      expect(first.pool.snapshot().session(d)?.position).toBe(3);
      await first.pool.stop();

      const second = await world.ready();
      await waitFor(() => second.waiter.open.length === 2, "both to run again");
      expect(second.waiter.history).toEqual([a, c].map((sessionId) => ({ sessionId, attempt: 1, entry: "granted" })));
      await second.pool.handBack({ sessionId: d, attempt: 1 });
      expect(second.pool.vitals().staleMessages).toBe(1);
    });

    test("[P10] a waiter that returns, throws or dies without an ending does not keep its slot", async () => {
      const { pool, waiter, warnings } = await world.ready();
      const [a = "", b = "", c = ""] = await world.dispatch(pool, ann, 4);
      await waitFor(() => waiter.open.length === 2, "two to run");
      await pool.progress({ sessionId: b, attempt: 1 }, { phase: "working" });
      waiter.vanish(a);
      waiter.vanish(b, 1, new Error("out of luck"));
      await waitFor(
        () => pool.snapshot().session(a) === undefined && pool.snapshot().session(b) === undefined,
        "both over",
      );
      await waitFor(() => waiter.open.some((session) => session.id === c) && waiter.open.length === 2, "the next two");
      expect(await world.stored(a)).toMatchObject({ status: "failed", failureKind: "could-not-start" });
      expect(await world.stored(b)).toMatchObject({ status: "failed", failureKind: "runner-lost" });
      expect(warnings.join()).toContain("out of luck");
      expect(pool.vitals().watchedSessions).toBe(2);
    });
  });
}
