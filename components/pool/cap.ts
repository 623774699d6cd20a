/** Caps, how long output is kept and how long a question waits, as they are typed: the contract's limits, said here before they are refused there. */

const CAP_MAX = 100_000;

/** One sentence, or null when it is one. */
export function capMistake(text: string): string | null {
  const isWhole = /^\d+$/.test(text.trim());
  return isWhole && Number(text) <= CAP_MAX ? null : `A whole number from 0 to ${CAP_MAX.toLocaleString("en")}.`;
}

const DAYS_MAX = 36_500;
const GIGABYTES_LEAST = 0.1;
const GIGABYTES_MAX = 1_000_000;

export function daysMistake(text: string): string | null {
  const days = Number(text);
  const isRight = /^\d+$/.test(text.trim()) && days >= 1 && days <= DAYS_MAX;
  return isRight ? null : `A whole number from 1 to ${DAYS_MAX.toLocaleString("en")}.`;
}

export function gigabytesMistake(text: string): string | null {
  const gigabytes = Number(text);
  const isRight = /^\d+(\.\d+)?$/.test(text.trim()) && gigabytes >= GIGABYTES_LEAST && gigabytes <= GIGABYTES_MAX;
  return isRight ? null : `A number from ${GIGABYTES_LEAST} to ${GIGABYTES_MAX.toLocaleString("en")}.`;
}

const ANSWER_MINUTES_MAX = 43_200;

export function answerMinutesMistake(text: string): string | null {
  const minutes = Number(text);
  const isRight = /^\d+(\.\d+)?$/.test(text.trim()) && minutes >= 1 && minutes <= ANSWER_MINUTES_MAX;
  return isRight ? null : `A number from 1 to ${ANSWER_MINUTES_MAX.toLocaleString("en")}.`;
}
