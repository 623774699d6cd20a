/** The load of `bench/peers/load.mjs` on this pool, as `bench/peers/run.mjs` puts it on the others. */
import postgres from "postgres";
import { burstLoad, type Engine, steadyLoad } from "../peers/load.mjs";
import { openPool, sessionOf } from "../support/pool";
import { inputOf, tell } from "../support/program";
import { seed, taskId, userId } from "../support/rows";

interface Input {
  readonly load: "steady" | "burst";
  readonly options: { readonly url: string; readonly globalMax: number; readonly perUserMax: number };
  readonly size: Parameters<typeof steadyLoad>[1] & Parameters<typeof burstLoad>[1];
  /** People, and how many tasks each of them has. */
  readonly users: number;
  readonly tasksEach: number;
}

const { load, options, size, users, tasksEach } = inputOf<Input>();
const sql = postgres(options.url, { max: 22, onnotice: () => {} });

/** A task has one live session at most, so each user takes the next of their tasks that has none. */
const free = Array.from({ length: users }, (_, user) =>
  Array.from({ length: tasksEach }, (_, n) => taskId(user * tasksEach + n)),
);

async function open(work: (user: number) => Promise<void>): Promise<Engine> {
  await seed(sql, { users, tasks: users * tasksEach });
  const { pool, close } = await openPool({
    ...options,
    work: (session) => work(numberOf(session.userId)),
    ended: (session) => free[numberOf(session.userId)]?.push(session.taskId),
  });
  return {
    async enqueue(user) {
      const task = free[user]?.pop();
      if (task === undefined) throw new Error(`user ${user} has no task left`);
      const { existing } = await pool.enqueue(sessionOf(userId(user), task));
      if (existing) throw new Error(`${task} is still running`);
    },
    async isDone() {
      const [row] = await sql`select exists (select from sessions where status in ('queued', 'running')) as is_left`;
      return !row?.is_left;
    },
    query: (text, values = []) => sql.unsafe(text, values.map(String)),
    close,
  };
}

function numberOf(id: string): number {
  return Number(id.slice("user-".length));
}

tell(await (load === "burst" ? burstLoad(open, size) : steadyLoad(open, size)));
process.exit(0);
