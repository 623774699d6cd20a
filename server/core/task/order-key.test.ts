import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyBetween } from "./order-key";

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe("[B3] order keys", () => {
  test("[B3] a key lies strictly between its neighbours, wherever cards are put", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1_000 }), { maxLength: 200 }), (places) => {
        const keys: string[] = [];
        for (const place of places) {
          const index = place % (keys.length + 1);
          keys.splice(index, 0, keyBetween(keys[index - 1] ?? null, keys[index] ?? null));
        }
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.toSorted(compareBytes)).toEqual(keys);
      }),
    );
  });

  test("[B3] a thousand cards put before the first, or behind the last, keep their keys short", () => {
    let first = keyBetween(null, null);
    let last = first;
    for (let index = 0; index < 1_000; index += 1) {
      first = keyBetween(null, first);
      last = keyBetween(last, null);
    }
    expect(first.length).toBeLessThan(260);
    expect(last.length).toBeLessThan(30);
  });

  test("[B3] neighbours that are not in order are a bug and said so", () => {
    expect(() => keyBetween("b", "a")).toThrow("out of order");
    expect(() => keyBetween("a", "a")).toThrow("out of order");
    expect(() => keyBetween("ä", null)).toThrow("not an order key");
  });
});
