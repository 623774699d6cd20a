/**
 * Vitest's global setup: the one database cluster of a test run. It is started by the first test that asks for it, so
 * that a run of pure tests costs nothing, and it forgoes durability: its rows live as long as the run.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded-postgres";
import { MIGRATIONS_FOLDER, migrate } from "../db/migrate";
import { stopPostmaster } from "../db/postmaster";

declare module "vitest" {
  interface ProvidedContext {
    /** Where a test asks for the cluster; answers with the address of the template, see `postgres.ts`. */
    testPostgres: string;
  }
}

const FOLDER_PREFIX = "camelot-test-postgres-";
const TEMPLATE = "template_of_tests";
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "64MB",
};

let folder = "";
let door: Server | undefined;
let cluster: Promise<EmbeddedPostgres> | undefined;

export async function setup(project: TestProject): Promise<void> {
  await endForgottenClusters();
  door = createServer((_request, response) => {
    cluster ??= raise();
    cluster.then(
      ({ url }) => response.end(templateOf(url)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => door?.listen(0, "127.0.0.1", resolve));
  project.provide("testPostgres", `http://127.0.0.1:${(door.address() as AddressInfo).port}/`);
}

export async function teardown(): Promise<void> {
  door?.close();
  door?.closeAllConnections();
  await (await cluster?.catch(() => undefined))?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}

async function raise(): Promise<EmbeddedPostgres> {
  folder = mkdtempSync(path.join(os.tmpdir(), FOLDER_PREFIX));
  writeFileSync(path.join(folder, "owner"), String(process.pid));
  const log = { info: () => {}, warn: (line: string) => console.warn(line) };
  const database = await startEmbeddedPostgres({ dataDir: folder, log, extraSettings: SETTINGS });
  const sql = postgres(database.url, { max: 1 });
  await sql.unsafe(`create database ${TEMPLATE}`);
  await sql.end();
  if (existsSync(path.join(MIGRATIONS_FOLDER, "meta", "_journal.json"))) await migrate(templateOf(database.url));
  return database;
}

function templateOf(url: string): string {
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  return template.href;
}

/** A run that was killed leaves its cluster behind; the next run ends it. */
async function endForgottenClusters(): Promise<void> {
  for (const name of readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const forgotten = path.join(os.tmpdir(), name);
    try {
      const owner = Number(readFileSync(path.join(forgotten, "owner"), "utf8"));
      if (isAlive(owner)) continue;
      await stopPostmaster(path.join(forgotten, "postgres", "data"));
      rmSync(forgotten, { recursive: true, force: true });
    } catch {
      // Somebody else's, or just being made.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
