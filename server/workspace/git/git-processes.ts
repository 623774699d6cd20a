/**
 * Processes that work for us on a worktree: found by a mark in the environment they were started with, or by git's name and
 * the folder it works in. Ends only those with a mark of ours, and none by its bare pid (R4).
 */
import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HAS_PROC, type Identity, identify, signal } from "../../system/process-identity";

const GONE_LIMIT_MS = 5_000;
const GONE_POLL_MS = 25;

/** Ends every process that carries `name=value` in its environment; resolves when two looks find none. */
export async function endMarked(name: string, value: string): Promise<void> {
  const until = Date.now() + GONE_LIMIT_MS;
  for (let quietLooks = 0; quietLooks < 2 && Date.now() < until; ) {
    const marked = await findMarked(`${name}=${value}`);
    quietLooks = marked.length === 0 ? quietLooks + 1 : 0;
    for (const identity of marked) signal(identity, "SIGKILL");
    if (marked.length > 0) await sleep(GONE_POLL_MS);
  }
}

/** Whether a git of this machine works in one of these folders. Only Linux can tell; elsewhere null. */
export async function isGitAtWorkIn(folders: readonly string[]): Promise<boolean | null> {
  if (!HAS_PROC) return null;
  for (const pid of await pids()) {
    const command = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (!command.startsWith("git") || identify(pid) === null) continue;
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    if (folders.some((folder) => cwd === folder || cwd.startsWith(folder + sep))) return true;
  }
  return false;
}

async function findMarked(mark: string): Promise<Identity[]> {
  if (!HAS_PROC) return (await findMarkedByPs(mark)).flatMap((pid) => identify(pid) ?? []);
  const found: Identity[] = [];
  for (const pid of await pids()) {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (!`\0${environment}`.includes(`\0${mark}\0`)) continue;
    // Looked at again once it is known who it is: the pid may have gone to somebody else in between.
    const identity = identify(pid);
    const again = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (identity !== null && again === environment) found.push(identity);
  }
  return found;
}

async function pids(): Promise<number[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
}

function findMarkedByPs(mark: string): Promise<number[]> {
  return new Promise((resolve) => {
    execFile("ps", ["-axEww", "-o", "pid=,command="], { timeout: 5_000, maxBuffer: 32_000_000 }, (_error, stdout) => {
      const lines = stdout.split("\n").filter((line) => `${line} `.includes(` ${mark} `));
      resolve(lines.map((line) => Number.parseInt(line, 10)).filter((pid) => pid > 1));
    });
  });
}
