/**
 * Figures that agents tell, before they are believed (A4): whoever writes a stream may write anything into it. A count of tokens,
 * a cost and a point in time pass only when they are numbers, not negative, and within a bound that no honest one reaches; what
 * does not pass is unknown. Readers do sums with `told`, and `usageEvent` lets only whole counts through.
 */
import type { Millis } from "../words";

/** Most of one kind in one count, tokens: beyond what a session could have used in its time. */
export const TOKENS_MAX = 1_000_000_000_000;
/** Most that one conversation may be said to have cost, US dollars. */
export const COST_MAX_USD = 1_000_000;
/** The last moment that a date can be written down for, milliseconds since 1970: the end of the year 9999. */
const LAST_MOMENT: Millis = 253_402_300_799_999;

/** Tokens as reported. Which of the agents counts cached tokens into its input is known to `usage.ts`. */
export interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** A number from 0 to `max`; of anything else null. */
export function figureOf(value: unknown, max: number): number | null {
  return typeof value === "number" && value >= 0 && value <= max ? value : null;
}

/** Tokens for sums: 0 where nothing is told, and not a number where it cannot be believed, as is every sum with it. */
export function told(value: unknown): number {
  return value == null ? 0 : (figureOf(value, TOKENS_MAX) ?? Number.NaN);
}

/** The same for US dollars. */
export function toldUsd(value: unknown): number {
  return value == null ? 0 : (figureOf(value, COST_MAX_USD) ?? Number.NaN);
}

/** All four of them, or none: a count of which one part is wrong is not believed in another. */
export function believedTokens(tokens: Tokens): Tokens | null {
  const parts = [tokens.input, tokens.cacheRead, tokens.cacheWrite, tokens.output];
  return parts.every((part) => figureOf(part, TOKENS_MAX) !== null) ? tokens : null;
}

/** A point in time that can be written down; of anything else null. */
export function momentOf(value: number | null): Millis | null {
  return figureOf(value, LAST_MOMENT);
}
