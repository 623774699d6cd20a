/**
 * How long a pool with many waiting sessions takes from asking for the lease until it has granted, and what it holds in
 * memory then. A process of its own for each size.
 */
import postgres from "postgres";
import { atMost, type Figure, type Measure } from "./figures";
import type { Booted } from "./programs/boot";
import { type Cluster, startCluster } from "./support/database";
import { runProgram } from "./support/program";
import { queueAll, seed } from "./support/rows";

interface Case {
  readonly queued: number;
  readonly users: number;
  readonly mostS: number;
  readonly mostMB?: number;
}

const CASES: { readonly full: readonly Case[]; readonly small: readonly Case[] } = {
  full: [
    { queued: 100_000, users: 10_000, mostS: 1.5 },
    { queued: 1_000_000, users: 100_000, mostS: 12, mostMB: 1_000 },
  ],
  small: [{ queued: 2_000, users: 200, mostS: 1.5, mostMB: 1_000 }],
};

export const measureBoot: Measure = async ({ isSmall }, say) => {
  const cluster = await startCluster();
  try {
    const figures: Figure[] = [];
    for (const one of CASES[isSmall ? "small" : "full"]) {
      say(`${one.queued} queued rows`);
      figures.push(...(await boot(cluster, one)));
    }
    return figures;
  } finally {
    await cluster.stop();
  }
};

async function boot(cluster: Cluster, { queued, users, mostS, mostMB }: Case): Promise<Figure[]> {
  const url = await cluster.createMigrated();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await seed(sql, { users, tasks: queued });
    await queueAll(sql, { count: queued, users });
  } finally {
    await sql.end();
  }
  const { readyS, memoryMB, heapMB, sessions } = await runProgram<Booted>("boot", { url });
  await cluster.drop(url);
  if (sessions !== queued) throw new Error(`of ${queued} queued sessions ${sessions} were found`);
  const what = `boot with ${queued.toLocaleString("en")} queued rows of ${users.toLocaleString("en")} users`;
  const memory = mostMB === undefined ? {} : { target: atMost(memoryMB, mostMB, "MB") };
  return [
    {
      what,
      value: readyS,
      unit: "s",
      target: atMost(readyS, mostS, "s"),
      note: "until the first grants are committed",
    },
    {
      what: `${what}: memory of the process at most`,
      value: memoryMB,
      unit: "MB",
      ...memory,
      note: `its heap afterwards ${Math.round(heapMB)} MB`,
    },
  ];
}
