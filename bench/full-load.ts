/**
 * How long things take while agents write as fast as they can beside a crowd of dispatches (P20): the whole server in a process
 * of its own on the embedded PostgreSQL. What has to hold whatever the time is `server/full-load.test.ts`.
 * By itself: `npx tsx bench/full-load.ts [small]`.
 */
import { loadavg } from "node:os";
import path from "node:path";
import { flood } from "../server/testing/flood";
import { bundleServer, ServerProcess, temporaryDataDir } from "../server/testing/server-process";
import { atMost, type Figure, type Measure, percentile } from "./figures";
import { startCluster } from "./support/database";

const FULL = { writers: 4, bytesEach: 100_000_000, dispatches: 200, withinMs: 900_000 };
const SMALL = { writers: 2, bytesEach: 2_000_000, dispatches: 5, withinMs: 120_000 };
/** Spec P20. */
const LOOP_P99_MAX_MS = 50;
/** Spec R5. */
const LEAVE_MAX_S = 5;

export const measureFullLoad: Measure = async ({ isSmall }, say) => {
  const size = isSmall ? SMALL : FULL;
  const [bundle, cluster] = await Promise.all([bundleServer(), startCluster()]);
  const dataDir = temporaryDataDir();
  const server = new ServerProcess(bundle, {
    DATABASE_URL: await cluster.create(),
    CAMELOT_DATA_DIR: dataDir.path,
    PORT: "0",
    GLOBAL_MAX: "8",
    PER_USER_MAX: String(size.writers),
  });
  try {
    const url = await server.served();
    say(`${size.writers} agents write ${size.bytesEach / 1_000_000} MB each, beside ${size.dispatches} dispatches …`);
    const seen = await flood({ url, pid: server.child.pid ?? 0 }, dataDir.path, size);
    const { loop, health, answersMs } = seen;
    const asked = performance.now();
    await server.end();
    const leftS = (performance.now() - asked) / 1_000;
    const megabytes = seen.bytesWritten / 1_000_000;
    const note = "written by agents and stored by their hosts on the same machine, which is what loads it";
    const ms = (what: string, value: number): Figure => ({ what, value, unit: "ms" });
    return [
      { ...ms("event loop under full load, p50", loop.p50Ms), note: "sampled every 10 ms, which is part of the value" },
      { ...ms("event loop under full load, p99", loop.p99Ms), target: atMost(loop.p99Ms, LOOP_P99_MAX_MS, "ms") },
      ms("event loop under full load, longest", loop.maxMs),
      { what: "server's memory before", value: seen.memoryBefore / 1_000_000, unit: "MB" },
      { what: "server's memory, peak", value: seen.memoryPeak / 1_000_000, unit: "MB" },
      ms("a free slot waits for its next session, mean", (health.idleSlotSeconds * 1_000) / health.grants.count),
      ms("dispatch answered under full load, p50", percentile(answersMs, 0.5)),
      ms("dispatch answered under full load, p99", percentile(answersMs, 0.99)),
      ms("commit under full load, mean", health.commits.meanMs ?? Number.NaN),
      { what: "output under full load", value: megabytes / seen.seconds, unit: "MB", note: `a second; ${note}` },
      {
        what: "ordinary stop, from the signal to its end",
        value: leftS,
        unit: "s",
        target: atMost(leftS, LEAVE_MAX_S, "s"),
      },
      { what: "machine load, average of a minute, at the end", value: loadavg()[0] ?? Number.NaN, unit: "" },
    ];
  } finally {
    await server.end();
    await cluster.stop();
    dataDir.remove();
    bundle.remove();
  }
};

if (path.basename(process.argv[1] ?? "") === "full-load.ts") {
  const figures = await measureFullLoad({ isSmall: process.argv.includes("small"), minutes: 0 }, console.log);
  for (const { what, value, unit, target, note } of figures) {
    const verdict = target === undefined ? "" : ` (${target.text}: ${target.isMet ? "met" : "MISSED"})`;
    console.log(`${what}: ${value.toFixed(1)} ${unit}${verdict}${note === undefined ? "" : ` · ${note}`}`);
  }
}
