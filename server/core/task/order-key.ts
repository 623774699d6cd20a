/**
 * Order keys: texts compared as bytes, so that a card finds room between any two others without anybody else's row being
 * written. A key is a fraction written in 62 digits; it never ends in the lowest digit, so there is always room before it.
 */

/** In the order of their bytes. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A key behind `after` and before `before`; null: no neighbour on that side. Throws when they are not in order. */
export function keyBetween(after: string | null, before: string | null): string {
  if (after !== null && before !== null && !(after < before)) {
    throw new Error(`order keys out of order: ${after} is not before ${before}`);
  }
  return before === null ? behind(after ?? "") : between(after ?? "", before);
}

/** At the end, where most cards are put: one digit further, so that keys stay short. */
function behind(low: string): string {
  const digit = digitAt(low, 0);
  return digit + 1 < DIGITS.length ? DIGITS.charAt(digit + 1) : DIGITS.charAt(digit) + behind(low.slice(1));
}

/** `high` null: anything above `low` is fine. */
function between(low: string, high: string | null): string {
  const shared = high === null ? 0 : sharedLength(low, high);
  if (shared > 0 && high !== null) return high.slice(0, shared) + between(low.slice(shared), high.slice(shared));
  const lowDigit = digitAt(low, 0);
  const highDigit = high === null ? DIGITS.length : digitAt(high, 0);
  if (highDigit - lowDigit > 1) return DIGITS.charAt(Math.floor((lowDigit + highDigit) / 2));
  // Neighbouring digits: `high`'s first digit alone lies between if `high` goes on, else one goes deeper behind `low`.
  if (high !== null && high.length > 1) return high.slice(0, 1);
  return DIGITS.charAt(lowDigit) + between(low.slice(1), null);
}

/** `low` counts as continued by the lowest digit for ever. */
function sharedLength(low: string, high: string): number {
  let length = 0;
  while (length < high.length && (low[length] ?? DIGITS[0]) === high[length]) length += 1;
  return length;
}

/** Letters that are no digits would break the order, so a foreign key is refused. */
function digitAt(key: string, index: number): number {
  if (index >= key.length) return 0;
  const digit = DIGITS.indexOf(key.charAt(index));
  if (digit < 0) throw new Error(`not an order key: ${key}`);
  return digit;
}
