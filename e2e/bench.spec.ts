/** That the measurements of the built product work; small, and nothing is said about their times. */
import { expect, test } from "@playwright/test";
import { measureBoard } from "../bench/board";
import { measureStart } from "../bench/start";

/** The board's measuring starts a dozen browsers: a short run leaves it out. */
const MEASURES = { ...(process.env.CAMELOT_TEST_ALL ? { board: measureBoard } : {}), start: measureStart };

for (const [name, measure] of Object.entries(MEASURES)) {
  test(`the measurement ${name} does its work and answers figures with units`, async () => {
    const figures = await measure({ isSmall: true, minutes: 0 }, () => {});
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  });
}
