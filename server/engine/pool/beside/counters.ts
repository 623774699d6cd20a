/** The counters that the writer's parts add to; `Vitals` (pool.ts) is how they are seen from outside (P22). */
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
  takeovers = 0;

  committed(batchSize: number, tookMs: number): void {
    this.commits += 1;
    this.lastBatchSize = batchSize;
    this.largestBatchSize = Math.max(this.largestBatchSize, batchSize);
    this.lastCommitMs = tookMs;
    this.commitMsTotal += tookMs;
  }
}
