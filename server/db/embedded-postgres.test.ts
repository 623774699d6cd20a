import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartRefused } from "../ports/start-refused";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres";
import { choosePort, prepareCluster } from "./postgres-cluster";
import { launch } from "./postmaster";

const QUICK = { fsync: "off", shared_buffers: "16MB", max_connections: "20" };

let folder: string;
let dataDir: string;
let started: EmbeddedPostgres[];
let said: string[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-embedded-"));
  fs.chmodSync(folder, 0o755);
  dataDir = path.join(folder, "data of ours");
  started = [];
  said = [];
});

afterEach(async () => {
  for (const database of started) await database.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const log = { info: (line: string) => void said.push(line), warn: (line: string) => void said.push(line) };
  const database = await startEmbeddedPostgres({ dataDir, log, extraSettings: QUICK });
  started.push(database);
  return database;
}

async function ask<Row>(url: string, query: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return (await sql.unsafe(query)) as unknown as Row[];
  } finally {
    await sql.end();
  }
}

const pidFile = () => path.join(dataDir, "postgres", "data", "postmaster.pid");
const postmasterPid = () => Number(fs.readFileSync(pidFile(), "utf8").split("\n")[0]);

describe("embedded PostgreSQL", () => {
  test("starts on a fresh folder, keeps rows, address and password over a stop, and listens on loopback only", async () => {
    const first = await start();
    await ask(first.url, "create table kept (n int); insert into kept values (7)");
    const [settings] = await ask<{ version: string; address: string; sockets: string; upper: string }>(
      first.url,
      `select current_setting('server_version') as version, current_setting('listen_addresses') as address,
              current_setting('unix_socket_directories') as sockets, upper('é') as upper`,
    );
    expect(settings).toMatchObject({ address: "127.0.0.1", sockets: "", upper: "É" });
    expect(settings?.version).toMatch(/^18\./);
    await first.stop();
    expect(fs.existsSync(pidFile())).toBe(false);

    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, "select n from kept")).toEqual([{ n: 7 }]);
    expect(fs.statSync(path.join(dataDir, "postgres", "password")).mode & 0o777).toBe(0o600);
  });

  test("[R5] a database that outlived the server is attached to, and watched as if it were our own child", async () => {
    const cluster = await prepareCluster(dataDir, false);
    const settings = { ...QUICK, listen_addresses: "127.0.0.1", port: String(await choosePort(cluster)) };
    // Started without anybody who would bring it back: its server is gone.
    const orphan = await launch(cluster, { ...settings, unix_socket_directories: "" });
    const again = await start();
    expect(new URL(again.url).port).toBe(settings.port);
    expect(postmasterPid()).toBe(orphan.pid);

    const restarted = new Promise<void>((resolve) => again.onRestart(resolve));
    process.kill(orphan.pid, "SIGKILL");
    await restarted;
    expect(await ask(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("kill -9 of PostgreSQL: started again on the same address, every acknowledged row is there", async () => {
    const database = await start();
    const restarted = new Promise<void>((resolve) => database.onRestart(resolve));
    await ask(database.url, "create table kept (n int); insert into kept select generate_series(1, 1000)");
    process.kill(postmasterPid(), "SIGKILL");
    await restarted;
    expect(await ask(database.url, "select count(*)::int as n from kept")).toEqual([{ n: 1000 }]);
    expect(said.join("\n")).toMatch(/has ended; starting it again/);
  });

  test("a pool that was open over the crash finds the database again", async () => {
    const database = await start();
    const restarted = new Promise<void>((resolve) => database.onRestart(resolve));
    const sql = postgres(database.url, { max: 2 });
    await sql`select 1`;
    process.kill(postmasterPid(), "SIGKILL");
    await restarted;
    // The broken connection may cost one query; the next one goes through.
    await sql`select 1`.catch(() => {});
    expect([...(await sql`select 2 as two`)]).toEqual([{ two: 2 }]);
    await sql.end();
  });

  test("[R4] a pid file whose pid now belongs to somebody else does not stop the start, and nobody is signalled", async () => {
    const database = await start();
    await database.stop();
    const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
    fs.writeFileSync(pidFile(), `${stranger.pid}\n${path.dirname(pidFile())}\n1\n5432\n\n127.0.0.1\n\nready   \n`);
    const again = await start();
    expect(await ask(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(postmasterPid()).not.toBe(stranger.pid);
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
    stranger.kill();
  });

  test("[R4] a pid file whose pid is a zombie does not stop the start", async () => {
    const database = await start();
    await database.stop();
    // `exec` leaves a parent that never waits: its first child stays a zombie.
    const parent = spawn("bash", ["-c", "sleep 0 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    const zombie = await new Promise<number>((resolve) =>
      parent.stdout.once("data", (chunk) => resolve(Number(String(chunk)))),
    );
    fs.writeFileSync(pidFile(), `${zombie}\n${path.dirname(pidFile())}\n1\n5432\n\n127.0.0.1\n\nready   \n`);
    const again = await start();
    expect(await ask(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
    parent.kill();
  });

  test("a pid file of a dead PostgreSQL does not stop the start", async () => {
    const database = await start();
    const stale = fs.readFileSync(pidFile());
    await database.stop();
    fs.writeFileSync(pidFile(), stale);
    const again = await start();
    expect(await ask(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("an initdb that was cut short is thrown away and done again", async () => {
    fs.mkdirSync(path.join(dataDir, "postgres", "data.init", "base"), { recursive: true });
    fs.writeFileSync(path.join(dataDir, "postgres", "data.init", "PG_VERSION"), "18\n");
    const database = await start();
    expect(await ask(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(fs.existsSync(path.join(dataDir, "postgres", "data.init"))).toBe(false);
  });

  test("when its port was taken while we were away it moves to another one", async () => {
    const first = await start();
    await first.stop();
    const thief = (await import("node:net")).createServer();
    await new Promise<void>((resolve) => thief.listen(Number(new URL(first.url).port), "127.0.0.1", resolve));
    const second = await start();
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
    expect(await ask(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    thief.close();
  });

  test("a cluster of another PostgreSQL version is refused in one sentence", async () => {
    const database = await start();
    await database.stop();
    fs.writeFileSync(path.join(dataDir, "postgres", "data", "PG_VERSION"), "15\n");
    await expect(start()).rejects.toThrow(/is one of PostgreSQL 15, but this version of Camelot brings PostgreSQL 18/);
  });

  test("a damaged cluster is refused in one sentence that names the log", async () => {
    const database = await start();
    await database.stop();
    fs.rmSync(path.join(dataDir, "postgres", "data", "global"), { recursive: true });
    const refusal = await start().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as Error).message).toMatch(/^The embedded PostgreSQL does not start \(.+\); its log is .+log\.$/);
  });

  test("the log is kept within bounds", async () => {
    fs.mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
    fs.writeFileSync(path.join(dataDir, "postgres", "log"), Buffer.alloc(6_000_000, "x"));
    await start();
    expect(fs.statSync(path.join(dataDir, "postgres", "log")).size).toBeLessThan(1_000_000);
    expect(fs.statSync(path.join(dataDir, "postgres", "log.old")).size).toBe(6_000_000);
  });
});
