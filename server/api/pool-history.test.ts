import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addWait } from "../core/session/wait-spread";
import type { HistoryMinute } from "../ports/pool-history";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { memoryPoolHistory } from "../testing/memory-pool-history";
import { historyView } from "./pool-history";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 0, 8, 12, 0, 30);

function minute(at: number, seats: number, waitsSeconds: readonly number[] = []): HistoryMinute {
  const waits: number[] = [];
  for (const seconds of waitsSeconds) addWait(waits, seconds * 1_000);
  const time = { seconds: 60, seatSeconds: seats * 60, capSeconds: 1_200, waitingSeconds: 90 };
  return { at, source: "one", ...time, grants: waitsSeconds.length, ended: 2, failed: 1, commits: 5, waits };
}

describe("[P22][B9] the pool's history", () => {
  let world: ApiWorld;
  beforeAll(async () => {
    world = await apiWorld();
    await world.addUser("anna");
  });
  afterAll(async () => {
    expect(world.bugs).toEqual([]);
    await world.close();
  });

  test("[P22][L4] of a pool that nobody counted yet is empty; of one that was, numbers and times and nothing else", async () => {
    const empty = (await world.ask("anna", "GET", "/pool/history")).body;
    expect(empty).toMatchObject({ stepSeconds: 900, wait: null, points: [] });
    expect(Date.parse(empty.to) - Date.parse(empty.from)).toBeGreaterThan(24 * HOUR_MS - 15 * MINUTE_MS);
    const at = Math.floor(Date.now() / MINUTE_MS - 1) * MINUTE_MS;
    await world.history.keep([minute(at, 3, [10])]);
    const { body } = await world.ask("anna", "GET", "/pool/history?hours=1");
    const { wait, ...point } = body.points[0];
    expect(point).toEqual({
      at: new Date(at).toISOString(),
      running: 3,
      max: 20,
      waiting: 1.5,
      grants: 1,
      ended: 2,
      failed: 1,
      commits: 5,
    });
    expect(wait.p50 / 10).toBeCloseTo(1, 0);
  });

  test("[P22] for other hours than a week has it is refused in words", async () => {
    for (const hours of ["0", "169", "1.5", "-1", "all"]) {
      const { status, body } = await world.ask("anna", "GET", `/pool/history?hours=${hours}`);
      expect([status, body.code], hours).toEqual([400, "BAD_REQUEST"]);
    }
    const { body } = await world.ask("anna", "GET", "/pool/history?hours=169");
    expect(body.message).toBe("A whole number of hours from 1 to 168 is needed.");
    expect((await world.ask("anna", "GET", "/pool/history?hours=168")).status).toBe(200);
  });

  test("[P22] however long it is, at most a hundred points, whose means are over the time that was watched", async () => {
    const store = memoryPoolHistory();
    const minutes = Array.from({ length: 7 * 24 * 60 }, (_, ago) => NOW - (NOW % MINUTE_MS) - ago * MINUTE_MS);
    await store.keep(minutes.map((at) => minute(at, 2)));
    await store.keep([{ ...minute(NOW - (NOW % MINUTE_MS), 20), source: "two" }]);
    for (const hours of [1, 2, 6, 24, 49, 168]) {
      const { points, stepSeconds } = await historyView(store, hours, NOW);
      expect(points.length, `${hours} h`).toBeLessThanOrEqual(100);
      expect(points.length * stepSeconds, `${hours} h`).toBeGreaterThan(hours * 3_600 - 2 * stepSeconds);
      expect(points[0]?.running).toBe(2);
    }
    const { points } = await historyView(store, 1, NOW);
    expect(points.at(-1)).toMatchObject({ running: 11, max: 20 });
  });

  test("[P22] waits of a step, and of all of it", async () => {
    const store = memoryPoolHistory();
    await store.keep([minute(NOW - 30 * MINUTE_MS, 1, [60, 60, 60, 600]), minute(NOW - 10 * MINUTE_MS, 1, [3_600])]);
    const { points, wait } = await historyView(store, 1, NOW);
    const near = (seconds: number) => expect.closeTo(seconds, -Math.log10(seconds / 5));
    expect(points.map((point) => point.wait)).toEqual([
      { p50: near(60), p95: near(600) },
      { p50: near(3_600), p95: near(3_600) },
    ]);
    expect(wait).toEqual({ p50: near(60), p95: near(3_600) });
  });
});
