import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PersistentMap } from "./persistent-map";
import { SortedSet } from "./sorted-set";

const byNumber = (a: number, b: number) => a - b;

describe("what the pool's memory is made of", () => {
  test("[P13] a sorted set is what a sorted list is, and an old one stays as it was", () => {
    const changes = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 60 })), { maxLength: 120 });
    fc.assert(
      fc.property(changes, (steps) => {
        let set = SortedSet.empty(byNumber);
        let list: number[] = [];
        const past: [SortedSet<number>, number[]][] = [];
        for (const [isAdded, n] of steps) {
          past.push([set, list]);
          set = isAdded ? set.with(n) : set.without(n);
          list = list.filter((other) => other !== n);
          if (isAdded) list = [...list, n].sort(byNumber);
        }
        past.push([set, list]);
        for (const [oldSet, oldList] of past) {
          expect([...oldSet]).toEqual(oldList);
          expect([oldSet.size, oldSet.first(), oldSet.last()]).toEqual([oldList.length, oldList[0], oldList.at(-1)]);
        }
        expect(list.map((n) => set.indexOf(n))).toEqual(list.map((_, i) => i));
        expect(list.map((_, i) => set.at(i))).toEqual(list);
        expect([set.at(-1), set.at(list.length), set.indexOf(1_000)]).toEqual([undefined, undefined, -1]);
        expect([...SortedSet.of(byNumber, list)]).toEqual(list);
      }),
    );
  });

  test("[P20] a sorted set stays flat however it is filled and emptied", () => {
    let set = SortedSet.empty(byNumber);
    for (let i = 0; i < 20_000; i += 1) set = set.with(i);
    for (let i = 0; i < 19_000; i += 1) set = set.without(i);
    let steps = 0;
    const counting = SortedSet.of(
      (a: number, b: number) => {
        steps += 1;
        return a - b;
      },
      [...set],
    );
    steps = 0;
    counting.indexOf(19_999);
    expect(steps).toBeLessThan(25);
  });

  test("[P13] a persistent map is what a map is, clashing hashes included, and an old one stays as it was", () => {
    // Few keys, so that the same ones are set, changed and deleted again and again.
    const keys = fc.oneof(
      fc.nat({ max: 400 }).map(String),
      fc.constantFrom("costarring", "liquid", "declinate", "macallums"),
    );
    const changes = fc.array(fc.tuple(fc.boolean(), keys, fc.nat()), { maxLength: 300 });
    fc.assert(
      fc.property(changes, (steps) => {
        let map = PersistentMap.empty<number>();
        const plain = new Map<string, number>();
        const past: [PersistentMap<number>, Map<string, number>][] = [];
        for (const [isSet, key, value] of steps) {
          past.push([map, new Map(plain)]);
          map = isSet ? map.set(key, value) : map.delete(key);
          if (isSet) plain.set(key, value);
          else plain.delete(key);
        }
        past.push([map, plain]);
        for (const [oldMap, oldPlain] of past.slice(-20)) {
          expect(new Map(oldMap)).toEqual(oldPlain);
          expect(oldMap.size).toBe(oldPlain.size);
        }
        for (const [key, value] of plain) expect(map.get(key)).toBe(value);
        expect(new Map(PersistentMap.from(plain))).toEqual(plain);
        expect(map.get("not there")).toBeUndefined();
      }),
    );
  });

  test("[P13] keys of one and the same hash live side by side", () => {
    // A pair that FNV-1a, and so the map's hash, cannot tell apart.
    const [a, b] = ["costarring", "liquid"];
    let map = PersistentMap.empty<number>().set("other", 0).set(a, 1).set(b, 2);
    expect([map.get(a), map.get(b), map.size]).toEqual([1, 2, 3]);
    map = map.set(a, 3).delete(b);
    expect([map.get(a), map.get(b), map.size]).toEqual([3, undefined, 2]);
    expect(new Map(map.delete(a).delete(a))).toEqual(new Map([["other", 0]]));
  });
});
