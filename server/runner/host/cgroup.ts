/**
 * A control group per session where the machine lets us make one (cgroup v2, Linux ≥ 5.14): then nothing an agent starts can
 * leave its tree, and `cgroup.kill` ends it in one step (R7). Everything here may fail; without a group the tree is found by
 * scanning.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { HAS_PROC } from "../../system/process-identity";

const PREFIX = "camelot.";
const PROCESSES = "cgroup.procs";
const KILL = "cgroup.kill";

export interface ControlGroup {
  readonly path: string;
}

/** Which way trees end on this machine; shown on the agents page. */
export function describeTreeEnding(): "cgroup" | "scan" {
  const probe = createControlGroup(`probe-${process.pid}`);
  if (!probe) return "scan";
  removeControlGroup(probe);
  return "cgroup";
}

export function createControlGroup(mark: string): ControlGroup | null {
  const own = HAS_PROC ? ownGroupFolder() : null;
  if (!own) return null;
  const path = join(own, PREFIX + mark);
  try {
    accessSync(join(own, PROCESSES), constants.W_OK);
    mkdirSync(path);
  } catch {
    return null;
  }
  if (existsSync(join(path, KILL))) return { path };
  removeControlGroup({ path });
  return null;
}

/** The group an earlier host recorded. Only ours, by its name, and only if it is still there. */
export function findControlGroup(path: string, mark: string): ControlGroup | null {
  return basename(path) === PREFIX + mark && existsSync(join(path, KILL)) ? { path } : null;
}

/**
 * Runs `spawn` so that its child is born inside the group: we go in, fork, and come out again. The child never acts outside,
 * which moving it afterwards could not promise.
 */
export function bornInside<T>(group: ControlGroup | null, spawn: () => T): T {
  if (!group || !move(group.path)) return spawn();
  try {
    return spawn();
  } finally {
    move(join(group.path, ".."));
  }
}

/** Pids in the group and in groups the agent made below it. */
export function membersOf(group: ControlGroup): number[] {
  const pids = readLines(join(group.path, PROCESSES)).map(Number);
  return [...pids, ...childGroups(group).flatMap(membersOf)];
}

export function killGroup(group: ControlGroup): void {
  try {
    writeFileSync(join(group.path, KILL), "1");
  } catch {
    // Gone already, or forbidden: the scan signals one by one.
  }
}

export function removeControlGroup(group: ControlGroup): void {
  for (const child of childGroups(group)) removeControlGroup(child);
  try {
    rmdirSync(group.path);
  } catch {
    // Not empty yet or gone already; an empty group left behind costs nothing.
  }
}

function move(path: string): boolean {
  try {
    writeFileSync(join(path, PROCESSES), String(process.pid));
    return true;
  } catch {
    return false;
  }
}

function childGroups(group: ControlGroup): ControlGroup[] {
  try {
    const entries = readdirSync(group.path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => ({ path: join(group.path, entry.name) }));
  } catch {
    return [];
  }
}

/** Where our own group lies in the file system; mount point and root of the mount have to be put together. */
function ownGroupFolder(): string | null {
  const own = readLines("/proc/self/cgroup")
    .find((line) => line.startsWith("0::"))
    ?.slice(3);
  if (!own) return null;
  for (const line of readLines("/proc/self/mountinfo")) {
    const [mount = "", type = ""] = line.split(" - ");
    const [, , , root = "/", mountPoint = ""] = mount.split(" ");
    if (!type.startsWith("cgroup2 ")) continue;
    const below = relative(root, own);
    if (!below.startsWith("..")) return join(mountPoint, below);
  }
  return null;
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
