/**
 * How waits are spread, in few numbers that can be added: counts of waits per range. The first range is under a second, each
 * further one reaches a fifth further than the one before, so what is read from them is right to within a tenth.
 */
import type { Millis } from "../words";

const FIRST_MS = 1_000;
/** Ranges in which a wait doubles. */
const PER_DOUBLING = 4;
/** The last range is everything from here on: some 97 days. */
const RANGES = 1 + PER_DOUBLING * 23;

/** Which range a wait belongs to, from 0. A clock that was set back makes no negative one. */
export function rangeOf(waitMs: Millis): number {
  if (waitMs < FIRST_MS) return 0;
  return Math.min(RANGES - 1, 1 + Math.floor(PER_DOUBLING * Math.log2(waitMs / FIRST_MS)));
}

/** Counts the wait in `spread`, which grows as far as it has to. */
export function addWait(spread: number[], waitMs: Millis): void {
  const range = rangeOf(waitMs);
  while (spread.length <= range) spread.push(0);
  spread[range] = (spread[range] ?? 0) + 1;
}

/** Up to how many seconds this part (0 to 1) of the waits took, as the middle of the range it falls in; null of none. */
export function waitOf(spread: readonly number[], part: number): number | null {
  const all = spread.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const wanted = Math.max(1, Math.ceil(all * part));
  let seen = 0;
  for (const [range, count] of spread.entries()) {
    seen += count;
    if (seen >= wanted) return middleOf(range);
  }
  return null;
}

function middleOf(range: number): number {
  return range === 0 ? FIRST_MS / 2_000 : (FIRST_MS / 1_000) * 2 ** ((range - 0.5) / PER_DOUBLING);
}
