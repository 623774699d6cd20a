/** Chance that is none: numbers that look like dice and are the same for the same seed. */

/** A number from 0 to 1 (without 1) for one thing under one seed. */
export function chanceFrom(seed: number, hash: number): number {
  return mixed(seed, hash) / 2 ** 32;
}

/** Two numbers into one of 32 bits that looks like neither. */
export function mixed(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ b;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}

/** 32 bits of a text. */
export function hashOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
