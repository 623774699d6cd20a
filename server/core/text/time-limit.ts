/** What took too long, as a sentence for people, and how such a sentence is known again: doing it once more is enough then. Pure. */

const TOO_LONG = / (?:did not end within \S+ s and was stopped|took longer than \S+ s)\.$/;

/** `git add did not end within 50 s and was stopped.` */
export function stoppedAfter(what: string, limitMs: number): string {
  return `${what} did not end within ${Math.round(limitMs / 1_000)} s and was stopped.`;
}

/** `Saving the work took longer than 60 s.` */
export function longerThan(what: string, limitMs: number): string {
  return `${what} took longer than ${limitMs / 1_000} s.`;
}

/** Whether nothing is in the way but time. */
export function tookTooLong(sentence: string): boolean {
  return TOO_LONG.test(sentence);
}
