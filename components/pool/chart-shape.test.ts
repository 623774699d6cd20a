import { expect, test } from "vitest";
import { ticksOf } from "./chart";
import { axisEnd, levelArea, levelLine, middleLine } from "./chart-shape";

const steps = [
  { from: 0, to: 10, value: 5 },
  { from: 10, to: 20, value: 10 },
  { from: 30, to: 40, value: 0 },
  { from: 40, to: 50, value: null },
];

test("[B9] what nobody watched is a gap in a chart, not a zero", () => {
  expect(levelLine(steps, 10)).toBe("M0 50V50H10V0H20M30 100V100H40");
  expect(levelArea(steps, 10)).toBe("M0 100V50H10V0H20V100ZM30 100V100H40V100Z");
  expect(middleLine(steps, 10)).toBe("M5 50L5 50L15 0M35 100L35 100");
  expect(levelLine([], 10)).toBe("");
});

test("[B9] an axis ends at a round figure that nothing exceeds, and so does its half", () => {
  expect([0, 1, 2, 3, 5, 7, 9, 11, 20, 21, 55, 100, 101].map(axisEnd)).toEqual([
    2, 2, 2, 4, 6, 8, 10, 20, 20, 40, 60, 100, 200,
  ]);
});

test("[B9] times under a chart are round ones, and none is where it would not fit", () => {
  const ticks = ticksOf({ from: "2026-01-01T09:07:00.000Z", to: "2026-01-02T09:07:00.000Z" });
  expect(ticks.map(({ at }) => new Date(at).getHours() % 6)).toEqual(ticks.map(() => 0));
  expect(ticks.map(({ at }) => new Date(at).getMinutes())).toEqual(ticks.map(() => 0));
  expect(ticks.length).toBeGreaterThanOrEqual(3);
  expect(ticks.every(({ place }) => place > 0.05 && place < 0.9)).toBe(true);
});
