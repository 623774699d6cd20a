/**
 * One running PostgreSQL: find it, start it, see it end, stop it. It is started detached, so a Ctrl-C or a kill of the
 * server does not reach it, and it is found again by its pid file.
 *
 * A pid alone proves nothing (it may be reused, or a zombie nobody reaps): only a process that runs PostgreSQL *in the
 * cluster's folder* is ours. And the pid file is taken away only when nobody of the old PostgreSQL is left: it is what
 * keeps two of them from writing to one cluster.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isPidTaken } from "../system/process-identity";
import { type PostgresCluster, postgresEnvironment } from "./postgres-cluster";
import { commandAs } from "./postgres-identity";

export interface Postmaster {
  pid: number;
  port: number;
  /** Resolves when it has ended, however it was started. */
  ended: Promise<void>;
}

const POLL_MS = 10;
const WATCH_MS = 200;
const READY_LIMIT_MS = 300_000;
const LEFTOVERS_LIMIT_MS = 5_000;
const FAST_STOP_LIMIT_MS = 10_000;
const IMMEDIATE_STOP_LIMIT_MS = 5_000;

/** The PostgreSQL that serves this cluster already, or null. One that is on its way out is waited for. */
export async function attach(data: string): Promise<Postmaster | null> {
  for (;;) {
    const file = readPidFile(data);
    if (!file || !isPostgresOf(data, file.pid)) return null;
    if (file.status === "ready") return { pid: file.pid, port: file.port, ended: untilGone(data, file.pid) };
    await sleep(POLL_MS);
  }
}

/** Starts PostgreSQL on the cluster and waits until it answers. Throws an Error with PostgreSQL's own words if it ends. */
export async function launch(cluster: PostgresCluster, settings: Record<string, string>): Promise<Postmaster> {
  await clearLeftovers(cluster.data);
  const said = fs.statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0;
  const child = spawnPostgres(cluster, settings);
  const state = { isOver: false };
  const ended = new Promise<void>((resolve) => {
    const over = () => {
      state.isOver = true;
      resolve();
    };
    child.once("exit", over);
    child.once("error", over);
  });
  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    const file = readPidFile(cluster.data);
    if (state.isOver) throw new Error(lastComplaint(cluster.logFile, said));
    if (file && file.pid === child.pid && file.status === "ready") return { pid: file.pid, port: file.port, ended };
    if (Date.now() > deadline) throw new Error(`it was not ready after ${READY_LIMIT_MS / 1000} s`);
    await sleep(POLL_MS);
  }
}

/** Ends whatever serves the cluster: fast (roll back, write out), then at once, then by force. */
export async function stopPostmaster(data: string): Promise<void> {
  const file = readPidFile(data);
  if (!file) return;
  const steps: [NodeJS.Signals, number][] = [
    ["SIGINT", FAST_STOP_LIMIT_MS],
    ["SIGQUIT", IMMEDIATE_STOP_LIMIT_MS],
    ["SIGKILL", IMMEDIATE_STOP_LIMIT_MS],
  ];
  for (const [signal, limitMs] of steps) {
    if (!isPostgresOf(data, file.pid)) return;
    signalQuietly(file.pid, signal);
    const deadline = Date.now() + limitMs;
    while (Date.now() < deadline && isPostgresOf(data, file.pid)) await sleep(POLL_MS);
  }
}

function spawnPostgres(cluster: PostgresCluster, settings: Record<string, string>): ChildProcess {
  const args = ["-D", cluster.data];
  for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
  const { file, args: all, options } = commandAs(cluster.identity, cluster.binaries.postgres, args);
  const log = fs.openSync(cluster.logFile, "a", 0o600);
  try {
    const child = spawn(file, all, {
      ...options,
      detached: true,
      stdio: ["ignore", log, log],
      env: postgresEnvironment(),
    });
    child.unref();
    return child;
  } finally {
    fs.closeSync(log);
  }
}

interface PidFile {
  pid: number;
  port: number;
  status: string;
}

/** Lines of postmaster.pid: pid, folder, start time, port, socket folder, address, shared memory, status. */
function readPidFile(data: string): PidFile | null {
  try {
    const lines = fs.readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, port: Number(lines[3]), status: (lines[7] ?? "").trim() };
  } catch {
    return null;
  }
}

function isPostgresOf(data: string, pid: number): boolean {
  if (process.platform !== "linux") {
    const listed = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return listed.stdout.includes("postgres") && listed.stdout.includes(data);
  }
  try {
    const folder = fs.readlinkSync(`/proc/${pid}/cwd`);
    const program = fs.readlinkSync(`/proc/${pid}/exe`);
    return folder === fs.realpathSync(data) && /\/postgres( \(deleted\))?$/.test(program);
  } catch {
    return false;
  }
}

/**
 * Makes room for a new start. PostgreSQL sees by itself that a dead pid is stale, but takes a reused pid or a zombie for
 * a running server; then the file has to go, though not before the last process of the old server has ended.
 */
async function clearLeftovers(data: string): Promise<void> {
  const file = readPidFile(data);
  if (!file) return;
  const deadline = Date.now() + LEFTOVERS_LIMIT_MS;
  while (processesOf(data).length > 0) {
    if (Date.now() > deadline)
      throw new Error(`processes of an earlier start still run: ${processesOf(data).join(", ")}`);
    await sleep(POLL_MS);
  }
  if (isPidTaken(file.pid)) fs.rmSync(path.join(data, "postmaster.pid"), { force: true });
}

function processesOf(data: string): number[] {
  if (process.platform !== "linux") return [];
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isPostgresOf(data, pid));
}

async function untilGone(data: string, pid: number): Promise<void> {
  while (isPostgresOf(data, pid)) await sleep(WATCH_MS, undefined, { ref: false });
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself between the look and the signal.
  }
}

function lastComplaint(logFile: string, from: number): string {
  const lines = fs.readFileSync(logFile).subarray(from).toString("utf8").split("\n");
  const telling = lines.filter((line) => /FATAL|PANIC|error while loading|not found/.test(line)).at(-1);
  return telling?.replace(/^.*?(FATAL|PANIC): +/, "").trim() ?? "it ended without a word";
}
