import { expect, it } from "vitest";
import { createRunClock, tickFor } from "./run-clock";

it("[R9] is over when the ticks add up to the limit", () => {
  const clock = createRunClock(1_000, 5_000, 1_000);
  const answers = [2_000, 3_000, 4_000, 5_000, 6_000].map((now) => clock.tick(now));
  expect(answers).toEqual([false, false, false, false, true]);
});

it("[R9] does not count the time the machine slept", () => {
  const clock = createRunClock(0, 5_000, 1_000);
  expect(clock.tick(1_000)).toBe(false);
  expect(clock.tick(8 * 3_600_000)).toBe(false);
  expect(clock.tick(8 * 3_600_000 + 1_000)).toBe(false);
  expect(clock.tick(8 * 3_600_000 + 3_000)).toBe(true);
});

it("[R9] counts in full what is only a busy machine", () => {
  const clock = createRunClock(0, 5_000, 1_000);
  expect(clock.tick(4_000)).toBe(false);
  expect(clock.tick(5_000)).toBe(true);
});

it("[R9] looks at short limits more often than at long ones", () => {
  expect(tickFor(7_200_000)).toBe(1_000);
  expect(tickFor(500)).toBe(50);
  expect(tickFor(10)).toBe(20);
});
