/**
 * How long a seat stays empty while others wait for it: the real pool on PostgreSQL, saturated. Timed from telling the
 * pool that a session has ended until the session that got its seat is attended, which is after their one commit.
 */
import postgres from "postgres";
import { atMost, type Measure, percentile } from "./figures";
import { startCluster } from "./support/database";
import { openPool, sessionOf } from "./support/pool";
import { seed, taskId, userId } from "./support/rows";

const CAPS = { globalMax: 20, perUserMax: 2 };
const USERS = 40;
const SESSIONS = { full: 4_000, small: 120 };
const SESSION_LEAST_MS = 30;
const SESSION_MOST_MS = 90;
const P50_MAX_MS = 5;

export const measureFreedSlot: Measure = async ({ isSmall }) => {
  const count = SESSIONS[isSmall ? "small" : "full"];
  const cluster = await startCluster();
  const url = await cluster.createMigrated();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await seed(sql, { users: USERS, tasks: count });
    const gapsMs: number[] = [];
    const freedAt = new Map<number, number>();
    let ended = 0;
    let isAllOver = () => {};
    const over = new Promise<void>((resolve) => {
      isAllOver = resolve;
    });
    const { pool, close } = await openPool({
      url,
      ...CAPS,
      async work({ seat }) {
        const freed = freedAt.get(seat ?? -1);
        if (freed !== undefined) gapsMs.push(performance.now() - freed);
        const lasts = SESSION_LEAST_MS + Math.random() * (SESSION_MOST_MS - SESSION_LEAST_MS);
        await new Promise((resolve) => setTimeout(resolve, lasts));
        freedAt.set(seat ?? -1, performance.now());
      },
      ended() {
        ended += 1;
        if (ended === count) isAllOver();
      },
    });
    await Promise.all(Array.from({ length: count }, (_, n) => pool.enqueue(sessionOf(userId(n % USERS), taskId(n)))));
    await over;
    const { idleSlotSeconds, commits, commitMsTotal } = pool.vitals();
    await close();
    const p50 = percentile(gapsMs, 0.5);
    return [
      {
        what: "freed slot → next grant committed, p50",
        value: p50,
        unit: "ms",
        target: atMost(p50, P50_MAX_MS, "ms"),
        note: `of ${gapsMs.length} grants; p99 ${percentile(gapsMs, 0.99).toFixed(1)} ms; a commit takes ${(commitMsTotal / commits).toFixed(1)} ms on average`,
      },
      {
        what: "idle slots while someone eligible waits",
        value: idleSlotSeconds,
        unit: "s",
        target: atMost(idleSlotSeconds, 0, "s"),
        note: "free slots × seconds after a commit, counted by the pool",
      },
    ];
  } finally {
    await sql.end();
    await cluster.stop();
  }
};
