/**
 * The embedded PostgreSQL, supervised: attached to when it still runs from an earlier start, started otherwise, started
 * again whenever it ends. Its port and password stay the same as long as we run, so open pools just connect again.
 *
 * The caller holds the lock of the data directory before calling this: two servers must not both think it theirs.
 */
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { StartRefused } from "../ports/start-refused";
import { askWithin } from "./ask-within";
import { choosePort, POSTGRES_USER, type PostgresCluster, prepareCluster } from "./postgres-cluster";
import { attach, launch, type Postmaster, stopPostmaster } from "./postmaster";

export interface EmbeddedPostgres {
  url: string;
  /** Fast stop: open transactions are rolled back, everything acknowledged is on disk. Harmless twice. */
  stop(): Promise<void>;
  /** Called after each time the database had ended and answers again. */
  onRestart(callback: () => void): void;
}

interface Log {
  info(message: string): void;
  warn(message: string): void;
}

interface Options {
  dataDir: string;
  log: Log;
  /** PostgreSQL settings on top of ours, by name. */
  extraSettings?: Record<string, string>;
}

const DATABASE = "camelot";
/** Making the database copies files: on a busy machine that takes a while, seconds. */
const FIRST_ASK_LIMIT_S = 60;
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 5_000;
const LOG_MOST_BYTES = 5_000_000;
const LOG_CHECK_MS = 60_000;

export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const extra = options.extraSettings ?? {};
  const cluster = await prepareCluster(options.dataDir, extra.fsync !== "off");
  keepLogBounded(cluster.logFile);
  const first = await raiseFirst(cluster, extra);
  const url = urlOf(cluster, first.port, DATABASE);
  await ensureDatabase(cluster, urlOf(cluster, first.port, "postgres"));
  const logTimer = setInterval(() => keepLogBounded(cluster.logFile), LOG_CHECK_MS);
  logTimer.unref();

  const callbacks: (() => void)[] = [];
  const leaving = new AbortController();
  const supervision = supervise({
    first,
    leaving: leaving.signal,
    raise: () => raise(cluster, settingsOf(first.port, extra)),
    log: options.log,
    restarted: () => {
      for (const callback of callbacks) callback();
    },
  });
  return {
    url,
    onRestart: (callback) => void callbacks.push(callback),
    async stop() {
      leaving.abort();
      clearInterval(logTimer);
      await stopPostmaster(cluster.data);
      await supervision;
      // A start that was under way while we left.
      await stopPostmaster(cluster.data);
    },
  };
}

interface Supervision {
  first: Postmaster;
  leaving: AbortSignal;
  raise(): Promise<Postmaster>;
  restarted(): void;
  log: Log;
}

async function supervise({ first, leaving, raise, restarted, log }: Supervision): Promise<void> {
  const left = new Promise<void>((resolve) => leaving.addEventListener("abort", () => resolve(), { once: true }));
  let current = first;
  while (!leaving.aborted) {
    await Promise.race([current.ended, left]);
    if (leaving.aborted) return;
    log.warn(`PostgreSQL (process ${current.pid}) has ended; starting it again`);
    const next = await raiseUntilLeaving(raise, leaving, log);
    if (!next) return;
    current = next;
    log.info(`PostgreSQL runs again (process ${current.pid})`);
    restarted();
  }
}

async function raiseUntilLeaving(
  raise: () => Promise<Postmaster>,
  leaving: AbortSignal,
  log: Log,
): Promise<Postmaster | null> {
  for (let waitMs = RETRY_FIRST_MS; !leaving.aborted; waitMs = Math.min(waitMs * 2, RETRY_MOST_MS)) {
    try {
      return await raise();
    } catch (error) {
      log.warn(`PostgreSQL did not start (${(error as Error).message}); trying again in ${waitMs} ms`);
      await sleep(waitMs, undefined, { signal: leaving }).catch(() => {});
    }
  }
  return null;
}

async function raiseFirst(cluster: PostgresCluster, extra: Record<string, string>): Promise<Postmaster> {
  try {
    return (await attach(cluster.data)) ?? (await launch(cluster, settingsOf(await choosePort(cluster), extra)));
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    const why = (error as Error).message;
    throw new StartRefused(`The embedded PostgreSQL does not start (${why}); its log is ${cluster.logFile}.`);
  }
}

async function raise(cluster: PostgresCluster, settings: Record<string, string>): Promise<Postmaster> {
  return (await attach(cluster.data)) ?? (await launch(cluster, settings));
}

function settingsOf(port: number, extra: Record<string, string>): Record<string, string> {
  return {
    listen_addresses: "127.0.0.1",
    port: String(port),
    // No socket file: its path has a limit of 107 bytes which a long data directory would break.
    unix_socket_directories: "",
    max_connections: "100",
    log_checkpoints: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    ...extra,
  };
}

function urlOf(cluster: PostgresCluster, port: number, database: string): string {
  return `postgres://${POSTGRES_USER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

async function ensureDatabase(cluster: PostgresCluster, maintenanceUrl: string): Promise<void> {
  try {
    await askWithin(maintenanceUrl, FIRST_ASK_LIMIT_S, async (sql) => {
      const found = await sql`select 1 from pg_database where datname = ${DATABASE}`;
      if (found.length === 0) await sql.unsafe(`create database ${DATABASE}`);
    });
  } catch (error) {
    await stopPostmaster(cluster.data);
    throw new StartRefused(
      `The embedded PostgreSQL runs but does not let us in (${(error as Error).message}); its log is ${cluster.logFile}.`,
    );
  }
}

/** PostgreSQL appends to the open file, so it is emptied in place; the former content is kept once. */
function keepLogBounded(file: string): void {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_MOST_BYTES) return;
  fs.copyFileSync(file, `${file}.old`);
  fs.truncateSync(file, 0);
}
