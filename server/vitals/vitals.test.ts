import { expect, test } from "vitest";
import { readiness } from "./health";
import { createMetrics, type PoolFigures } from "./metrics";

const calm: PoolFigures = {
  epoch: 3,
  state: "writing",
  mailboxDepth: 2,
  oldestLetterMs: 40,
  commits: 7,
  lastBatchSize: 5,
  commitMsTotal: 120,
  grants: 4,
  waitMsTotal: 9_000,
  releases: 1,
  unknownOutcomes: 0,
  crashes: 1,
  rebuilds: 1,
  staleMessages: 0,
  idleSlotSeconds: 0.5,
  takeovers: 2,
};

const fine = {
  pingDatabase: async () => 1,
  pool: () => calm,
  freeBytes: async () => 1_000_000_000,
  diskLeastBytes: 1_000_000_000,
};

test("[P22] ready when database, writer, mailbox and disk are", async () => {
  const found = await readiness(fine);
  expect(found).toEqual({
    isReady: true,
    role: "writer",
    checks: { database: "ok", writer: "ok", mailbox: "ok", disk: "ok" },
  });
  const follower = { ...fine, pool: () => ({ ...calm, state: "following" }) };
  expect(await readiness(follower)).toMatchObject({ isReady: true, role: "follower" });
});

test.each([
  ["database", { pingDatabase: () => Promise.reject(new Error("password hunter2")) }],
  ["database", { pingDatabase: () => new Promise<never>(() => {}) }],
  ["writer", { pool: () => ({ ...calm, state: "recovering" }) }],
  ["writer", { pool: () => ({ ...calm, state: "waiting-for-lease" }) }],
  ["mailbox", { pool: () => ({ ...calm, oldestLetterMs: 60_000 }) }],
  ["disk", { freeBytes: (): Promise<number> => Promise.reject(new Error("ENOENT: no such file")) }],
  ["disk", { freeBytes: async (): Promise<number> => 999_999_999 }],
] as const)("[P22] red, and says why, when it is the %s", async (which, wrong) => {
  const found = await readiness({ ...fine, ...wrong });
  expect(found.isReady).toBe(false);
  expect(found.checks[which]).toEqual({ problem: expect.any(String) });
  expect(JSON.stringify(found)).not.toContain("hunter2");
});

test("[P22] the pool's figures in Prometheus' words, read afresh each time", async () => {
  let now = calm;
  const metrics = createMetrics({
    pool: () => now,
    global: () => ({ running: 2, queued: 9, max: 20 }),
    sockets: () => 12,
  });
  const first = await metrics.text();
  expect(first).toMatch(/^camelot_sessions\{status="queued"\} 9$/m);
  expect(first).toMatch(/^camelot_live_sockets 12$/m);
  expect(first).toMatch(/^camelot_pool_is_writer 1$/m);
  expect(first).toMatch(/^camelot_pool_takeovers_total 2$/m);
  expect(first).toMatch(/^camelot_pool_mailbox_oldest_seconds 0\.04$/m);
  expect(first).toMatch(/^# TYPE camelot_pool_grants_total counter$/m);
  expect(first).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  now = { ...calm, grants: 5 };
  expect(await metrics.text()).toMatch(/^camelot_pool_grants_total 5$/m);
});
