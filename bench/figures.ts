/** What a measurement answers: numbers with units, and the target of docs/spec.md 12 that each is held against. */

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms" | "s" | "/s" | "MB" | "KB" | "bytes" | "fps" | "×" | "%" | "";
  /** Absent: shown for context only. */
  readonly target?: Target;
  /** How it was measured, or what the number does not say. */
  readonly note?: string;
}

export interface Target {
  readonly text: string;
  readonly isMet: boolean;
}

export interface Size {
  /** Seconds instead of minutes, to see that everything works; the numbers mean nothing then. */
  readonly isSmall: boolean;
  /** How long the board is watched under a stream of changes. */
  readonly minutes: number;
}

/** `say`: one line of progress for the terminal. */
export type Measure = (size: Size, say: (line: string) => void) => Promise<readonly Figure[]>;

export function atMost(value: number, most: number, unit: string): Target {
  return { text: `≤ ${most} ${unit}`.trim(), isMet: value <= most };
}

export function atLeast(value: number, least: number, unit: string): Target {
  return { text: `≥ ${least} ${unit}`.trim(), isMet: value >= least };
}

/** The value below which this share of the values lies; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
