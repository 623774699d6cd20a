/**
 * Who a process is beyond its number: pid, start time, boot and pid namespace (R4). A reused pid has another identity.
 * Reads only; signals only a group whose identity was recorded when it was started.
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

/**
 * Ends the process group of `leader` if it is still the one that was recorded, and members of it that outlived the leader
 * and stand in `folder`. Resolves when they are gone.
 */
export async function endGroup(leader: ProcessIdentity, folder: string): Promise<void> {
  const pid = Number(leader.split(":")[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  const until = Date.now() + GONE_LIMIT_MS;
  while (Date.now() < until) {
    const isLeaderAlive = (await lifeOf(leader)) === "alive";
    const members = await groupMembersIn(pid, folder);
    if (!isLeaderAlive && members.length === 0) return;
    if (isLeaderAlive) signal(-pid);
    for (const member of members) signal(member);
    await sleep(GONE_POLL_MS);
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

function signal(target: number): void {
  try {
    process.kill(target, "SIGKILL");
  } catch {
    // Gone between the look and the signal.
  }
}

async function groupMembersIn(group: number, folder: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readStat(name);
    if (stat === null || stat.state === "Z" || stat.group !== group) continue;
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => "");
    if (cwd === folder || cwd.startsWith(folder + sep)) found.push(Number(name));
  }
  return found;
}

interface Stat {
  readonly command: string;
  readonly state: string;
  readonly group: number;
  readonly start: string;
}

async function readStat(pid: string): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" "); // the name in brackets may hold anything
  const command = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  return { command, state: fields[0] ?? "", group: Number(fields[2]), start: fields[19] ?? "" };
}

async function machinePart(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${boot.trim()}:${namespace.replace(/\D/g, "")}`;
}

function identifyByPs(pid: number): Promise<ProcessIdentity | null> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "lstart=", "-p", String(pid)], { timeout: 2_000 }, (error, stdout) => {
      const start = stdout.trim().replace(/\W+/g, "-");
      resolve(error || start === "" ? null : `${pid}:${start}::`);
    });
  });
}
