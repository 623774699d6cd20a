/**
 * Which process is meant (R4): its pid, when it started, and in which boot of the machine. A pid alone is never trusted,
 * because the system gives it to somebody else once its owner is gone. Node's own modules only: the session host, which is
 * whole in itself, is built from this too.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Identity {
  readonly pid: number;
  /** Only ever compared: clock ticks since boot on Linux, a date on macOS. */
  readonly start: string;
  readonly bootId: string;
}

export interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: string;
}

export const HAS_PROC = process.platform === "linux";

/** The identity of a live process; null when there is none with this pid. A zombie is dead. */
export function identify(pid: number): Identity | null {
  const found = lookAt(pid);
  return found && !isDeadState(found.state) ? { pid, start: found.start, bootId: bootId() } : null;
}

/** The identity of a child we have not been told the end of: its number is still its own even if it ended already. */
export function identifyChild(pid: number): Identity | null {
  const found = lookAt(pid);
  return found && { pid, start: found.start, bootId: bootId() };
}

export function isAlive(identity: Identity): boolean {
  const now = identify(identity.pid);
  return now !== null && now.start === identity.start && now.bootId === identity.bootId;
}

/** Signals exactly this process. Looks right before, so that a reused pid is not hit; false when it is gone or not ours. */
export function signal(identity: Identity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, name);
  } catch {
    return false;
  }
}

/** Whether any process has this number, a zombie and one of another user included. */
export function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** State and start of whatever has this pid; null when there is nobody, or nobody we may see. */
export function lookAt(pid: number): Pick<ProcessStat, "state" | "start"> | null {
  try {
    if (HAS_PROC) return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    const env = { ...process.env, LC_ALL: "C" };
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env, encoding: "utf8" }).trim();
    const [state = "Z", ...start] = line.split(/\s+/);
    return { state, start: start.join(" ") };
  } catch {
    return null;
  }
}

/** The fields behind the program's name, which may itself hold spaces and brackets: so from the last `)` on. */
export function parseStat(text: string): ProcessStat | null {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  // Field 22 of the file; the first two stand before the bracket.
  const start = fields[19];
  if (!text.includes(")") || !state || !start) return null;
  return { state, parent: Number(parent), group: Number(group), session: Number(session), start };
}

export function isDeadState(state: string): boolean {
  return state.startsWith("Z") || state.startsWith("X") || state.startsWith("x");
}

/** As it was written down; null when it is none. */
export function identityFrom(value: unknown): Identity | null {
  if (typeof value !== "object" || value === null) return null;
  const { pid, start, bootId } = value as Readonly<Record<string, unknown>>;
  if (typeof pid !== "number" || pid < 2 || typeof start !== "string" || typeof bootId !== "string") return null;
  return { pid, start, bootId };
}

let knownBootId: string | null = null;

export function bootId(): string {
  knownBootId ??= readBootId();
  return knownBootId;
}

function readBootId(): string {
  if (HAS_PROC) return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return execFileSync("sysctl", ["-n", "kern.boottime"], { encoding: "utf8" }).trim();
}
