/**
 * Which status may follow which, and why a session ended. Decides only; rows are changed by the pool's writer.
 */
import type { EndedStatus, FailureKind, Millis } from "../words";

/** What the runner and the workspace leave behind, whatever the status. */
export interface Leavings {
  readonly endedAt: Millis;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outputBytes: number | null;
  /** Why the work could not be saved, or null when it was (W2). */
  readonly workUnsaved: string | null;
  readonly leftOut: readonly string[];
  readonly headCommit: string | null;
  readonly files: number | null;
  readonly additions: number | null;
  readonly deletions: number | null;
}

/** A session's ending as it is written into its row. */
export interface Ended extends Leavings {
  readonly status: EndedStatus;
  readonly failure: Failure | null;
}

export interface Failure {
  readonly kind: FailureKind;
  /** What the sentence needs beside kind, exit code and signal: one plain sentence part, or null. */
  readonly detail: string | null;
}

export const NOTHING_LEFT = {
  exitCode: null,
  signal: null,
  outputBytes: null,
  workUnsaved: null,
  leftOut: [],
  headCommit: null,
  files: null,
  additions: null,
  deletions: null,
} as const satisfies Omit<Leavings, "endedAt">;
