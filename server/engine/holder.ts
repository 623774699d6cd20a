/**
 * Who holds the lease, in a way that another start on the same machine can prove to be dead (P19): after a `kill -9`
 * nobody should have to wait for the old lease to expire. Never guesses: what cannot be proved counts as alive.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";

/** Processes can only be looked up in their own machine, boot and pid namespace; the three together are a place. */
export function selfAsHolder(): string {
  return [placeHere(), process.pid, startOf(process.pid) ?? "?", randomUUID()].join(" ");
}

export function isProvablyDead(holder: string): boolean {
  const [place, pidText, start] = holder.split(" ");
  const pid = Number(pidText);
  if (place !== placeHere() || !Number.isInteger(pid) || pid <= 0) return false;
  if (!exists(pid)) return true;
  if (process.platform !== "linux") return false;
  const found = startOf(pid);
  return found === "over" || (found !== null && start !== "?" && found !== start);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function placeHere(): string {
  if (process.platform !== "linux") return `${process.platform}:${os.hostname().replaceAll(" ", "-")}`;
  return `linux:${read("/proc/sys/kernel/random/boot_id")}:${link("/proc/self/ns/pid")}`;
}

/** Start time in clock ticks since boot; "over" when it is dead and only not buried yet; null when it may not be seen. */
function startOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === "") return null;
  // The name in parentheses may hold anything, so count from behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "over" : (fields[19] ?? null);
}

function read(path: string): string {
  try {
    return fs.readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

function link(path: string): string {
  try {
    return fs.readlinkSync(path);
  } catch {
    return "unknown";
  }
}
