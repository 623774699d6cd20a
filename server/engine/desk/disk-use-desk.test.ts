import { expect, test } from "vitest";
import type { DiskUse } from "../../ports/workspace";
import { fakeClock } from "../../testing/fake-clock";
import { createDiskUseDesk } from "./disk-use-desk";

const USE: DiskUse = { worktrees: 7, worktreesBytes: 1_200_000_000, repositoryBytes: null };

/** A desk whose measurements end when the test says so. */
function deskWith(waitMs: number) {
  const clock = fakeClock();
  const asked: string[] = [];
  const ends: ((use: DiskUse | Error) => void)[] = [];
  const diskUse = (id: string) => {
    asked.push(id);
    return new Promise<DiskUse>((resolve, reject) => {
      ends.push((use) => (use instanceof Error ? reject(use) : resolve(use)));
    });
  };
  const logged: string[] = [];
  const desk = createDiskUseDesk({ workspace: { diskUse }, clock, log: { warn: (line) => logged.push(line) }, waitMs });
  return { desk, clock, asked, ends, logged };
}
const LONG_MS = 60_000;

test("[R14][P20] many who look at once cause one measurement, and for ten minutes no other one", async () => {
  const { desk, clock, asked, ends } = deskWith(LONG_MS);
  const looks = Array.from({ length: 20 }, () => desk.view("p1"));
  await Promise.resolve();
  expect(asked).toEqual(["p1"]);
  ends[0]?.(USE);
  const measuredAt = new Date(clock.now()).toISOString();
  for (const look of looks) expect(await look).toEqual({ diskUse: { ...USE, measuredAt }, isMeasuring: false });
  clock.forward(600_000);
  expect(await desk.view("p1")).toMatchObject({ diskUse: { measuredAt } });
  expect(asked).toHaveLength(1);
});

test("[R14] older figures are shown with their age while new ones are measured; nobody is kept waiting", async () => {
  const { desk, clock, asked, ends } = deskWith(0);
  expect(await desk.view("p1")).toEqual({ diskUse: null, isMeasuring: true });
  ends[0]?.(USE);
  const measuredAt = new Date(clock.now()).toISOString();
  expect(await desk.view("p1")).toEqual({ diskUse: { ...USE, measuredAt }, isMeasuring: false });
  clock.forward(600_001);
  expect(await desk.view("p1")).toEqual({ diskUse: { ...USE, measuredAt }, isMeasuring: true });
  ends[1]?.({ ...USE, worktrees: 8 });
  const newer = new Date(clock.now()).toISOString();
  expect(await desk.view("p1")).toMatchObject({ diskUse: { worktrees: 8, measuredAt: newer }, isMeasuring: false });
  expect(asked).toHaveLength(2);
});

test("[R14] projects are measured one after the other, and one that cannot be measured says so", async () => {
  const { desk, asked, ends, logged } = deskWith(LONG_MS);
  const looks = [desk.view("p1"), desk.view("p2")];
  await Promise.resolve();
  expect(asked).toEqual(["p1"]);
  ends[0]?.(new Error("no room to measure"));
  expect(await looks[0]).toEqual({ diskUse: null, isMeasuring: false });
  expect(logged.join()).toContain("no room to measure");
  ends[1]?.(USE);
  expect(await looks[1]).toMatchObject({ diskUse: USE });
  expect(asked).toEqual(["p1", "p2"]);
});
