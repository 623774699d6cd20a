import fc from "fast-check";
import { expect, test } from "vitest";
import { addWait, rangeOf, waitOf } from "./wait-spread";

const spreadOf = (waits: readonly number[]) => {
  const spread: number[] = [];
  for (const wait of waits) addWait(spread, wait);
  return spread;
};

test("[P22] what is read of waits is right to within a tenth, whatever they are", () => {
  const waits = fc.array(fc.integer({ min: 1_000, max: 7 * 86_400_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(waits, fc.constantFrom(0.5, 0.95, 1), (ms, part) => {
      const sorted = ms.toSorted((one, other) => one - other);
      const right = (sorted[Math.ceil(ms.length * part) - 1] ?? 0) / 1_000;
      const told = waitOf(spreadOf(ms), part) ?? Number.NaN;
      expect(Math.abs(told - right) / right).toBeLessThan(0.1);
    }),
  );
});

test("[P22] waits of nobody are none; under a second is half of one; a clock that went back is no wait", () => {
  expect(waitOf([], 0.5)).toBeNull();
  expect(waitOf(spreadOf([3, 999, -60_000]), 0.95)).toBe(0.5);
  expect(rangeOf(Number.MAX_SAFE_INTEGER)).toBe(92);
});
