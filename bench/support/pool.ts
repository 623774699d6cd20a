/** The real pool on the real store, with sessions that do what a measurement wants instead of starting agents. */
import type { LiveSession } from "../../server/core/pool/picture";
import { NOTHING_LEFT } from "../../server/core/session/lifecycle";
import { createGossip } from "../../server/db/gossip";
import { createLeaseStore } from "../../server/db/lease-store";
import { createPoolLink } from "../../server/db/pool-link";
import { createPoolStore } from "../../server/db/pool-store";
import type { NewSession } from "../../server/engine/pool";
import type { RunningPool } from "../../server/engine/pool/pool-options";
import { createPool } from "../../server/engine/pool/runner-pool";
import { PROJECT } from "./rows";

export interface BenchPool {
  readonly pool: RunningPool;
  close(): Promise<void>;
}

export interface BenchPoolOptions {
  readonly url: string;
  readonly globalMax: number;
  readonly perUserMax: number;
  /** What each session does while it holds its slot; it succeeds when this resolves. */
  readonly work: (session: LiveSession) => Promise<void>;
  /** Called when the session's end is committed. */
  readonly ended?: (session: LiveSession) => void;
}

/** Started; resolves when grants are given. */
export async function openPool({ url, globalMax, perUserMax, work, ended }: BenchPoolOptions): Promise<BenchPool> {
  const store = createPoolStore(url);
  const lease = createLeaseStore(url);
  const gossip = createGossip(url);
  const link = createPoolLink(url, gossip);
  const pool: RunningPool = createPool({
    store,
    lease,
    link,
    waiter: {
      async attend(session) {
        await work(session);
        const run = { sessionId: session.id, attempt: session.attempt };
        await pool.release(run, {
          ...NOTHING_LEFT,
          status: "succeeded",
          failure: null,
          exitCode: 0,
          endedAt: Date.now(),
        });
        ended?.(session);
      },
      stop: () => {},
      declareLost: () => {},
      letGo: async () => {},
    },
    clock: { now: Date.now, monotonic: () => performance.now() },
    log: { info: () => {}, warn: (line) => console.error(line), error: (line) => console.error(line) },
    firstCaps: { globalMax, perUserMax, paused: false },
    onFatal(reason) {
      throw new Error(reason);
    },
  });
  pool.start();
  await pool.ready();
  return {
    pool,
    async close() {
      await pool.stop();
      await Promise.all([store.close(), lease.close(), link.close(), gossip.close()]);
    },
  };
}

export function sessionOf(userId: string, taskId: string): NewSession {
  return { taskId, projectId: PROJECT, userId, agentId: "agent-1", mode: "work", message: null };
}
