/**
 * Whether anything gathers: heap and rows after very many sessions beside what they were after the first few. The real pool
 * on PostgreSQL; ended sessions stay as history, nothing else may.
 */
import { atMost, type Measure } from "./figures";
import type { Sizes } from "./programs/size";
import { startCluster } from "./support/database";
import { runProgram } from "./support/program";

const SESSIONS = { full: { first: 5_000, more: 100_000 }, small: { first: 700, more: 700 } };
/** What a collected heap differs from one look to the next. */
const HEAP_GROWTH_MAX_MB = 2;

export const measureSize: Measure = async ({ isSmall }) => {
  const { first, more } = SESSIONS[isSmall ? "small" : "full"];
  const cluster = await startCluster();
  try {
    const url = await cluster.createMigrated();
    const { before, after } = await runProgram<Sizes>("size", { url, first, more }, ["--expose-gc"]);
    const heap = after.heapMB - before.heapMB;
    const history = after.ended - before.ended;
    if (history !== more) throw new Error(`${more} sessions were run and ${history} have ended`);
    return [
      {
        what: `heap after ${more.toLocaleString("en")} more sessions`,
        value: heap,
        unit: "MB",
        target: { ...atMost(heap, HEAP_GROWTH_MAX_MB, "MB more than before"), text: `≤ ${HEAP_GROWTH_MAX_MB} MB more` },
        note: `${before.heapMB.toFixed(1)} MB before, ${after.heapMB.toFixed(1)} MB after, collected`,
      },
      { what: "live rows then", value: after.live, unit: "", target: atMost(after.live, 0, "") },
      {
        what: "rows beside the history, more than before",
        value: after.others - before.others,
        unit: "",
        target: atMost(after.others - before.others, 0, ""),
        note: `${after.others} rows in all other tables`,
      },
    ];
  } finally {
    await cluster.stop();
  }
};
