/**
 * What the pool does, whatever its rows are kept in: run on the memory store and on PostgreSQL. Titles quote the rules of
 * docs/spec.md. Everything is seen from outside: answers, snapshots, committed rows, and what the waiter was told.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PoolDatabase } from "./pool-world";
import { PoolWorld } from "./pool-world";
import { waitFor } from "./wait-for";

export function poolSuite(kind: string, open: () => Promise<PoolDatabase>): void {
  describe(`the pool on ${kind}`, () => {
    let world: PoolWorld;
    beforeEach(async () => {
      world = new PoolWorld(await open());
    });
    afterEach(() => world.close());

    test("[P1][P2] a dispatch is accepted whatever the load and told its position", async () => {
      const { pool } = await world.ready();
      const [ann = ""] = await world.people(1);
      const answers = [];
      for (let i = 0; i < 4; i += 1) answers.push(await pool.enqueue(await world.session(ann)));
      expect(answers.map((answer) => answer.position)).toEqual([0, 0, 1, 2]);
      expect(answers.every((answer) => !answer.existing)).toBe(true);
      expect(pool.snapshot().user(ann)).toEqual({ running: 2, max: 2, queued: 2 });
      const stored = await world.database.sessions();
      expect(stored.map((session) => session.status).sort()).toEqual(["queued", "queued", "running", "running"]);
    });

    test("[P7][P10] a session that ends gives its slot to the next in the same commit", async () => {
      const { pool, waiter } = await world.ready();
      const [ann = ""] = await world.people(1);
      const [first = "", second = "", third = ""] = await world.dispatch(pool, ann, 3);
      await waitFor(() => waiter.open.length === 2, "two granted");
      await waiter.finish(first);
      expect(pool.snapshot().session(third)?.position).toBe(0);
      expect(pool.snapshot().session(first)).toBeUndefined();
      await waitFor(() => waiter.open.some((session) => session.id === third), "the third");
      expect(waiter.open.map((session) => session.id).sort()).toEqual([second, third].sort());
      expect(await world.stored(first)).toMatchObject({ status: "succeeded", exitCode: 0, seat: null });
    });
  });
}
