/**
 * A server without its faces: pool, supervisor and reconciler on a database and a data directory, in a process of its own
 * that a test can kill at any instant. Speaks with its test over the channel that `fork` opens; see `engine-world.ts`.
 */
import { appClient } from "../db/client";
import { createGossip } from "../db/gossip";
import { createHoldStore } from "../db/hold-store";
import { createLeaseStore } from "../db/lease-store";
import { createPoolLink } from "../db/pool-link";
import { createPoolStore } from "../db/pool-store";
import { createSeal } from "../db/sealed";
import { createSessionRecordStore } from "../db/session-record-store";
import { createVariableStore } from "../db/variable-store";
import { createPool } from "../engine/pool/runner-pool";
import { startHolds } from "../engine/session/holds";
import { startReconciler } from "../engine/session/reconciler";
import { createSessionSupervisor } from "../engine/session/session-supervisor";
import { createMachine } from "../runner/process/machine";
import { createProcessRunner } from "../runner/process/process-runner";
import { createPrograms } from "../runner/programs";
import { createWorkspace } from "../workspace/workspace";
import type { EngineCall, EngineSettings, EngineVerbs } from "./engine-world";

const settings = JSON.parse(process.argv[2] ?? "{}") as EngineSettings;
const clock = { now: Date.now, monotonic: () => performance.now() };
const line = (text: string) => process.stderr.write(`${text}\n`);
const log = { info: () => {}, warn: line, error: line };

const sql = appClient(settings.databaseUrl);
const record = createSessionRecordStore(sql, createVariableStore(sql, createSeal(settings.secret)));
const runner = createProcessRunner({ dataDir: settings.dataDir, hostBundle: settings.hostBundle });
const workspace = createWorkspace({ dataDir: settings.dataDir, seal: createSeal(settings.secret), log: line });
const supervisor = createSessionSupervisor({
  pool: () => pool,
  runner,
  workspace,
  record,
  clock,
  log,
  answerWithinMs: async () => 3_600_000,
  machine: createMachine(process.env),
  programs: createPrograms(process.env),
  holds: () => holds,
  timeZone: "UTC",
  mayDrive: () => pool.mayDrive(),
  limits: settings.limits,
});
const gossip = createGossip(settings.databaseUrl);
const pool = createPool({
  store: createPoolStore(settings.databaseUrl),
  lease: createLeaseStore(settings.databaseUrl),
  link: createPoolLink(settings.databaseUrl, gossip),
  waiter: supervisor,
  clock,
  log,
  firstCaps: { globalMax: 20, perUserMax: 2, paused: false },
  onFatal: (reason) => {
    line(reason);
    process.exit(1);
  },
});

const holds = startHolds({ store: createHoldStore(sql), pool: () => pool, clock, log });

const verbs: EngineVerbs = {
  enqueue: (session) => pool.enqueue(session),
  cancel: (sessionId, by) => pool.cancel(sessionId, by),
  setCaps: (change) => pool.setCaps(change),
  live: async () => pool.snapshot().sessions(1_000),
  counts: async (userId) => pool.snapshot().user(userId),
};

pool.start();
await pool.ready();
const reconciler = startReconciler({ runner, record, log, sweepEveryMs: 500 });

process.on("message", (message: EngineCall) => {
  const verb = verbs[message.verb] as (...args: readonly unknown[]) => Promise<unknown>;
  verb(...message.args).then(
    (answer) => process.send?.({ id: message.id, answer }),
    (error: unknown) => process.send?.({ id: message.id, error: String(error) }),
  );
});
process.on("SIGTERM", async () => {
  await reconciler.stop();
  await pool.stopGranting();
  await supervisor.detach();
  await pool.stop();
  await sql.end({ timeout: 1 });
  process.exit(0);
});
// A test that was killed leaves nobody behind; agents are the test's own to end.
process.on("disconnect", () => process.exit(0));
process.send?.({ id: 0, answer: "ready" });
