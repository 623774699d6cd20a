/**
 * What the pool does when something breaks: a commit's reply is lost, the database is away, the loop throws, the server dies,
 * another server is there. Run on the memory store and on PostgreSQL; one list, so that nothing that can break is missed.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PoolUnavailable } from "../engine/pool";
import { LEASE_TTL_MS } from "../engine/pool/writer/lease";
import { type PoolDatabase, PoolWorld } from "./pool-world";
import { endedWith } from "./scripted-waiter";
import { waitFor } from "./wait-for";

export function poolFaultsSuite(kind: string, open: () => Promise<PoolDatabase>): void {
  describe(`the pool on ${kind}, when something breaks`, () => {
    let world: PoolWorld;
    let ann = "";
    let ben = "";

    beforeEach(async () => {
      world = new PoolWorld(await open());
      [ann = "", ben = ""] = await world.people(10);
    });
    afterEach(() => world.close());

    for (const fault of ["before", "after"] as const) {
      test(`[P11] a connection cut ${fault} the statement: everybody gets the right answer, nothing happens twice`, async () => {
        const { pool, store, waiter } = await world.ready();
        const [a = "", b = "", c = ""] = await world.dispatch(pool, ann, 3);
        await waitFor(() => waiter.open.length === 2, "two to run");
        const seen: string[] = [];
        pool.subscribe(({ snapshot }) => seen.push(`${snapshot.epoch}`));
        const { epoch } = pool.snapshot();

        store.faults.push(fault);
        expect(await pool.enqueue(await world.session(ben))).toMatchObject({ existing: false, position: 0 });
        store.faults.push(fault);
        await pool.release({ sessionId: a, attempt: 1 }, endedWith({}));
        waiter.vanish(a);
        expect(pool.snapshot().session(c)?.position).toBe(0);
        store.faults.push(fault);
        expect(await pool.requeue({ sessionId: b, attempt: 1 })).toBe("requeued");
        const [d = ""] = await world.dispatch(pool, ann, 1);
        store.faults.push(fault);
        expect(await pool.cancel(d, ann)).toEqual({ kind: "left-the-line" });

        await waitFor(() => waiter.open.length === 3, "the granted ones to be attended");
        const granted = waiter.history.map((entry) => `${entry.sessionId}/${entry.attempt}`);
        expect(new Set(granted).size).toBe(granted.length);
        expect(pool.snapshot().epoch).toBeGreaterThan(epoch);
        expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((x, y) => x - y));
        const stored = await world.database.sessions();
        expect(
          stored
            .filter((row) => row.status === "running")
            .map((row) => row.id)
            .sort(),
        ).toEqual(waiter.open.map((session) => session.id).sort());
        expect(stored.find((row) => row.id === d)).toMatchObject({ status: "cancelled", startedAt: null });
      });
    }

    test("[P11] nothing is announced before its commit", async () => {
      const { pool, store, waiter } = await world.ready();
      const before = pool.snapshot();
      store.isAway = true;
      const session = await world.session(ann);
      const asked = pool.enqueue(session).catch((error: unknown) => error);
      expect(await asked).toBeInstanceOf(PoolUnavailable);
      expect(pool.snapshot()).toBe(before);
      expect(waiter.history).toEqual([]);
      store.isAway = false;
      await waitFor(() => pool.vitals().state === "writing", "the writer to come back");
      expect(await world.database.sessions()).toEqual([]);
    });

    test("[P1][R10] while the database is away callers are told and do not wait for it; what ended is written when it is back", async () => {
      const { pool, store, waiter } = await world.ready();
      const [a = "", , c = ""] = await world.dispatch(pool, ann, 3);
      await waitFor(() => waiter.open.length === 2, "two to run");
      store.isAway = true;
      const endedAt = Date.now() - 5_000;
      const finished = waiter.finish(a, 1, endedWith({ status: "failed", exitCode: 3, endedAt }));
      await expect(pool.enqueue(await world.session(ben))).rejects.toThrow(PoolUnavailable);
      await expect(pool.cancel(c, ann)).rejects.toThrow(PoolUnavailable);
      store.isAway = false;
      await finished;
      expect(await world.stored(a)).toMatchObject({ status: "failed", exitCode: 3 });
      expect(pool.snapshot().session(c)?.position).toBe(0);
      expect((await pool.enqueue(await world.session(ben))).position).toBe(0);
    });

    test("[P18] the loop throws: callers in flight get an answer or are told to try again, and it goes on from rows", async () => {
      const { pool, waiter } = await world.ready();
      const sessions = await world.dispatch(pool, ann, 4);
      await waitFor(() => waiter.open.length === 2, "two to run");
      pool.crashNext?.();
      const [asked, ended] = await Promise.allSettled([
        pool.enqueue(await world.session(ben)),
        waiter.finish(sessions[0] ?? ""),
      ]);
      expect(ended.status).toBe("fulfilled");
      if (asked.status === "rejected") expect(asked.reason).toBeInstanceOf(PoolUnavailable);
      await waitFor(() => pool.vitals().state === "writing" && pool.snapshot().isReady, "it to be rebuilt");
      expect(pool.vitals().crashes).toBe(1);
      expect((await pool.enqueue(await world.session(ben))).position).toBe(0);
      expect(pool.snapshot().user(ann)).toEqual({ running: 2, max: 2, queued: 1 });
      expect(waiter.history.filter((entry) => entry.entry === "adopted")).toEqual([]);
      expect(waiter.history.map((entry) => entry.sessionId)).toHaveLength(
        new Set(waiter.history.map((e) => e.sessionId)).size,
      );
    });

    test("[P18] more than three crashes in five seconds end the process with the reason", async () => {
      const { pool, fatal } = await world.ready();
      for (let crash = 0; crash < 4; crash += 1) {
        await waitFor(() => pool.vitals().state === "writing" || fatal.length > 0, "it to be rebuilt");
        pool.crashNext?.();
        await waitFor(() => pool.vitals().crashes === crash + 1, "the crash");
      }
      await waitFor(() => fatal.length === 1, "the process to be ended");
      expect(fatal[0]).toContain("a test asked the pool's loop to crash");
    });

    test("[P18] rebuilt from rows by hand, the picture is the same", async () => {
      const { pool } = await world.ready();
      await pool.setUserCap(ann, 3);
      await world.dispatch(pool, ann, 6);
      const [, , third = ""] = await world.dispatch(pool, ben, 4);
      await pool.hold(third, { reason: "disk", detail: null, until: null });
      const before = pool.snapshot();
      const after = await pool.rebuild();
      expect(after.version).toBeGreaterThan(before.version);
      expect(after.sessions(100)).toEqual(before.sessions(100));
      expect([...after.users()].sort()).toEqual([...before.users()].sort());
      expect(pool.vitals()).toMatchObject({ rebuilds: 1, crashes: 0 });
    });

    test("[P12] at boot every running session is looked at before anything is granted", async () => {
      const first = await world.ready({ firstCaps: { globalMax: 5, perUserMax: 5, paused: false } });
      const [alive = "", done = "", given = "", lost = "", silent = ""] = await world.dispatch(first.pool, ann, 5);
      const [waiting = ""] = await world.dispatch(first.pool, ben, 1);
      first.kill();
      let probed = 0;
      const second = world.serve({
        probe: async ({ id }) => {
          probed += 1;
          if (id === silent) return new Promise(() => {});
          if (id === done) return { kind: "finish", ended: endedWith({ exitCode: 7, status: "failed" }) };
          if (id === given) return { kind: "requeue" };
          if (id === lost) return { kind: "lost", detail: null };
          return { kind: "adopt" };
        },
      });
      await waitFor(() => probed === 5, "all to be asked about");
      // Accepted while it boots, and told that the pool is starting.
      const [early = ""] = await world.dispatch(second.pool, ben, 1);
      expect(second.pool.snapshot().session(early)?.waitingFor).toEqual({ reason: "pool-starting" });
      expect(second.pool.snapshot().global.running).toBeGreaterThanOrEqual(2);
      await second.pool.ready();
      await waitFor(() => second.waiter.open.length === 5, "the slots to be filled again");
      const entries = new Map(
        second.waiter.history.map((entry) => [`${entry.sessionId}/${entry.attempt}`, entry.entry]),
      );
      expect(entries).toEqual(
        new Map([
          [`${alive}/1`, "adopted"],
          [`${silent}/1`, "adopted"],
          [`${waiting}/1`, "granted"],
          [`${early}/1`, "granted"],
          [`${given}/2`, "granted"],
        ]),
      );
      expect(await world.stored(done)).toMatchObject({ status: "failed", exitCode: 7 });
      expect(await world.stored(lost)).toMatchObject({ status: "failed", failureKind: "runner-lost" });
    });

    test("[P4][P12] more may be adopted than a cap allows; then nothing is granted until it is under", async () => {
      const first = await world.ready();
      await first.pool.setUserCap(ann, 6);
      const [a = "", b = "", c = ""] = await world.dispatch(first.pool, ann, 5);
      await first.pool.setUserCap(ann, 2);
      first.kill();
      const second = await world.ready();
      expect(second.pool.snapshot().user(ann)).toEqual({ running: 5, max: 2, queued: 0 });
      const [late = ""] = await world.dispatch(second.pool, ann, 1);
      await waitFor(() => second.waiter.open.length === 5, "all five to be adopted");
      for (const id of [a, b, c]) {
        expect(second.pool.snapshot().session(late)?.waitingFor?.reason).toBe("your-limit");
        await second.waiter.finish(id);
      }
      expect(second.pool.snapshot().user(ann).running).toBe(2);
      await second.waiter.finish(second.waiter.open[0]?.id ?? "");
      expect(second.pool.snapshot().session(late)?.position).toBe(0);
    });

    test("[P12][P19] after a kill -9 the next server takes over at once, keeps order and caps, and adopts what runs", async () => {
      const first = await world.ready();
      const anns = await world.dispatch(first.pool, ann, 5);
      first.kill();
      const startedAt = performance.now();
      const second = await world.ready();
      // Before the lease of the dead one could run out.
      expect(performance.now() - startedAt).toBeLessThan(LEASE_TTL_MS);
      expect(
        second.pool
          .snapshot()
          .line(ann)
          .map((session) => [session.id, session.position]),
      ).toEqual(anns.map((id, i) => [id, Math.max(0, i - 1)]));
      await waitFor(() => second.waiter.open.length === 2, "two to be adopted");
      expect(second.waiter.history.map((entry) => entry.entry)).toEqual(["adopted", "adopted"]);
      await second.waiter.finish(anns[0] ?? "");
      await waitFor(() => second.waiter.history.length === 3, "the third to be granted");
      expect(second.waiter.history.at(-1)).toEqual({ sessionId: anns[2], attempt: 1, entry: "granted" });
    });

    test("[P19] a writer whose lease was taken changes nothing any more and lets go of its memory", async () => {
      const first = await world.ready();
      const [a = "", , c = ""] = await world.dispatch(first.pool, ann, 3);
      await waitFor(() => first.waiter.open.length === 2, "two to run");
      // The second thinks the first is dead, while it is not.
      const second = await world.ready({ isProvablyDead: () => true });
      void first.pool.release({ sessionId: a, attempt: 1 }, endedWith({})).catch(() => {});
      const cancelled = first.pool.cancel(c, ann);
      await waitFor(() => first.pool.vitals().state === "following", "the first to notice");
      expect(await world.stored(a)).toMatchObject({ status: "running" });
      // What somebody wished at the one is done by the other.
      await cancelled;
      await waitFor(async () => (await world.stored(c))?.status === "cancelled", "the wish to be granted");
      expect(first.waiter.open).toEqual([]);
      await second.waiter.finish(a);
      expect(await world.stored(a)).toMatchObject({ status: "succeeded" });
      const { epoch } = second.pool.snapshot();
      await waitFor(() => first.pool.snapshot().epoch === epoch, "the first to follow the second");
    });

    test("[P1][P19][P5] a server that is not the writer accepts dispatches; the next writer takes them in, in order", async () => {
      const first = await world.ready({ firstCaps: { globalMax: 20, perUserMax: 1, paused: false } });
      await world.dispatch(first.pool, ann, 1);
      const second = world.serve();
      await waitFor(() => second.pool.vitals().state === "following", "the second to wait");
      const session = await world.session(ann);
      const answers = [await second.pool.enqueue(session), await second.pool.enqueue(session)];
      expect(answers.map(({ position, existing }) => ({ position, existing }))).toEqual([
        { position: 1, existing: false },
        { position: 1, existing: true },
      ]);
      const [third = ""] = await world.dispatch(second.pool, ann, 1);
      await first.pool.stop();
      await second.pool.ready();
      const waiting = second.pool.snapshot().line(ann).slice(1);
      expect(waiting.map(({ id, position }) => [id, position])).toEqual([
        [answers[0]?.sessionId, 1],
        [third, 2],
      ]);
    });

    test("[P19] a row that somebody else inserted is found and granted without another push", async () => {
      const { pool, store } = await world.ready();
      await store.insertQueued("from-elsewhere", await world.session(ann), Date.now());
      await waitFor(() => pool.snapshot().session("from-elsewhere")?.status === "running", "it to be granted", 5_000);
    });

    test("[P19][R5] a planned stop writes what is waiting and hands over at once", async () => {
      const first = await world.ready();
      const [a = "", b = ""] = await world.dispatch(first.pool, ann, 3);
      const second = world.serve({ isProvablyDead: () => false });
      await waitFor(() => second.pool.vitals().state === "following", "the second to wait");
      const finished = first.waiter.finish(a);
      const startedAt = performance.now();
      await Promise.all([first.pool.stop(), finished]);
      await second.pool.ready();
      // It was given up: nobody waited for it to run out.
      expect(performance.now() - startedAt).toBeLessThan(LEASE_TTL_MS);
      expect(await world.stored(a)).toMatchObject({ status: "succeeded" });
      expect(second.pool.snapshot().session(b)?.position).toBe(0);
      await expect(first.pool.enqueue(await world.session(ben))).rejects.toThrow(PoolUnavailable);
      // The stopped server lets go of its waiters; it does not settle what the next one has adopted.
      first.waiter.vanish(b);
      expect(second.pool.snapshot().session(b)?.position).toBe(0);
    });
  });
}
