/**
 * Agents that write as fast as they can beside a crowd of dispatches, on the whole server in a process of its own (P20). The
 * figures are printed, because a bound alone does not show that they are slowly getting worse.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { PoolHealth } from "./contract/pool";
import { type TestDatabase, testDatabase } from "./testing/postgres";
import { bundleServer, type ServerBundle, ServerProcess, temporaryDataDir } from "./testing/server-process";
import { waitFor } from "./testing/wait-for";

const LONG = Boolean(process.env.CAMELOT_TEST_ALL);
const WRITERS = 4;
const BYTES_EACH = LONG ? 100_000_000 : 5_000_000;
const DISPATCHES = LONG ? 200 : 12;
/** A machine that has other things to do as well is slower, but never by this much. */
const LAG_P99_MAX_MS = 500;
const MEMORY_GROWTH_MAX_MB = 400;
const ANSWER_P99_MAX_MS = 3_000;
/** Free slots × seconds while somebody could have started, per grant. */
const IDLE_PER_GRANT_MAX_S = 0.1;
const LOOK_EVERY_MS = 500;
const TIME_MS = LONG ? 900_000 : 120_000;
vi.setConfig({ testTimeout: TIME_MS });

let bundle: ServerBundle;
let database: TestDatabase;
let dataDir: ReturnType<typeof temporaryDataDir>;
let server: ServerProcess;
let url: string;

beforeAll(async () => {
  bundle = await bundleServer();
  dataDir = temporaryDataDir();
  database = await testDatabase();
  const places = { DATABASE_URL: database.url, CAMELOT_DATA_DIR: dataDir.path, PORT: "0" };
  server = new ServerProcess(bundle, { ...places, GLOBAL_MAX: "8", PER_USER_MAX: String(WRITERS) });
  url = await server.served();
});
afterAll(async () => {
  await server.end();
  await database.drop();
  dataDir.remove();
  bundle.remove();
});

type Headers = Readonly<Record<string, string>>;

async function ask<T>(who: Headers, method: string, path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { "content-type": "application/json", origin: url, ...who };
  const answer = await fetch(`${url}${path}`, { method, ...init, headers });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function signUp(name: string): Promise<Headers> {
  const account = JSON.stringify({ name, email: `${name}@example.com`, password: "correct horse battery" });
  const headers = { "content-type": "application/json", origin: url };
  const answer = await fetch(`${url}/api/auth/sign-up/email`, { method: "POST", body: account, headers });
  expect(answer.status).toBe(200);
  const cookies = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { cookie: cookies.join("; ") };
}

async function dispatched(who: Headers, projectId: string, prompt: string): Promise<{ id: string; tookMs: number }> {
  const tasks = `/api/v1/projects/${projectId}/tasks`;
  const task = await ask<{ id: string }>(who, "POST", tasks, { title: "Load", prompt });
  const asked = performance.now();
  const path = `/api/v1/tasks/${task.id}/dispatch`;
  const { session } = await ask<{ session: { id: string } }>(who, "POST", path, {});
  return { id: session.id, tookMs: performance.now() - asked };
}

interface Figures {
  readonly lagP99Ms: number;
  readonly memoryMb: number;
}

/** The lag's histogram begins anew with every look. */
async function look(): Promise<Figures> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  const lagP99Ms = read("nodejs_eventloop_lag_p99_seconds") * 1_000;
  return { lagP99Ms, memoryMb: read("process_resident_memory_bytes") / 1_000_000 };
}

const percentile = (values: readonly number[], part: number) =>
  [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? 0;

test("[P20][P7][LOG-3] agents at full speed beside a crowd of dispatches: a free loop, bounded memory, no grant delayed", async () => {
  const [writer, crowd] = [await signUp("ada"), await signUp("ben")];
  const { id: project } = await ask<{ id: string }>(writer, "POST", "/api/v1/projects", {
    name: "P",
    repository: "sample",
  });
  const { id: crowdId } = await ask<{ id: string }>(crowd, "GET", "/api/v1/me");
  await ask(writer, "PUT", `/api/v1/projects/${project}/members/${crowdId}`, { role: "member" });
  const before = await look();
  const began = performance.now();
  // The shell counts a broken pipe as a failure, and it is how `yes` ends.
  const flood = `(yes 'the quick brown fox jumps over the lazy dog' || :) | head -c ${BYTES_EACH}`;
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => dispatched(writer, project, flood)));
  const answers: number[] = [];
  const dispatching = (async () => {
    for (let n = 0; n < DISPATCHES; n += 1) answers.push((await dispatched(crowd, project, "true")).tookMs);
  })();
  const seen: Figures[] = [];
  let lookedAt = began;
  await waitFor(
    async () => {
      if (performance.now() - lookedAt > LOOK_EVERY_MS) {
        lookedAt = performance.now();
        seen.push(await look());
      }
      const { global } = await ask<{ global: { running: number; queued: number } }>(crowd, "GET", "/api/v1/pool");
      return answers.length === DISPATCHES && global.running + global.queued === 0;
    },
    "everybody to be done",
    TIME_MS,
  );
  await dispatching;
  const health = await ask<PoolHealth>(crowd, "GET", "/api/v1/pool/health");
  const lags = seen.map(({ lagP99Ms }) => lagP99Ms).filter((lag) => lag > 0);
  const figures = {
    "megabytes written": (WRITERS * BYTES_EACH) / 1_000_000,
    dispatches: DISPATCHES,
    seconds: (performance.now() - began) / 1_000,
    "event loop p99, median of looks, ms": percentile(lags, 0.5),
    "event loop p99, 95 % of looks, ms": percentile(lags, 0.95),
    "event loop p99, worst look, ms": Math.max(...lags),
    "memory before, MB": before.memoryMb,
    "memory at most, MB": Math.max(...seen.map(({ memoryMb }) => memoryMb)),
    "dispatch answered p50, ms": percentile(answers, 0.5),
    "dispatch answered p99, ms": percentile(answers, 0.99),
    "commit mean, ms": health.commits.meanMs ?? 0,
    "idle slot seconds": health.idleSlotSeconds,
  };
  console.table(
    Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 10) / 10])),
  );
  for (const { id } of writers) {
    const { status, outputBytes } = await ask<{ status: string; outputBytes: number }>(
      writer,
      "GET",
      `/api/v1/sessions/${id}`,
    );
    expect(status).toBe("succeeded");
    expect(outputBytes).toBeGreaterThanOrEqual(BYTES_EACH);
  }
  expect(health.grants.count).toBe(WRITERS + DISPATCHES);
  expect(figures["event loop p99, 95 % of looks, ms"]).toBeLessThan(LAG_P99_MAX_MS);
  expect(figures["memory at most, MB"] - before.memoryMb).toBeLessThan(MEMORY_GROWTH_MAX_MB);
  expect(figures["dispatch answered p99, ms"]).toBeLessThan(ANSWER_P99_MAX_MS);
  expect(health.idleSlotSeconds).toBeLessThan(IDLE_PER_GRANT_MAX_S * health.grants.count);
});
