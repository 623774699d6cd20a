/**
 * Several servers on one database (P19): whatever is asked of whichever, one decides, all show the same, and the next writer goes
 * on where the last one was. Run on the memory store and on PostgreSQL.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PoolSnapshot } from "../core/pool/picture";
import { type PoolDatabase, PoolWorld, type Server } from "./pool-world";
import { endedWith } from "./scripted-waiter";
import { waitFor } from "./wait-for";

const SKEW_MS = 600_000;

export function poolFollowersSuite(kind: string, open: () => Promise<PoolDatabase>): void {
  describe(`several servers of the pool on ${kind}`, () => {
    let world: PoolWorld;
    let people: string[] = [];
    let ann = "";

    beforeEach(async () => {
      world = new PoolWorld(await open());
      people = await world.people(6);
      [ann = ""] = people;
    });
    afterEach(() => world.close());

    async function follower(options: Parameters<PoolWorld["serve"]>[0] = {}): Promise<Server> {
      const server = world.serve(options);
      await waitFor(() => server.pool.vitals().state === "following", "it to follow");
      await waitFor(() => server.pool.snapshot().isReady, "it to have a picture");
      return server;
    }

    test("[P13][P19] whatever is done at whichever server, each version is the same picture at all of them", async () => {
      const writer = await world.ready({ firstCaps: { globalMax: 4, perUserMax: 2, paused: false } });
      const servers = [writer, await follower(), await follower()];
      const seen = new Map<string, string[]>();
      for (const { pool } of servers) {
        pool.subscribe(({ snapshot }) => {
          const name = `${snapshot.epoch}.${snapshot.version}`;
          seen.set(name, [...(seen.get(name) ?? []), pictureText(snapshot, people)]);
        });
      }
      const random = numbers(7);
      const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
      for (let step = 0; step < 120; step += 1) {
        const { pool } = pick(servers) ?? writer;
        const userId = pick(people) ?? ann;
        const own = pool.snapshot().line(userId);
        const [one, other] = [pick(own), pick(own)];
        const what = random();
        if (what < 0.5 || !one || !other) await pool.enqueue(await world.session(userId));
        else if (what < 0.6) await pool.cancel(one.id, userId);
        else if (what < 0.7) await pool.reorder(one.id, userId, other.id);
        else if (what < 0.75) await pool.setCaps({ globalMax: 2 + Math.floor(random() * 4), paused: random() < 0.2 });
        else if (what < 0.8) await pool.setUserCap(userId, random() < 0.3 ? null : Math.floor(random() * 4));
        else if (what < 0.85)
          await pool.hold(one.id, random() < 0.5 ? null : { reason: "disk", detail: "d", until: 5 });
        else if (what < 0.9) await pool.rebuild();
        else {
          const running = pick(writer.waiter.open);
          if (running) await writer.waiter.finish(running.id, running.attempt);
        }
      }
      const name = ({ pool }: Server) => `${pool.snapshot().epoch}.${pool.snapshot().version}`;
      await waitFor(() => servers.every((server) => name(server) === name(writer)), "all to be at one version");
      const texts = servers.map(({ pool }) => pictureText(pool.snapshot(), people));
      expect(new Set(texts).size).toBe(1);
      const shared = [...seen.values()].filter((pictures) => pictures.length > 1);
      expect(shared.length).toBeGreaterThan(20);
      for (const pictures of shared) expect(new Set(pictures).size).toBe(1);
      expect(servers.map(({ pool }) => pool.vitals().takeovers)).toEqual([1, 0, 0]);
    });

    test("[P19][P3][P2] dispatches of one task at three servers at once: one session, one place, everybody gets it", async () => {
      const writer = await world.ready();
      const servers = [writer, await follower(), await follower()];
      await world.dispatch(writer.pool, ann, 3);
      const session = await world.session(ann);
      const answers = await Promise.all(servers.flatMap(({ pool }) => [pool.enqueue(session), pool.enqueue(session)]));
      expect(new Set(answers.map(({ sessionId }) => sessionId)).size).toBe(1);
      expect(answers.filter(({ existing }) => !existing)).toHaveLength(1);
      expect(new Set(answers.map(({ position }) => position))).toEqual(new Set([2]));
    });

    test("[P19][P17] what is asked while there is no writer is done by the next one, in spite of nobody's answer", async () => {
      const first = await world.ready();
      const [a = "", , c = ""] = await world.dispatch(first.pool, ann, 3);
      // It cannot be proved that the first is dead: its lease has to run out or be given up.
      const second = await follower({ isProvablyDead: () => false });
      first.store.isAway = true;
      expect(await second.pool.cancel(c, ann)).toEqual({ kind: "written-down" });
      expect(await second.pool.setCaps({ paused: true })).toMatchObject({ paused: true });
      expect(await second.pool.cancel(a, ann)).toEqual({ kind: "written-down" });
      first.store.isAway = false;
      await first.pool.stop();
      await second.pool.ready();
      await waitFor(async () => (await world.stored(a))?.status === "cancelled", "the agent to be stopped");
      expect(await world.stored(c)).toMatchObject({ status: "cancelled", startedAt: null });
      expect(second.pool.caps().paused).toBe(true);
    });

    test("[P19][P8] the lease goes to and fro: what runs is adopted each time and never attended by two", async () => {
      const first = await world.ready();
      const [a = "", b = ""] = await world.dispatch(first.pool, ann, 2);
      await waitFor(() => first.waiter.open.length === 2, "two to run");
      const second = await world.ready({ isProvablyDead: () => true });
      await waitFor(() => first.pool.vitals().state === "following", "the first to follow");
      expect(first.waiter.open).toEqual([]);
      expect(first.pool.mayDrive()).toBe(false);
      await waitFor(() => second.waiter.open.length === 2, "two to be adopted");
      // What the first still has to say about them is nothing to anybody.
      await expect(first.pool.release({ sessionId: a, attempt: 1 }, endedWith({}))).rejects.toThrow("writer");
      await second.pool.stop();
      await waitFor(() => first.pool.vitals().state === "writing", "the first to write again");
      await waitFor(() => first.waiter.open.length === 2, "two to be taken back");
      const entries = first.waiter.history.map(({ sessionId, entry }) => `${entry} ${sessionId}`);
      expect(entries.toSorted()).toEqual([`granted ${a}`, `granted ${b}`, `adopted ${a}`, `adopted ${b}`].toSorted());
      expect(first.pool.vitals().takeovers).toBe(2);
      await first.waiter.finish(a);
      expect(await world.stored(a)).toMatchObject({ status: "succeeded" });
    });

    // Not there at all in a short run: a skipped test counts as failed.
    const testAll: typeof test | (() => void) = process.env.CAMELOT_TEST_ALL ? test : () => {};
    testAll(
      "[P19] the servers' own clocks are ten minutes off and jump: nobody takes over, nobody's place changes",
      async () => {
        let off = SKEW_MS;
        const clock = (by: () => number) => ({ now: () => Date.now() + by(), monotonic: () => performance.now() });
        const writer = await world.ready({ clock: clock(() => off) });
        const other = await follower({ clock: clock(() => -SKEW_MS), isProvablyDead: () => false });
        await world.dispatch(writer.pool, ann, 3);
        const { epoch } = writer.pool.snapshot();
        const began = performance.now();
        // Longer than a lease lives that is not renewed.
        while (performance.now() - began < 18_000) {
          off = -off;
          await world.dispatch(off > 0 ? writer.pool : other.pool, ann, 1);
          await new Promise((resolve) => setTimeout(resolve, 1_000));
        }
        const line = writer.pool.snapshot().line(ann);
        const stored = (await world.database.sessions()).toSorted((x, y) => x.seq - y.seq);
        expect(line.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
        expect([writer.pool.snapshot().epoch, other.pool.vitals().takeovers]).toEqual([epoch, 0]);
      },
      60_000,
    );
  });
}

/** All that a picture says but its estimates. */
function pictureText(snapshot: PoolSnapshot, people: readonly string[]): string {
  const { epoch, version, at, paused, isReady, global, perUserMax } = snapshot;
  const sessions = snapshot.sessions(1_000).map((session) => ({ ...session, startsIn: null }));
  const users = people.map((id) => [id, snapshot.user(id)]);
  return JSON.stringify({ epoch, version, at: Math.round(at), paused, isReady, global, perUserMax, sessions, users });
}

/** The same numbers between 0 and 1 for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
