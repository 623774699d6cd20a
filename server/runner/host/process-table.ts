/**
 * All processes of this machine with what a tree is found by: parent, group, session, and the run mark in the environment.
 * Reads in slices, so that a machine with thousands of processes does not hold up whoever asks.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { HAS_PROC, isDeadState, parseStat } from "../../system/process-identity";

/** The variable every process of an agent carries and hands down. Its value is `markOf` the attempt. */
export const MARK_VARIABLE = "CAMELOT_RUN";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: string;
  /** Value of the mark in its environment; null when it has none or its environment cannot be read. */
  readonly mark: string | null;
}

/** Live processes; zombies are left out. */
export function listProcesses(): Promise<ProcessRow[]> {
  return HAS_PROC ? listFromProc() : listFromPs();
}

const SLICE = 40;

async function listFromProc(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = [];
  const names = readdirSync("/proc").filter((name) => /^[1-9][0-9]*$/.test(name));
  for (let from = 0; from < names.length; from += SLICE) {
    if (from > 0) await pause();
    for (const name of names.slice(from, from + SLICE)) {
      const row = readProc(Number(name));
      if (row) rows.push(row);
    }
  }
  return rows;
}

function readProc(pid: number): ProcessRow | null {
  try {
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return stat && !isDeadState(stat.state) ? { pid, ...stat, mark: readMark(pid) } : null;
  } catch {
    return null;
  }
}

function readMark(pid: number): string | null {
  try {
    return findMark(readFileSync(`/proc/${pid}/environ`, "latin1").split("\0"));
  } catch {
    return null;
  }
}

function findMark(words: readonly string[]): string | null {
  const prefix = `${MARK_VARIABLE}=`;
  return words.find((word) => word.startsWith(prefix))?.slice(prefix.length) ?? null;
}

/** macOS has no /proc; `ps -E` shows the environment of one's own processes behind the command. */
async function listFromPs(): Promise<ProcessRow[]> {
  const columns = "pid=,ppid=,pgid=,sess=,stat=,lstart=,command=";
  const { stdout } = await promisify(execFile)("ps", ["-axww", "-E", "-o", columns], {
    env: { ...process.env, LC_ALL: "C" },
    encoding: "latin1",
    maxBuffer: 64_000_000,
  });
  return stdout.split("\n").flatMap((line) => parsePsLine(line) ?? []);
}

export function parsePsLine(line: string): ProcessRow | null {
  const [pid, parent, group, session, state, ...rest] = line.trim().split(/\s+/);
  if (!pid || !state || isDeadState(state)) return null;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    // macOS prints an address or 0 here, which never equals a pid.
    session: Number(session),
    start: rest.slice(0, 5).join(" "),
    mark: findMark(rest.slice(5)),
  };
}
