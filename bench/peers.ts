/**
 * This pool beside the queues one would otherwise take, on the same PostgreSQL, in turns. Each engine runs in a process and
 * a database of its own; how each is set up for "2 per user, 20 in all" stands at the head of its driver in `bench/peers`.
 */
import { loadavg } from "node:os";
import path from "node:path";
import { atLeast, atMost, type Figure, type Measure, median } from "./figures";
import type { BurstResult, SteadyResult } from "./peers/load.mjs";
import { type Cluster, startCluster } from "./support/database";
import { resultOf, runProgram } from "./support/program";

const CAPS = { globalMax: 20, perUserMax: 2 };
const TIMES_PEERS = 10;
const OURS = "this pool";

interface Engine {
  readonly name: string;
  readonly module: string | null;
  readonly isCapped: boolean;
  readonly isBatched?: boolean;
}

const ENGINES: readonly Engine[] = [
  { name: OURS, module: null, isCapped: true },
  { name: "graphile-worker, two queues per user", module: "graphile-worker", isCapped: true },
  {
    name: "graphile-worker, two queues per user, in batches",
    module: "graphile-worker",
    isCapped: true,
    isBatched: true,
  },
  { name: "pg-boss, localGroupConcurrency 2", module: "pg-boss", isCapped: true },
  { name: "graphile-worker, no cap per user, in batches", module: "graphile-worker", isCapped: false, isBatched: true },
  { name: "pg-boss, no cap per user", module: "pg-boss", isCapped: false },
  { name: "BullMQ on PostgreSQL, no cap per user", module: "bullmq", isCapped: false },
];

const STEADY = {
  full: { users: 200, outstanding: 3, seconds: 8 },
  small: { users: 20, outstanding: 3, seconds: 0.8 },
};
const BURST = {
  full: { crowd: 300, others: 20, each: 10, sessionMs: 10, ...CAPS },
  small: { crowd: 40, others: 5, each: 4, sessionMs: 10, ...CAPS },
};
const ROUNDS = { full: 5, small: 1 };

export const measurePeers: Measure = async ({ isSmall }, say) => {
  const scale = isSmall ? "small" : "full";
  const cluster = await startCluster();
  const steady = new Map<Engine, SteadyResult[]>(ENGINES.map((engine) => [engine, []]));
  const burst = new Map<Engine, BurstResult>();
  try {
    for (let round = 1; round <= ROUNDS[scale]; round += 1) {
      say(`round ${round} of ${ROUNDS[scale]}, load of the machine ${loadavg()[0]?.toFixed(1)}`);
      for (const engine of ENGINES) {
        const result = await run<SteadyResult>(cluster, engine, "steady", STEADY[scale]);
        steady.get(engine)?.push(result);
        say(`  ${engine.name}: ${Math.round(result.perSecond)} lifecycles/s`);
      }
    }
    for (const engine of ENGINES) burst.set(engine, await run<BurstResult>(cluster, engine, "burst", BURST[scale]));
  } finally {
    await cluster.stop();
  }
  return [...lifecycles(steady), ...overshoots(burst)];
};

async function run<Result>(
  cluster: Cluster,
  { module, isCapped, isBatched = false }: Engine,
  load: "steady" | "burst",
  size: (typeof STEADY)["full"] | (typeof BURST)["full"],
): Promise<Result> {
  const url = module === null ? await cluster.createMigrated() : await cluster.create();
  try {
    const options = { url, ...CAPS, isCapped, isBatched };
    if (module === null) return await runProgram<Result>("pool-load", { load, options, size, ...tasksFor(size) });
    const program = path.join("bench", "peers", "run.mjs");
    return await resultOf<Result>([program, module, load, JSON.stringify({ options, size })]);
  } finally {
    await cluster.drop(url);
  }
}

/** As many tasks as a user may have live, and those whose end is being written. */
function tasksFor(size: (typeof STEADY)["full"] | (typeof BURST)["full"]) {
  if ("crowd" in size) return { users: 1 + size.others, tasksEach: size.crowd };
  return { users: size.users, tasksEach: size.outstanding + 2 * CAPS.perUserMax };
}

function lifecycles(steady: ReadonlyMap<Engine, SteadyResult[]>): Figure[] {
  const rates = new Map(
    Array.from(steady, ([engine, results]) => [engine, median(results.map((one) => one.perSecond))]),
  );
  const ours = rates.get(ENGINES[0] as Engine) ?? Number.NaN;
  return Array.from(rates, ([engine, rate]): Figure => {
    const results = steady.get(engine) ?? [];
    const p99 = median(results.map((one) => one.p99Ms));
    const spread = `${Math.round(Math.min(...results.map((one) => one.perSecond)))}–${Math.round(Math.max(...results.map((one) => one.perSecond)))} /s, p99 from dispatch to end ${Math.round(p99)} ms`;
    const what = `durable lifecycles, ${engine.name}`;
    if (engine.module === null || !engine.isCapped) return { what, value: rate, unit: "/s", note: spread };
    const times = ours / rate;
    const target = { text: `this pool ≥ ${TIMES_PEERS} × it`, isMet: atLeast(times, TIMES_PEERS, "×").isMet };
    return { what, value: rate, unit: "/s", target, note: `this pool is ${times.toFixed(1)} × as fast; ${spread}` };
  });
}

function overshoots(burst: ReadonlyMap<Engine, BurstResult>): Figure[] {
  return Array.from(burst, ([engine, { overCap, mostOfOneUser, mostInAll, sessions, seconds }]): Figure => {
    const note = `of ${sessions} in ${seconds.toFixed(1)} s; at most ${mostOfOneUser} of one user and ${mostInAll} in all at once`;
    const figure = {
      what: `sessions begun over a cap in a burst, ${engine.name}`,
      value: overCap,
      unit: "",
      note,
    } as const;
    return engine.module === null ? { ...figure, target: atMost(overCap, 0, "") } : figure;
  });
}
