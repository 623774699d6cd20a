import { expect, test } from "vitest";
import { longerThan, stoppedAfter, tookTooLong } from "./time-limit";

test("[W2] what took too long says how long it had, and is told from what somebody has to put right", () => {
  expect(stoppedAfter("git add", 50_000)).toBe("git add did not end within 50 s and was stopped.");
  expect(longerThan("Saving the work", 200)).toBe("Saving the work took longer than 0.2 s.");
  expect([stoppedAfter("git add", 200), longerThan("Saving the work", 200)].map(tookTooLong)).toEqual([true, true]);
  expect(tookTooLong("The disk is full. Free some space, then try again.")).toBe(false);
});
