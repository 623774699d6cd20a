/** Chance that repeats itself: the same seed gives the same numbers, on every machine. */

export interface Chance {
  /** From 0 up to, but never, 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  /** One of them; throws when there is none. */
  pick<T>(list: readonly T[]): T;
  /** True in this part of all cases, 0 to 1. */
  happens(part: number): boolean;
  shuffled<T>(list: readonly T[]): T[];
}

export function chanceOf(seed: string): Chance {
  let state = hash(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    happens: (part) => next() < part,
    pick(list) {
      if (list.length === 0) throw new Error("Nothing to pick from.");
      return list[between(0, list.length - 1)] as (typeof list)[number];
    },
    shuffled(list) {
      const left = [...list];
      return list.map(() => left.splice(between(0, left.length - 1), 1)[0] as (typeof list)[number]);
    },
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value | 0;
}
