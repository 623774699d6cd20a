/**
 * Agents that write as fast as they can beside a crowd of dispatches, on the whole server in a process of its own (P20). Nothing
 * here is about time; how long things take under this load is measured by `bench/full-load.ts`.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { flood } from "./testing/flood";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";

const LONG = Boolean(process.env.CAMELOT_TEST_ALL);
const WRITERS = 4;
const BYTES_EACH = LONG ? 100_000_000 : 5_000_000;
const DISPATCHES = LONG ? 200 : 12;
/** Far less than what is written in the long run; a server without anything to do already holds most of it. */
const MEMORY_GROWTH_MAX_BYTES = 400_000_000;
/** How long everything may take on the busiest machine; nothing here is about speed. */
const WITHIN_MS = LONG ? 900_000 : 120_000;
vi.setConfig({ testTimeout: WITHIN_MS });

let bundle: ServerBundle;
let database: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;
let server: ServerProcess;

beforeAll(async () => {
  bundle = await bundleServer();
  dataDir = temporaryDataDir();
  database = await testDatabase();
  const places = { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir.path, PORT: "0" };
  server = new ServerProcess(bundle, { ...places, GLOBAL_MAX: "8", PER_USER_MAX: String(WRITERS) });
});
afterAll(async () => {
  await server.end();
  await database.drop();
  dataDir.remove();
  bundle.remove();
});

test("[P20][P7][LOG-3] agents at full speed beside a crowd: nobody waits for output, memory stays bounded, every byte is there", async () => {
  const size = { writers: WRITERS, bytesEach: BYTES_EACH, dispatches: DISPATCHES, withinMs: WITHIN_MS };
  const url = await server.served();
  const seen = await flood({ url, pid: server.child.pid ?? 0 }, dataDir.path, size);
  // The whole crowd was granted, ran and ended while all the writers were still writing.
  expect(seen.crowd.map(({ status }) => status)).toEqual(Array.from({ length: DISPATCHES }, () => "succeeded"));
  expect(seen.writers.map(({ statusThen }) => statusThen)).toEqual(Array.from({ length: WRITERS }, () => "running"));
  expect(seen.health.grants.count).toBe(WRITERS + DISPATCHES);
  for (const { session, bytesTold } of seen.writers) {
    expect(session).toMatchObject({ status: "succeeded", outputBytes: bytesTold });
    expect(session.outputBytes).toBeGreaterThanOrEqual(BYTES_EACH);
  }
  expect(seen.memoryPeak - seen.memoryBefore).toBeLessThan(MEMORY_GROWTH_MAX_BYTES);
});
