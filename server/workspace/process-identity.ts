/**
 * Who a process is beyond its number: pid, start time, boot and pid namespace (R4). A reused pid has another identity.
 * Signals only processes that carry a mark of ours in the environment they were started with.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const GONE_LIMIT_MS = 5_000;
const GONE_POLL_MS = 25;

/** `pid:start:boot:namespace`; comparing two of them compares processes. */
export type ProcessIdentity = string;

/** Null when no such process lives (or it is only waiting to be collected). */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  if (process.platform !== "linux") return identifyByPs(pid);
  const stat = await readStat(String(pid));
  if (stat === null || stat.state === "Z") return null;
  return `${pid}:${stat.start}:${await machinePart()}`;
}

/** Alive, over, or started where its pid means nothing to us (another container on the same folder). */
export async function lifeOf(identity: ProcessIdentity): Promise<"alive" | "over" | "foreign"> {
  const [pid, , boot, namespace] = identity.split(":");
  if (process.platform === "linux") {
    const [ourBoot, ourNamespace] = (await machinePart()).split(":");
    if (boot === ourBoot && namespace !== ourNamespace) return "foreign";
  }
  return (await identify(Number(pid))) === identity ? "alive" : "over";
}

/** Ends every process that carries `name=value` in its environment; resolves when two looks find none. */
export async function endMarked(name: string, value: string): Promise<void> {
  const until = Date.now() + GONE_LIMIT_MS;
  for (let quietLooks = 0; quietLooks < 2 && Date.now() < until; ) {
    const marked = await findMarked(`${name}=${value}`);
    quietLooks = marked.length === 0 ? quietLooks + 1 : 0;
    for (const pid of marked) kill(pid);
    if (marked.length > 0) await sleep(GONE_POLL_MS);
  }
}

/** Whether a git of this machine works in one of these folders. Only Linux can tell; elsewhere null. */
export async function isGitAtWorkIn(folders: readonly string[]): Promise<boolean | null> {
  if (process.platform !== "linux") return null;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readStat(name);
    if (stat === null || stat.state === "Z" || !stat.command.startsWith("git")) continue;
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => "");
    if (folders.some((folder) => cwd === folder || cwd.startsWith(folder + sep))) return true;
  }
  return false;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone between the look and the signal.
  }
}

async function findMarked(mark: string): Promise<number[]> {
  if (process.platform !== "linux") return findMarkedByPs(mark);
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, "utf8").catch(() => "");
    if (`\0${environment}`.includes(`\0${mark}\0`)) found.push(Number(name));
  }
  return found;
}

interface Stat {
  readonly command: string;
  readonly state: string;
  readonly start: string;
}

async function readStat(pid: string): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" "); // the name in brackets may hold anything
  const command = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  return { command, state: fields[0] ?? "", start: fields[19] ?? "" };
}

async function machinePart(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${boot.trim()}:${namespace.replace(/\D/g, "")}`;
}

function findMarkedByPs(mark: string): Promise<number[]> {
  return new Promise((resolve) => {
    execFile("ps", ["-axEww", "-o", "pid=,command="], { timeout: 5_000, maxBuffer: 32_000_000 }, (_error, stdout) => {
      const lines = stdout.split("\n").filter((line) => `${line} `.includes(` ${mark} `));
      resolve(lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid > 1));
    });
  });
}

function identifyByPs(pid: number): Promise<ProcessIdentity | null> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "lstart=", "-p", String(pid)], { timeout: 2_000 }, (error, stdout) => {
      const start = stdout.trim().replace(/\W+/g, "-");
      resolve(error || start === "" ? null : `${pid}:${start}::`);
    });
  });
}
