/**
 * What the pool does, whatever its rows are kept in: run on the memory store and on PostgreSQL. Titles quote the rules of
 * docs/spec.md. Everything is seen from outside: answers, snapshots, committed rows, and what the waiter was told.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PoolDatabase, PoolWorld } from "./pool-world";
import { endedWith } from "./scripted-waiter";
import { waitFor } from "./wait-for";

export function poolSuite(kind: string, open: () => Promise<PoolDatabase>): void {
  describe(`the pool on ${kind}`, () => {
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

    const line = (
      pool: { snapshot(): { line(id: string): readonly { id: string; position: number | null }[] } },
      of: string,
    ) =>
      pool
        .snapshot()
        .line(of)
        .filter((session) => session.position !== 0)
        .map((session) => session.id);

    test("[P1][P2] a dispatch is accepted whatever the load and told its position", async () => {
      const { pool } = await world.ready();
      const positions = [];
      for (let i = 0; i < 4; i += 1) positions.push((await pool.enqueue(await world.session(ann))).position);
      expect(positions).toEqual([0, 0, 1, 2]);
      expect(pool.snapshot().user(ann)).toEqual({ running: 2, max: 2, queued: 2 });
      const stored = await world.database.sessions();
      expect(stored.map((session) => session.status).sort()).toEqual(["queued", "queued", "running", "running"]);
    });

    test("[P15][P13] after 20 endings whoever waits is told a range, in the same version; a restart forgets none of them", async () => {
      const firstCaps = { globalMax: 1, perUserMax: 5, paused: false };
      const first = await world.ready({ firstCaps });
      const { pool, waiter } = first;
      const endInAMinute = async (id: string) => {
        const startedAt = pool.snapshot().session(id)?.startedAt ?? 0;
        await waiter.finish(id, 1, endedWith({ endedAt: startedAt + 60_000 }));
      };
      const ids = await world.dispatch(pool, ann, 21);
      for (const id of ids.slice(0, 19)) await endInAMinute(id);
      const [twentieth = "", last = ""] = ids.slice(19);
      expect(pool.snapshot().session(last)).toMatchObject({ position: 1, startsIn: null });
      // Withdrawn while it waited: it held no slot and says nothing about how long one is held.
      const [withdrawn = ""] = await world.dispatch(pool, ben, 1);
      await pool.cancel(withdrawn, ben);
      await endInAMinute(twentieth);
      const [next = ""] = await world.dispatch(pool, ben, 1);
      const { version } = pool.snapshot();
      const startsIn = () => pool.snapshot().session(next)?.startsIn ?? null;
      await waitFor(() => startsIn() !== null, "an estimate");
      expect(pool.snapshot().version).toBe(version);
      // What runs has run for some seconds, on a busy machine for some more.
      const isInAMinute = (range: { p50: number } | null) => range !== null && range.p50 > 20 && range.p50 <= 60;
      expect(startsIn()).toSatisfy(isInAMinute);
      await pool.setCaps({ paused: true });
      expect(startsIn()).toBeNull();
      await pool.setCaps({ paused: false });
      await pool.stop();
      const second = await world.ready({ firstCaps });
      const again = () => second.pool.snapshot().session(next)?.startsIn ?? null;
      await waitFor(() => again() !== null, "the estimate of another server");
      expect(again()).toSatisfy(isInAMinute);
    });

    test("[P3] thirty dispatches of one task at once: one session, and everybody gets it", async () => {
      const { pool } = await world.ready();
      const session = await world.session(ann);
      const answers = await Promise.all(Array.from({ length: 30 }, () => pool.enqueue(session)));
      expect(new Set(answers.map((answer) => answer.sessionId)).size).toBe(1);
      expect(answers.filter((answer) => !answer.existing)).toHaveLength(1);
      expect(await world.database.sessions()).toHaveLength(1);
    });

    test("[P3] a dispatch meets a row the writer has never heard of: everybody gets that row's session", async () => {
      const { pool, store } = await world.ready();
      const session = await world.session(ann);
      await store.insertQueued("from-elsewhere", session, Date.now());
      expect(await pool.enqueue({ ...session, userId: ben })).toMatchObject({
        sessionId: "from-elsewhere",
        existing: true,
      });
      expect(await world.database.sessions()).toHaveLength(1);
      await waitFor(() => pool.snapshot().session("from-elsewhere")?.status === "running", "it to be granted");
    });

    test("[P3][P9] Retry pressed in the very moment the session ends gives a new session every time", async () => {
      const { pool, waiter } = await world.ready();
      const session = await world.session(ann);
      const rounds = process.env.CAMELOT_TEST_ALL || kind === "memory" ? 1_000 : 200;
      let last = (await pool.enqueue(session)).sessionId;
      for (let i = 0; i < rounds; i += 1) {
        const [, again] = await Promise.all([waiter.finish(last), pool.enqueue(session)]);
        // In one batch the ending comes first and the new session waits for the next commit.
        expect(again.existing).toBe(false);
        expect(again.position).toBe(0);
        last = again.sessionId;
      }
      const stored = await world.database.sessions();
      expect(stored.filter((row) => row.status === "succeeded")).toHaveLength(rounds);
      expect(stored.filter((row) => row.status === "running")).toHaveLength(1);
    });

    test("[P1][P4] a thousand dispatches by fifty people: all accepted, caps kept in the committed rows, positions 1…n", async () => {
      const violations = await world.database.watchCaps({ globalMax: 20, perUserMax: 2 });
      const { pool, waiter } = await world.ready();
      waiter.endsAfterMs = () => Math.random() * 5;
      const broken: string[] = [];
      pool.subscribe(({ snapshot, touched }) => {
        for (const userId of touched === "all" ? people : touched) {
          const waiting = snapshot.line(userId).filter((session) => session.position !== 0);
          const isWhole = waiting.every((session, i) => session.position === i + 1);
          if (!isWhole) broken.push(`${snapshot.version} ${userId}`);
        }
      });
      const tasks = await world.tasks(1_000);
      const answers = await Promise.all(
        tasks.map(async (taskId, i) => pool.enqueue(await world.session(people[i % 50] ?? "", { taskId }))),
      );
      expect(answers.every((answer) => !answer.existing && answer.position !== null)).toBe(true);
      await waitFor(() => pool.snapshot().global.running + pool.snapshot().global.queued === 0, "all to end", 60_000);
      expect(await violations()).toBe(0);
      expect(broken).toEqual([]);
      const stored = await world.database.sessions();
      expect(stored.filter((session) => session.status === "succeeded")).toHaveLength(1_000);
      for (const userId of people) {
        const own = stored.filter((session) => session.userId === userId);
        const inGrantOrder = own
          .toSorted((a, b) => (a.grantSeq ?? 0) - (b.grantSeq ?? 0))
          .map((session) => session.seq);
        expect(inGrantOrder).toEqual(inGrantOrder.toSorted((a, b) => a - b));
      }
    });

    test("[P5] a line keeps the order of dispatch, also over a restart; its user may change it", async () => {
      const first = await world.ready();
      await first.pool.setCaps({ paused: true });
      const [a = "", b = "", c = "", d = ""] = await world.dispatch(first.pool, ann, 4);
      expect(line(first.pool, ann)).toEqual([a, b, c, d]);
      expect(await first.pool.reorder(d, ann, b)).toEqual({ kind: "reordered" });
      expect(await first.pool.reorder(a, ann, null)).toEqual({ kind: "reordered" });
      expect(line(first.pool, ann)).toEqual([d, b, c, a]);
      expect(await first.pool.reorder(a, ben, null)).toEqual({ kind: "refused", reason: "not-your-line" });
      expect(await first.pool.reorder("nobody", ann, null)).toEqual({ kind: "refused", reason: "not-queued" });
      await first.pool.stop();
      const second = await world.ready();
      expect(line(second.pool, ann)).toEqual([d, b, c, a]);
      const [e = ""] = await world.dispatch(second.pool, ann, 1);
      await second.pool.setCaps({ paused: false, perUserMax: 4 });
      await waitFor(() => second.waiter.history.length === 4, "four grants");
      expect(second.waiter.history.map((granted) => granted.sessionId)).toEqual([d, b, c, a]);
      expect(line(second.pool, ann)).toEqual([e]);
    });

    test("[P6] nobody gets a second slot while somebody eligible has none", async () => {
      const { pool, waiter } = await world.ready({ firstCaps: { globalMax: 3, perUserMax: 3, paused: true } });
      const anns = await world.dispatch(pool, ann, 5);
      const bens = await world.dispatch(pool, ben, 1);
      const carls = await world.dispatch(pool, people[2] ?? "", 1);
      await pool.setCaps({ paused: false });
      await waitFor(() => waiter.history.length === 3, "three grants");
      expect(waiter.history.map((granted) => granted.sessionId)).toEqual([anns[0], bens[0], carls[0]]);
      await waiter.finish(bens[0] ?? "");
      await waitFor(() => waiter.history.length === 4, "the next grant");
      expect(waiter.history.at(-1)?.sessionId).toBe(anns[1]);
    });

    test("[P7][P10] a session that ends gives its slot to the next in the same commit", async () => {
      const { pool, waiter, store } = await world.ready();
      const [first = "", second = "", third = ""] = await world.dispatch(pool, ann, 3);
      await waitFor(() => waiter.open.length === 2, "two granted");
      const before = store.commits;
      await waiter.finish(first);
      expect(store.commits).toBe(before + 1);
      expect(pool.snapshot().session(third)?.position).toBe(0);
      expect(pool.snapshot().session(first)).toBeUndefined();
      await waitFor(() => waiter.open.some((session) => session.id === third), "the third to be attended");
      expect(waiter.open.map((session) => session.id).sort()).toEqual([second, third].sort());
      expect(await world.stored(first)).toMatchObject({ status: "succeeded", exitCode: 0, seat: null });
    });

    test("[QUE-3][P7] raising a cap starts waiting sessions with no other push, and holds after a restart", async () => {
      const { pool, waiter } = await world.ready();
      const sessions = await world.dispatch(pool, ann, 5);
      await pool.setUserCap(ann, 4);
      await waitFor(() => waiter.open.length === 4, "the two oldest to start");
      expect(waiter.open.map((session) => session.id)).toEqual(sessions.slice(0, 4));
      expect(pool.snapshot().session(sessions[4] ?? "")?.position).toBe(1);
      await pool.stop();
      const again = await world.ready();
      expect(again.pool.snapshot().user(ann)).toEqual({ running: 4, max: 4, queued: 1 });
    });

    test("[QUE-3][P7] raising the global cap fills all the room that appears", async () => {
      const { pool, waiter } = await world.ready({ firstCaps: { globalMax: 2, perUserMax: 2, paused: false } });
      await world.dispatch(pool, ann, 3);
      await world.dispatch(pool, ben, 2);
      expect(pool.snapshot().global).toEqual({ running: 2, max: 2, queued: 3 });
      expect(await pool.setCaps({ globalMax: 4 })).toEqual({ globalMax: 4, perUserMax: 2, paused: false });
      await waitFor(() => waiter.open.length === 4, "two more");
      expect(pool.snapshot().user(ann)).toEqual({ running: 2, max: 2, queued: 1 });
      expect(pool.snapshot().user(ben)).toEqual({ running: 2, max: 2, queued: 0 });
    });

    test("[P4] a cap lowered under load kills nobody; nothing is granted until it is under, then exactly", async () => {
      const { pool, waiter } = await world.ready({ firstCaps: { globalMax: 6, perUserMax: 3, paused: false } });
      await world.dispatch(pool, ann, 5);
      await world.dispatch(pool, ben, 5);
      await waitFor(() => waiter.open.length === 6, "six to run");
      await pool.setCaps({ globalMax: 2 });
      await pool.setUserCap(ann, 1);
      const running = waiter.open.map((session) => session.id);
      expect(waiter.stops).toEqual([]);
      for (const id of running.slice(0, 4)) {
        await waiter.finish(id);
        expect(pool.snapshot().global.running).toBe(6 - running.indexOf(id) - 1);
      }
      await waiter.finish(running[4] ?? "");
      expect(pool.snapshot().global.running).toBe(2);
      expect(pool.snapshot().user(ann).running).toBeLessThanOrEqual(1);
    });

    test("[P8][P20] every grant is attended exactly once, however slow its waiter is", async () => {
      const { pool, waiter } = await world.ready();
      const sessions = await world.dispatch(pool, ann, 6);
      for (let i = 0; i < 4; i += 1) {
        await waitFor(() => waiter.open.length === 2, "two to be attended");
        await waiter.finish(waiter.open[0]?.id ?? "");
      }
      await waitFor(() => waiter.open.length === 2, "the last two");
      expect(waiter.history.map((granted) => granted.sessionId)).toEqual(sessions);
      expect(waiter.history.every((granted) => granted.entry === "granted" && granted.attempt === 1)).toBe(true);
    });

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
      expect(line(pool, ann)).toEqual([b, c]);
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
