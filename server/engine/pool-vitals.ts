/** The pool's figures for metrics and the pool page (P22): plain numbers, counted where things happen, never decided upon. */
import type { Epoch } from "../core/words";

export type WriterState =
  /** Another server is the writer, or the database is away. */
  | "waiting-for-lease"
  | "loading"
  /** Running sessions are being probed; nothing is granted yet. */
  | "booting"
  | "writing"
  /** The outcome of a commit is unknown; rows are read back. */
  | "recovering"
  | "stopped";

export interface Vitals {
  readonly state: WriterState;
  readonly epoch: Epoch;
  readonly mailboxDepth: number;
  /** Age of the oldest letter in ms; 0 when empty. */
  readonly oldestLetterMs: number;
  readonly commits: number;
  readonly lastBatchSize: number;
  readonly largestBatchSize: number;
  readonly lastCommitMs: number;
  readonly commitMsTotal: number;
  readonly ordersTotal: number;
  readonly grants: number;
  /** Sum over grants of the time between queueing and grant. */
  readonly waitMsTotal: number;
  readonly releases: number;
  readonly refused: number;
  readonly unknownOutcomes: number;
  readonly crashes: number;
  readonly rebuilds: number;
  readonly staleMessages: number;
  /** Free slots × seconds while somebody eligible waited. */
  readonly idleSlotSeconds: number;
  readonly watchedSessions: number;
}

/** The counters that the writer's parts add to. */
export class Counters {
  commits = 0;
  lastBatchSize = 0;
  largestBatchSize = 0;
  lastCommitMs = 0;
  commitMsTotal = 0;
  ordersTotal = 0;
  grants = 0;
  waitMsTotal = 0;
  releases = 0;
  refused = 0;
  unknownOutcomes = 0;
  crashes = 0;
  rebuilds = 0;
  staleMessages = 0;
  idleSlotSeconds = 0;

  committed(batchSize: number, tookMs: number): void {
    this.commits += 1;
    this.lastBatchSize = batchSize;
    this.largestBatchSize = Math.max(this.largestBatchSize, batchSize);
    this.lastCommitMs = tookMs;
    this.commitMsTotal += tookMs;
  }
}
