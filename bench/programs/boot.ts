/** Boots the real pool on a database that others have filled, and tells how long that took and what it holds. */
import { openPool } from "../support/pool";
import { inputOf, tell } from "../support/program";

export interface Booted {
  readonly readyS: number;
  /** Largest resident size so far. */
  readonly memoryMB: number;
  readonly heapMB: number;
  /** Live sessions that the pool knows. */
  readonly sessions: number;
}

const { url } = inputOf<{ url: string }>();
const began = performance.now();
const { pool, close } = await openPool({ url, globalMax: 20, perUserMax: 2, work: () => new Promise(() => {}) });
const readyS = (performance.now() - began) / 1_000;
const { running, queued } = pool.snapshot().global;
const booted: Booted = {
  readyS,
  memoryMB: process.resourceUsage().maxRSS / 1_000,
  heapMB: process.memoryUsage().heapUsed / 1_000_000,
  sessions: running + queued,
};
tell(booted);
await close();
process.exit(0);
