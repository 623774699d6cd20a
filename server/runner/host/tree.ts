/**
 * Ends everything an agent started (R7): polite, then forced, until two scans in a row find nothing. A process belongs to
 * the tree when it carries the run mark, lies in the run's control group, is in the session or group of a process we started,
 * or descends from one that does.
 *
 * Never signals by a bare pid: each member's start is looked at once more right before the signal.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { bootId, type Identity, isAlive, signal } from "../../system/process-identity";
import { type ControlGroup, killGroup, membersOf, removeControlGroup } from "./cgroup";
import { listProcesses, type ProcessRow } from "./process-table";

export interface Tree {
  readonly mark: string;
  /** Processes that were started for the run: each leads its own session and group. */
  readonly roots: readonly Identity[];
  readonly group: ControlGroup | null;
  /**
   * Whether session and group of a root that ended still count. Only the host may say so: it was there all the time, while
   * a server that comes later cannot know whether the number went to somebody else in between.
   */
  readonly trustsEndedRoots: boolean;
  /** Programs around an agent whose end would end it at once: not asked politely, because it is to have time to clean up. */
  readonly spared?: readonly Identity[];
}

export interface EndTreeLimits {
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
  /** After SIGKILL: processes that even this does not end hang in the kernel. */
  readonly giveUpMs?: number;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;
const GIVE_UP_MS = 15_000;

/** Resolves with the pids that could not be ended: none, but for processes that hang in the kernel. */
export async function endTree(tree: Tree, limits: EndTreeLimits): Promise<readonly number[]> {
  const started = performance.now();
  const killAt = started + limits.graceMs;
  const giveUpAt = killAt + (limits.giveUpMs ?? GIVE_UP_MS);
  const told = new Set<string>();
  let emptyScans = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const members = await findTree(tree);
    emptyScans = members.length === 0 ? emptyScans + 1 : 0;
    const now = performance.now();
    if (emptyScans === 2 || now > giveUpAt) {
      if (tree.group) removeControlGroup(tree.group);
      return members.map((member) => member.pid);
    }
    if (now >= killAt) kill(tree, members);
    else if (told.size === 0 || !tree.roots.some(isAlive)) terminate(members, told, tree.spared ?? []);
    const untilKillMs = now < killAt ? killAt - now : pauseMs;
    await sleep(emptyScans > 0 ? FIRST_PAUSE_MS : Math.min(pauseMs, untilKillMs));
  }
}

export async function findTree(tree: Tree): Promise<Identity[]> {
  const boot = bootId();
  const rows = await listProcesses();
  const members = new Set(rows.filter(isMember(tree, rows)).map((row) => row.pid));
  // A child may stand before its parent in the list: go on until nobody joins.
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const row of rows) if (members.has(row.parent)) members.add(row.pid);
  }
  members.delete(process.pid);
  return rows.filter((row) => members.has(row.pid)).map(({ pid, start }) => ({ pid, start, bootId: boot }));
}

function isMember(tree: Tree, rows: readonly ProcessRow[]): (row: ProcessRow) => boolean {
  const inGroup = new Set(tree.group ? membersOf(tree.group) : []);
  const startOf = new Map(rows.map((row) => [row.pid, row.start]));
  // A number that now belongs to a process with another start was given away: its session and group are not ours.
  const leaders = new Set(
    tree.roots
      .filter((root) => isAlive(root) || (tree.trustsEndedRoots && !startOf.has(root.pid)))
      .map((root) => root.pid),
  );
  return (row) =>
    row.mark === tree.mark ||
    inGroup.has(row.pid) ||
    leaders.has(row.pid) ||
    leaders.has(row.session) ||
    leaders.has(row.group);
}

/**
 * Each process is told once: a program that cleans up must not be disturbed by the same signal again. Nor may what it starts
 * for that, so while the agent itself is there only those of the first scan are told.
 */
function terminate(members: readonly Identity[], told: Set<string>, spared: readonly Identity[]): void {
  for (const member of members) {
    const key = `${member.pid} ${member.start}`;
    if (told.has(key)) continue;
    told.add(key);
    if (!spared.some(({ pid, start }) => pid === member.pid && start === member.start)) signal(member, "SIGTERM");
  }
}

function kill(tree: Tree, members: readonly Identity[]): void {
  if (tree.group) killGroup(tree.group);
  for (const member of members) signal(member, "SIGKILL");
}
