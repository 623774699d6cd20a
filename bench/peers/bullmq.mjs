/**
 * BullMQ on its PostgreSQL backend. It has no cap per user without its paid edition, so it is set up for "20 in all" only and
 * stands beside the others for context.
 */
import { createPostgresBackend, Queue, Worker } from "bullmq";
import pg from "pg";
import { queries } from "./postgres.mjs";

const QUEUE = "session";

export async function open({ url, globalMax }, work) {
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  const connection = { connectionString: url, max: globalMax + 10, migrate: true };
  const queue = new Queue(QUEUE, { connection }, createPostgresBackend);
  await queue.waitUntilReady();
  await queue.setGlobalConcurrency(globalMax);
  const worker = new Worker(
    QUEUE,
    async (job) => {
      await work(job.data.user);
    },
    { connection, concurrency: globalMax },
    createPostgresBackend,
  );
  worker.on("error", (error) => console.error(`BullMQ: ${error.message}`));
  await worker.waitUntilReady();
  return {
    ...queries(pool),
    enqueue: (user) => queue.add(QUEUE, { user }, { removeOnComplete: true }),
    async isDone() {
      const { active, waiting, prioritized, delayed } = await queue.getJobCounts();
      return (active ?? 0) + (waiting ?? 0) + (prioritized ?? 0) + (delayed ?? 0) === 0;
    },
    async close() {
      await worker.close();
      await queue.close();
      await pool.end();
    },
  };
}
