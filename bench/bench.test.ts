/**
 * That every measurement works: small, and judged by its shape and by the work that was done, never by its times. What needs
 * the built pages and a browser is in `e2e/bench.spec.ts`; the other queues are measured by `npm run bench` and test:all.
 */
import { expect, test, vi } from "vitest";
import type { Figure, Measure } from "./figures";
import { MEASUREMENTS } from "./measurements";
import { isAllMet, type Report, table } from "./report";

vi.setConfig({ testTimeout: 180_000 });

const BUILT = ["board", "start"];
const SMALL = { isSmall: true, minutes: 0 };
/** These work long even when they are small: a short run leaves them out. */
const LONG_ONES = ["dispatch", "forecast", "full-load", "snapshot"];
const isLeftOut = (name: string) => !process.env.CAMELOT_TEST_ALL && LONG_ONES.includes(name);
const here = MEASUREMENTS.filter(({ name, needs }) => needs === undefined && !BUILT.includes(name) && !isLeftOut(name));

async function measured(measure: Measure): Promise<readonly Figure[]> {
  const figures = await measure(SMALL, () => {});
  for (const { what, value } of figures) expect(value, what).toBeTypeOf("number");
  expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  return figures;
}

test.each(here)("the measurement $name does its work and answers figures with units", async ({ measure }) => {
  const figures = await measured(measure);
  expect(figures.length).toBeGreaterThan(0);
  expect(new Set(figures.map(({ what }) => what)).size).toBe(figures.length);
});

test("every row of targets in the spec that the bench is to measure is held against figures", async () => {
  // Each throws by itself when its work was not done: sessions that did not end, rows that were not found.
  expect(MEASUREMENTS.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "dispatch",
      "peers",
      "freed-slot",
      "boot",
      "grant-cost",
      "snapshot",
      "full-load",
      "full-load",
      "board",
      "start",
    ]),
  );
});

test("the table says of each target whether it is met, and of a failed measurement why", () => {
  const report: Report = {
    command: "npm run bench",
    at: "2026-01-02T03:04:05.000Z",
    machine: "a machine",
    node: "20.0.0",
    measured: [
      {
        name: "quick",
        load: 0,
        seconds: 1,
        failure: null,
        figures: [
          { what: "fast", value: 1.234, unit: "ms", target: { text: "≤ 5 ms", isMet: true } },
          { what: "slow | odd", value: 12_345, unit: "ms", target: { text: "≤ 5 ms", isMet: false }, note: "why" },
        ],
      },
      { name: "broken", load: 0, seconds: 1, figures: [], failure: "it fell over" },
    ],
  };
  const lines = table(report).split("\n");
  expect(lines).toContain("| quick | fast | 1.23 ms | ≤ 5 ms | met |  |");
  expect(lines).toContain("| quick | slow \\| odd | 12,345 ms | ≤ 5 ms | **missed** | why |");
  expect(lines).toContain("| broken |  |  |  | **failed** | it fell over |");
  expect(isAllMet(report)).toBe(false);
});
