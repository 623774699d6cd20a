import { expect, test } from "vitest";
import { samplePool } from "../board/sample";
import { whatDispatchDoes, wouldBePlace } from "./wording";

const free = samplePool({ global: { running: 1, max: 20, queued: 0 } });
const busy = { nora: { running: 2, max: 2, queued: 0 } };

test("[P16][B13] while the pool is paused or starting, the empty column Waiting promises no start", () => {
  expect(whatDispatchDoes({ ...free, paused: true }, "nora")).toBe("The pool is paused. A dispatch waits here.");
  expect(whatDispatchDoes({ ...free, isReady: false }, "nora")).toBe("The pool is starting. A dispatch waits here.");
});

test("[P13] the empty column Waiting says what the drop target says", () => {
  const full = samplePool({ global: { running: 20, max: 20, queued: 0 } });
  for (const pool of [free, full, { ...free, users: busy }, { ...free, paused: true }, { ...free, isReady: false }]) {
    const startsAtOnce = wouldBePlace(pool, "nora") === "starts at once";
    expect(whatDispatchDoes(pool, "nora").endsWith("A dispatch starts at once.")).toBe(startsAtOnce);
  }
  expect(whatDispatchDoes(free, "nora")).toBe("19 seats are free. A dispatch starts at once.");
  expect(whatDispatchDoes({ ...free, users: busy }, "nora")).toBe("Your limit is 2/2. A dispatch waits here.");
});
