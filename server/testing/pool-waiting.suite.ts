/**
 * What is said of who waits, and how one leaves: reasons, holds, pause, cancel, versions (P13, P14, P16, P17). Seen from
 * outside, whatever the rows are kept in: run on the memory store and on PostgreSQL.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PoolDatabase, PoolWorld, waitingIn } from "./pool-world";
import { endedWith } from "./scripted-waiter";
import { waitFor } from "./wait-for";

export function poolWaitingSuite(kind: string, open: () => Promise<PoolDatabase>): void {
  describe(`what the pool says and lets go, on ${kind}`, () => {
    let world: PoolWorld;
    let people: string[] = [];
    let ann = "";
    let ben = "";

    beforeEach(async () => {
      world = new PoolWorld(await open());
      people = await world.people(50);
      [ann = "", ben = ""] = people;
    });
    afterEach(() => world.close());

    test("[P14][QUE-4] everybody who waits is told why, and positions are those of the own line", async () => {
      const { pool } = await world.ready({ firstCaps: { globalMax: 3, perUserMax: 2, paused: false } });
      const anns = await world.dispatch(pool, ann, 5);
      const [bens = "", bens2 = ""] = await world.dispatch(pool, ben, 2);
      expect(pool.snapshot().session(bens)?.position).toBe(0);
      const seen = () =>
        pool
          .snapshot()
          .line(ann)
          .map(({ id, position, waitingFor }) => [id, position, waitingFor?.reason]);
      const yours = "your-limit";
      const waiting = anns.slice(2).map((id, i) => [id, i + 1, yours]);
      expect(seen()).toEqual([[anns[0], 0, undefined], [anns[1], 0, undefined], ...waiting]);
      expect(pool.snapshot().session(anns[3] ?? "")?.waitingFor?.sessions).toEqual(anns.slice(0, 3));
      expect(pool.snapshot().session(bens2)?.waitingFor).toEqual({ reason: "pool-limit" });
      expect(await pool.cancel(anns[3] ?? "", ann)).toEqual({ kind: "left-the-line" });
      expect(seen().slice(2)).toEqual([
        [anns[2], 1, yours],
        [anns[4], 2, yours],
      ]);
      await pool.setCaps({ paused: true });
      expect(pool.snapshot().session(bens2)?.waitingFor).toEqual({ reason: "paused" });
    });

    test("[P14][P5] a held session steps aside, says why, and comes back at its number", async () => {
      const { pool, waiter } = await world.ready({ firstCaps: { globalMax: 1, perUserMax: 1, paused: false } });
      const [a = "", b = "", c = ""] = await world.dispatch(pool, ann, 3);
      const until = Date.UTC(2030, 0, 1);
      await pool.hold(b, { reason: "budget", detail: "The month's budget is used up.", until });
      const waitingFor = { reason: "budget", until, detail: "The month's budget is used up." };
      expect(pool.snapshot().session(b)).toMatchObject({ position: null, waitingFor });
      expect(pool.snapshot().session(c)?.position).toBe(1);
      const held = await pool.enqueue(
        await world.session(ben, { hold: { reason: "disk", detail: null, until: null } }),
      );
      expect(held.position).toBeNull();
      await pool.rebuild();
      expect(pool.snapshot().session(b)).toMatchObject({ position: null, waitingFor });
      await pool.hold(b, null);
      expect(waitingIn(pool, ann)).toEqual([b, c]);
      await waitFor(() => waiter.open.length === 1, "the first to run");
      await waiter.finish(a);
      expect(pool.snapshot().session(b)?.position).toBe(0);
    });

    test("[P16] a pause is kept over a restart: dispatches are accepted, running ones go on, nothing is granted", async () => {
      const first = await world.ready();
      const [running = ""] = await world.dispatch(first.pool, ann, 1);
      await first.pool.setCaps({ paused: true });
      await first.pool.stop();
      const second = await world.ready();
      const queued = await world.dispatch(second.pool, ben, 30);
      expect(second.pool.snapshot()).toMatchObject({ paused: true, isReady: true });
      expect(second.pool.snapshot().global).toMatchObject({ running: 1, queued: 30 });
      await waitFor(() => second.waiter.open.length === 1, "the running one to be adopted");
      expect(second.waiter.history).toEqual([{ sessionId: running, attempt: 1, entry: "adopted" }]);
      await second.pool.setCaps({ paused: false });
      await waitFor(() => second.waiter.open.length === 3, "two more");
      expect(second.waiter.open.slice(1).map((session) => session.id)).toEqual(queued.slice(0, 2));
    });

    test("[P17] a queued session leaves the line at once; it never ran and never comes back", async () => {
      const { pool } = await world.ready();
      const [, , third = "", fourth = ""] = await world.dispatch(pool, ann, 4);
      expect(await pool.cancel(third, ben)).toEqual({ kind: "left-the-line" });
      expect(pool.snapshot().session(fourth)?.position).toBe(1);
      expect(await pool.cancel(third, ben)).toEqual({ kind: "over" });
      expect(await world.stored(third)).toMatchObject({ status: "cancelled", startedAt: null, cancelledBy: ben });
      await pool.rebuild();
      expect(pool.snapshot().session(third)).toBeUndefined();
    });

    test("[P17] a running session is stopping at once and ends as cancelled whatever the exit code", async () => {
      const { pool, waiter } = await world.ready();
      waiter.obeysStop = false;
      const [first = "", , third = ""] = await world.dispatch(pool, ann, 3);
      await waitFor(() => waiter.open.length === 2, "two to run");
      expect(await pool.cancel(first, ann)).toEqual({ kind: "stopping" });
      expect(await pool.cancel(first, ben)).toEqual({ kind: "stopping" });
      expect(pool.snapshot().session(first)).toMatchObject({ phase: "stopping", position: 0 });
      await waitFor(() => waiter.stops.length > 0, "the waiter to be told");
      await pool.progress({ sessionId: first, attempt: 1 }, { phase: "working" });
      expect(pool.snapshot().session(first)?.phase).toBe("stopping");
      await waiter.finish(first, 1, endedWith({ status: "succeeded", exitCode: 0 }));
      expect(await world.stored(first)).toMatchObject({
        status: "cancelled",
        cancelledBy: ann,
        exitCode: 0,
        failureKind: null,
      });
      expect(pool.snapshot().session(third)?.position).toBe(0);
    });

    test("[P17][R2] a cancel that was asked for wins over giving the attempt up", async () => {
      const { pool, waiter } = await world.ready();
      waiter.obeysStop = false;
      const [first = ""] = await world.dispatch(pool, ann, 1);
      await waitFor(() => waiter.open.length === 1, "it to run");
      await pool.cancel(first, ann);
      expect(await pool.requeue({ sessionId: first, attempt: 1 })).toBe("stale");
      expect(await world.stored(first)).toMatchObject({ status: "cancelled", attempt: 1 });
    });

    test("[P17] a cancel committed before a restart is told to the waiter after it", async () => {
      const first = await world.ready();
      first.waiter.obeysStop = false;
      const [id = ""] = await world.dispatch(first.pool, ann, 1);
      await waitFor(() => first.waiter.open.length === 1, "it to run");
      await first.pool.cancel(id, ann);
      first.kill();
      const second = await world.ready();
      await waitFor(async () => (await world.stored(id))?.status === "cancelled", "it to end as cancelled");
      expect(second.waiter.history).toEqual([{ sessionId: id, attempt: 1, entry: "adopted" }]);
      expect(second.waiter.stops).toEqual([{ sessionId: id, attempt: 1 }]);
    });

    test("[QUE-2][P17] cancelling a waiting session in the moment it gets its place ends in exactly one of the two ways", async () => {
      const { pool, waiter } = await world.ready({ firstCaps: { globalMax: 20, perUserMax: 1, paused: false } });
      for (let round = 0; round < 50; round += 1) {
        const [x = "", y = ""] = await world.dispatch(pool, ann, 2);
        await waitFor(() => waiter.open.some((session) => session.id === x), "X to run");
        const delay = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
        const [, answer] = await Promise.all([
          delay().then(() => waiter.finish(x)),
          delay().then(() => pool.cancel(y, ann)),
        ]);
        await waitFor(() => pool.snapshot().session(y) === undefined, "Y to be over");
        const stored = await world.stored(y);
        const wasAttended = waiter.history.some((granted) => granted.sessionId === y);
        expect(stored?.status).toBe("cancelled");
        expect(answer.kind).toBe(wasAttended ? "stopping" : "left-the-line");
        expect(stored?.startedAt !== null).toBe(wasAttended);
      }
      expect(pool.snapshot().global).toMatchObject({ running: 0, queued: 0 });
      expect((await pool.enqueue(await world.session(ann))).position).toBe(0);
    });

    test("[P1] one task that is gone does not spoil the batch it arrives in", async () => {
      const { pool } = await world.ready();
      const tasks = await world.tasks(40);
      await world.database.loseTask(tasks[17] ?? "");
      const answers = await Promise.allSettled(
        tasks.map(async (taskId, i) => pool.enqueue(await world.session(people[i] ?? "", { taskId }))),
      );
      expect(answers.flatMap((answer, i) => (answer.status === "rejected" ? [i] : []))).toEqual([17]);
      expect(await world.database.sessions()).toHaveLength(39);
      expect(pool.vitals().refused).toBe(1);
      expect((await pool.enqueue(await world.session(ann))).existing).toBe(false);
    });

    test("[P13][P22] versions rise, each picture stays what it was, and the figures count", async () => {
      const { pool, waiter } = await world.ready();
      const versions: number[] = [];
      pool.subscribe(({ snapshot }) => versions.push(snapshot.version));
      const [a = "", b = "", c = ""] = await world.dispatch(pool, ann, 3);
      const old = pool.snapshot();
      await waitFor(() => waiter.open.length === 2, "two to run");
      await waiter.finish(a);
      await waiter.finish(b);
      expect(old.user(ann)).toEqual({ running: 2, max: 2, queued: 1 });
      expect(old.session(a)?.position).toBe(0);
      expect(old.session(c)?.position).toBe(1);
      expect(pool.snapshot().user(ann)).toEqual({ running: 1, max: 2, queued: 0 });
      expect(versions).toEqual(versions.toSorted((x, y) => x - y));
      expect(new Set(versions).size).toBe(versions.length);
      expect(pool.vitals()).toMatchObject({
        state: "writing",
        grants: 3,
        releases: 2,
        mailboxDepth: 0,
        idleSlotSeconds: 0,
      });
    });

    test("[P2] what a waiter tells is stored; details alone do not wait for a commit of their own", async () => {
      const { pool, store } = await world.ready();
      const [a = ""] = await world.dispatch(pool, ann, 1);
      const run = { sessionId: a, attempt: 1 };
      const before = store.commits;
      const told = Array.from({ length: 50 }, (_, i) =>
        pool.progress(run, { lastAction: `line ${i}`, outputBytes: i }),
      );
      await Promise.all(told);
      expect(store.commits).toBe(before + 1);
      await pool.progress(run, { phase: "working" });
      expect((await world.stored(a))?.phase).toBe("working");
    });
  });
}
