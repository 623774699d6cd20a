/** Figures for Prometheus (P22), read from their owners when somebody asks. Holds no names of people or projects. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

export interface PoolFigures {
  readonly epoch: number;
  readonly state: string;
  readonly mailboxDepth: number;
  readonly oldestLetterMs: number;
  readonly commits: number;
  readonly lastBatchSize: number;
  readonly commitMsTotal: number;
  readonly grants: number;
  readonly waitMsTotal: number;
  readonly releases: number;
  readonly unknownOutcomes: number;
  readonly crashes: number;
  readonly rebuilds: number;
  readonly staleMessages: number;
  readonly idleSlotSeconds: number;
  readonly takeovers: number;
}

export interface MetricsParts {
  readonly pool: () => PoolFigures;
  readonly global: () => { readonly running: number; readonly queued: number; readonly max: number };
  readonly sockets: () => number;
}

export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

export function createMetrics(parts: MetricsParts): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];

  const gauge = (name: string, help: string, read: () => number) => {
    new Gauge({
      name: `camelot_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  const counter = (name: string, help: string, read: (pool: PoolFigures) => number) => {
    new Counter({
      name: `camelot_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read(parts.pool()));
      },
    });
  };

  new Gauge({
    name: "camelot_sessions",
    help: "Live sessions by status.",
    labelNames: ["status"],
    registers,
    collect() {
      const { running, queued } = parts.global();
      this.set({ status: "running" }, running);
      this.set({ status: "queued" }, queued);
    },
  });
  gauge("slots_max", "The global cap.", () => parts.global().max);
  gauge("live_sockets", "Connected sockets of the live channel.", parts.sockets);
  gauge("pool_epoch", "The writer's term.", () => parts.pool().epoch);
  gauge("pool_is_writer", "1 while this server is the pool's writer.", () =>
    parts.pool().state === "writing" ? 1 : 0,
  );
  gauge("pool_mailbox_letters", "Orders that wait for the writer.", () => parts.pool().mailboxDepth);
  gauge("pool_mailbox_oldest_seconds", "Age of the oldest of them.", () => parts.pool().oldestLetterMs / 1_000);
  gauge("pool_last_batch_orders", "Orders in the last commit.", () => parts.pool().lastBatchSize);
  counter("pool_commits", "Commits of the writer.", (pool) => pool.commits);
  counter("pool_commit_seconds", "Time spent in them.", (pool) => pool.commitMsTotal / 1_000);
  counter("pool_grants", "Slots granted.", (pool) => pool.grants);
  counter("pool_wait_seconds", "Sum of the times from dispatch to grant.", (pool) => pool.waitMsTotal / 1_000);
  counter("pool_releases", "Slots given back.", (pool) => pool.releases);
  counter("pool_unknown_outcomes", "Commits whose outcome had to be read back.", (pool) => pool.unknownOutcomes);
  counter("pool_takeovers", "Times this server became the pool's writer.", (pool) => pool.takeovers);
  counter("pool_crashes", "Crashes of the pool's loop.", (pool) => pool.crashes);
  counter("pool_rebuilds", "Times the pool was read again from rows.", (pool) => pool.rebuilds);
  counter("pool_stale_messages", "Messages for attempts that are not held.", (pool) => pool.staleMessages);
  counter(
    "pool_idle_slot_seconds",
    "Free slots × seconds while somebody eligible waited.",
    (pool) => pool.idleSlotSeconds,
  );
  return { contentType: registry.contentType, text: () => registry.metrics() };
}
