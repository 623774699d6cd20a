/** The embedded PostgreSQL as users have it, durable, with a cluster and data directory of its own that go with it. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { startEmbeddedPostgres } from "../../server/db/embedded-postgres";
import { migrate } from "../../server/db/migrate";
import { onLeaving } from "./leaving";

export interface Cluster {
  /** An empty database: its address. */
  create(): Promise<string>;
  /** A database with the product's tables: its address. */
  createMigrated(): Promise<string>;
  drop(url: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(path.join(tmpdir(), "camelot-bench-"));
  // Passable: the embedded database may run as another user.
  chmodSync(folder, 0o711);
  const log = { info: () => {}, warn: (line: string) => console.error(line) };
  const { url, stop } = await startEmbeddedPostgres({ dataDir: folder, log });
  let made = 0;
  async function create(): Promise<string> {
    made += 1;
    const own = new URL(url);
    own.pathname = `/bench_${made}`;
    await administer(url, `create database bench_${made}`);
    return own.href;
  }
  return {
    create,
    async createMigrated() {
      const own = await create();
      await migrate(own);
      return own;
    },
    drop: (own) => administer(url, `drop database if exists ${new URL(own).pathname.slice(1)} with (force)`),
    stop: onLeaving(async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
