/** That the measurements of the built product work; small, and nothing is said about their times. */
import { expect, test } from "@playwright/test";
import { measureBoard } from "../bench/board";
import { measureStart } from "../bench/start";

for (const [name, measure] of Object.entries({ board: measureBoard, start: measureStart })) {
  test(`the measurement ${name} does its work and answers figures with units`, async () => {
    const figures = await measure({ isSmall: true, minutes: 0 }, () => {});
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  });
}
