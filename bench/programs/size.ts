/** Runs very many sessions through the real pool and looks at heap and rows before and after. Needs --expose-gc. */
import postgres from "postgres";
import { openPool, sessionOf } from "../support/pool";
import { inputOf, tell } from "../support/program";
import { seed, taskId, userId } from "../support/rows";

interface Look {
  readonly heapMB: number;
  readonly live: number;
  readonly ended: number;
  /** Rows of every table but the sessions. */
  readonly others: number;
}

export interface Sizes {
  readonly before: Look;
  readonly after: Look;
}

const USERS = 100;
const TASKS_EACH = 6;

const { url, first, more } = inputOf<{ url: string; first: number; more: number }>();
const sql = postgres(url, { max: 1, onnotice: () => {} });
await seed(sql, { users: USERS, tasks: USERS * TASKS_EACH });
const free: string[] = Array.from({ length: USERS * TASKS_EACH }, (_, n) => taskId(n));
let isOver = () => {};
const { pool, close } = await openPool({
  url,
  globalMax: 20,
  perUserMax: 2,
  work: async () => {},
  ended({ taskId: task }) {
    free.push(task);
    isOver();
  },
});
await run(first);
const before = await look();
await run(more);
const after = await look();
tell({ before, after } satisfies Sizes);
await close();
await sql.end();
process.exit(0);

/** Runs `count` sessions, as many at once as there are tasks. */
async function run(count: number): Promise<void> {
  let left = count;
  let ended = 0;
  await new Promise<void>((resolve, reject) => {
    const next = () => {
      for (; left > 0 && free.length > 0; left -= 1) {
        const task = free.shift() ?? "";
        const user = Math.floor(Number(task.slice("task-".length)) / TASKS_EACH);
        pool.enqueue(sessionOf(userId(user), task)).catch(reject);
      }
    };
    isOver = () => {
      ended += 1;
      if (ended === count) resolve();
      else next();
    };
    next();
  });
}

async function look(): Promise<Look> {
  const [rows] = await sql<{ live: number; ended: number }[]>`
    select count(*) filter (where status in ('queued', 'running'))::int as live,
      count(*) filter (where status not in ('queued', 'running'))::int as ended from sessions`;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'sessions'`;
  let others = 0;
  for (const { name } of tables) {
    const [counted] = await sql<{ n: number }[]>`select count(*)::int as n from ${sql(name)}`;
    others += counted?.n ?? 0;
  }
  // Twice: what the first collection frees may keep something else for the second.
  for (let i = 0; i < 2; i += 1) globalThis.gc?.();
  return {
    heapMB: process.memoryUsage().heapUsed / 1_000_000,
    live: rows?.live ?? -1,
    ended: rows?.ended ?? -1,
    others,
  };
}
