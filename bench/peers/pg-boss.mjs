/**
 * pg-boss, set up as well as it can be for "2 per user, 20 in all": `localGroupConcurrency` counts a user's sessions in this
 * process, which is exact (its `groupConcurrency`, counted in the database, lets more through); 20 workers that look again at
 * once while the line is known to be long (counted every second, the most it allows), else twice a second. Its NOTIFY wakes
 * all workers for each dispatch and halved the rate here, so it is off. `isCapped` false: without the groups.
 */
import pg from "pg";
import { PgBoss } from "pg-boss";
import { queries } from "./postgres.mjs";

const QUEUE = "session";

export async function open({ url, globalMax, perUserMax, isCapped }, work) {
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  const looks = { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1, queueCacheIntervalSeconds: 1 };
  const boss = new PgBoss({ connectionString: url, max: globalMax + 10, schedule: false, ...looks });
  boss.on("error", (error) => console.error(`pg-boss: ${error.message}`));
  await boss.start();
  await boss.createQueue(QUEUE, { retryLimit: 0 });
  const caps = isCapped ? { localGroupConcurrency: perUserMax } : {};
  const often = { pollingIntervalSeconds: 0.5, burstWhenReadyExceeds: 1 };
  await boss.work(QUEUE, { localConcurrency: globalMax, batchSize: 1, ...often, ...caps }, ([job]) =>
    work(job.data.user),
  );
  return {
    ...queries(pool),
    enqueue: (user) => boss.send(QUEUE, { user }, { retryLimit: 0, group: { id: String(user) } }),
    async isDone() {
      const { rows } = await pool.query(
        "select exists (select from pgboss.job where name = $1 and state < 'completed') as is_left",
        [QUEUE],
      );
      return !rows[0].is_left;
    },
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}
