/** A cap as it is typed: any whole number from 0 to `CAP_MAX` (the contract's limit, said here before it is refused there). */

const CAP_MAX = 100_000;

/** One sentence, or null when it is one. */
export function capMistake(text: string): string | null {
  const isWhole = /^\d+$/.test(text.trim());
  return isWhole && Number(text) <= CAP_MAX ? null : `A whole number from 0 to ${CAP_MAX.toLocaleString("en")}.`;
}
