/**
 * graphile-worker, set up as well as it can be for "2 per user, 20 in all": jobs of a named queue run one after the other, so
 * each user has two queues and dispatches into them in turns; 20 workers. That keeps the cap exactly, but a session waits in
 * its own queue even while the user's other one is empty. `isBatched`: with its local queue and joined completions, faster
 * under a steady load and slow at the end of a burst. `isCapped` false: no named queues.
 */
import { makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";
import { queries, silently } from "./postgres.mjs";

export async function open({ url, globalMax, perUserMax, isCapped, isBatched }, work) {
  const pool = new pg.Pool({ connectionString: url, max: globalMax + 10 });
  const batches = { localQueue: { size: globalMax + 1 }, completeJobBatchDelay: 0 };
  const worker = { concurrentJobs: globalMax, pollInterval: 500, logger: silently(), ...(isBatched ? batches : {}) };
  const preset = { worker };
  const utils = await makeWorkerUtils({ pgPool: pool, preset });
  await utils.migrate();
  const runner = await run({
    pgPool: pool,
    preset,
    noHandleSignals: true,
    taskList: { session: ({ user }) => work(user) },
  });
  const dispatched = new Map();
  return {
    ...queries(pool),
    enqueue(user) {
      const count = dispatched.get(user) ?? 0;
      dispatched.set(user, count + 1);
      const lane = isCapped ? { queueName: `${user}/${count % perUserMax}` } : {};
      return utils.addJob("session", { user }, { maxAttempts: 1, ...lane });
    },
    async isDone() {
      const { rows } = await pool.query("select exists (select from graphile_worker._private_jobs) as is_left");
      return !rows[0].is_left;
    },
    async close() {
      await runner.stop();
      await utils.release();
      await pool.end();
    },
  };
}
