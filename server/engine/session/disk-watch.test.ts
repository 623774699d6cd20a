import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryPoolDatabase } from "../../testing/memory-pool-database";
import { PoolWorld } from "../../testing/pool-world";
import { waitFor } from "../../testing/wait-for";
import { watchDisk } from "./disk-watch";

let world: PoolWorld;

beforeEach(async () => {
  world = new PoolWorld(memoryPoolDatabase());
  await world.people(2);
});
afterEach(() => world.close());

describe("a disk that is nearly full", () => {
  it("[R14][P1][P7][P14] nothing is granted and every waiting session says `disk`; with room again all of it fills by itself", async () => {
    const { pool, waiter } = await world.ready();
    const [running = ""] = await world.dispatch(pool, "user-1", 1);
    const said: string[] = [];
    const disk = { free: 999_999_999 };
    const log = { info: (line: string) => void said.push(line), warn: (line: string) => void said.push(line) };
    const watch = watchDisk({ freeBytes: async () => disk.free, pool, log, leastBytes: 1_000_000_000 });
    await waitFor(() => said.length === 1, "the shortage to be told");
    const ids = await world.dispatch(pool, "user-1", 3);
    await waiter.finish(running);
    const snapshot = pool.snapshot();
    expect(ids.map((id) => snapshot.session(id))).toMatchObject([
      { status: "queued", position: 1, waitingFor: { reason: "disk" } },
      { status: "queued", position: 2, waitingFor: { reason: "disk" } },
      { status: "queued", position: 3, waitingFor: { reason: "disk" } },
    ]);
    // Memory made anew from rows knows it too.
    expect((await pool.rebuild()).session(ids[0] ?? "")?.waitingFor).toEqual({ reason: "disk" });
    expect(pool.snapshot().global.running).toBe(0);

    await pool.setCaps({ paused: true });
    expect(pool.snapshot().session(ids[0] ?? "")?.waitingFor).toEqual({ reason: "paused" });
    await pool.setCaps({ paused: false });
    disk.free = 1_000_000_000;
    await watch.look();
    await waitFor(() => pool.snapshot().user("user-1").running === 2, "both slots to be filled");
    expect(pool.snapshot().session(ids[2] ?? "")).toMatchObject({ position: 1, waitingFor: { reason: "your-limit" } });
    expect(said).toEqual([expect.stringContaining("only 999 MB are free"), "the disk has room again"]);
    watch.stop();
  });

  it("[R14] looks by itself, and a disk that cannot be asked changes nothing", async () => {
    const told: boolean[] = [];
    let looks = 0;
    const freeBytes = async () => {
      looks += 1;
      if (looks > 2) throw new Error("EIO");
      return looks === 1 ? 5 : 50;
    };
    const log = { info: () => {}, warn: () => {} };
    const pool = { setDiskShort: (isShort: boolean) => void told.push(isShort) };
    const watch = watchDisk({ freeBytes, pool, log, leastBytes: 10, lookEveryMs: 5 });
    await waitFor(() => looks > 4, "five looks");
    watch.stop();
    expect(told).toEqual([true, false]);
  });
});
