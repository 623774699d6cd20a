/** What the pool did, minute by minute, for the charts of its page (P22, B9). Sums only: minutes of any servers add up. */
import type { Millis } from "../core/words";

export interface HistoryFigures {
  /** For how long somebody watched, in seconds; the three after it are sums over that time. */
  readonly seconds: number;
  readonly seatSeconds: number;
  readonly capSeconds: number;
  readonly waitingSeconds: number;
  readonly grants: number;
  /** Sessions that gave a slot back for good, however they ended, and those of them that failed. */
  readonly ended: number;
  readonly failed: number;
  readonly commits: number;
  /** How long those granted had waited, as in `core/session/wait-spread.ts`. */
  readonly waits: readonly number[];
}

export interface HistoryMinute extends HistoryFigures {
  /** Begin of the minute. */
  readonly at: Millis;
  /** Which run of which server counted this. */
  readonly source: string;
}

export interface HistoryStep extends HistoryFigures {
  /** Begin of the step. */
  readonly at: Millis;
}

export interface PoolHistoryStore {
  /** Writes these minutes. What the same source wrote for one of them before is replaced, so that writing again adds nothing. */
  keep(minutes: readonly HistoryMinute[]): Promise<void>;
  /** What `from` ≤ minute < `to` add up to per step of `stepMs`, the oldest first. Steps that nobody watched are left out. */
  read(which: { readonly from: Millis; readonly to: Millis; readonly stepMs: number }): Promise<HistoryStep[]>;
  /** Removes the minutes before this moment. */
  forget(before: Millis): Promise<void>;
}
