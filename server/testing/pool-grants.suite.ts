/**
 * What the pool gives, to whom and when: dispatches, lines, caps, grants (P1 to P8, P15). Seen from outside, whatever the rows
 * are kept in: run on the memory store and on PostgreSQL.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PoolDatabase, PoolWorld, waitingIn } from "./pool-world";
import { endedWith } from "./scripted-waiter";
import { waitFor } from "./wait-for";

/** A thousand commits one after the other, on a machine that does other things too. */
const ROUNDS_MS = 180_000;

export function poolGrantsSuite(kind: string, open: () => Promise<PoolDatabase>): void {
  describe(`what the pool gives, on ${kind}`, () => {
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

    test("[P3][P9] Retry pressed in the very moment the session ends gives a new session every time", {
      timeout: ROUNDS_MS,
    }, async () => {
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
      expect(waitingIn(first.pool, ann)).toEqual([a, b, c, d]);
      expect(await first.pool.reorder(d, ann, b)).toEqual({ kind: "reordered" });
      expect(await first.pool.reorder(a, ann, null)).toEqual({ kind: "reordered" });
      expect(waitingIn(first.pool, ann)).toEqual([d, b, c, a]);
      expect(await first.pool.reorder(a, ben, null)).toEqual({ kind: "refused", reason: "not-your-line" });
      expect(await first.pool.reorder(a, ann, "nobody")).toEqual({ kind: "refused", reason: "not-before-that" });
      expect(await first.pool.reorder("nobody", ann, null)).toEqual({ kind: "refused", reason: "not-queued" });
      await first.pool.stop();
      const second = await world.ready();
      expect(waitingIn(second.pool, ann)).toEqual([d, b, c, a]);
      const [e = ""] = await world.dispatch(second.pool, ann, 1);
      await second.pool.setCaps({ paused: false, perUserMax: 4 });
      await waitFor(() => second.waiter.history.length === 4, "four grants");
      expect(second.waiter.history.map((granted) => granted.sessionId)).toEqual([d, b, c, a]);
      expect(waitingIn(second.pool, ann)).toEqual([e]);
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
  });
}
