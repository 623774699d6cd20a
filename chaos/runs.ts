/**
 * What runs on the machine for this installation, read from its run folders and from `/proc`: whom to kill, and who was left
 * behind. A process is only signalled while it is still the one that was written down.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { type Identity, identityFrom, isAlive, signal } from "../server/system/process-identity";
import type { RunKill } from "./evidence";

interface Run {
  readonly sessionId: string;
  readonly attempt: number;
  readonly host: Identity;
  readonly agent: Identity | null;
}

/** Kills the host or the agent of one of the runs that go on; null when there is none. `which`: from 0 up to 1. */
export function killOneOf(dataDir: string, what: "host" | "agent", which: number): RunKill | null {
  const runs = runsOf(dataDir).filter((run) => what === "host" || (run.agent !== null && isAlive(run.agent)));
  const chosen = runs[Math.floor(which * runs.length)];
  const victim = what === "host" ? chosen?.host : chosen?.agent;
  if (!chosen || !victim || !signal(victim, "SIGKILL")) return null;
  return { what, sessionId: chosen.sessionId, attempt: chosen.attempt };
}

function runsOf(dataDir: string): Run[] {
  const root = path.join(dataDir, "runs");
  return namesIn(root).flatMap((name) => {
    const [, sessionId, attempt] = /^(.+)\.(\d+)$/.exec(name) ?? [];
    const folder = path.join(root, name);
    if (!sessionId || existsSync(path.join(folder, "ending.json"))) return [];
    const claim = fieldsOf(path.join(folder, "claim", "owner.json"));
    const host = claim?.by === "host" ? identityFrom(claim) : null;
    if (!host || !isAlive(host)) return [];
    const agent = identityFrom(fieldsOf(path.join(folder, "host.json"))?.agent);
    return [{ sessionId, attempt: Number(attempt), host, agent }];
  });
}

/** Hosts of this data directory, and whatever carries the run mark of its installation. */
export function processesOfRuns(dataDir: string): number[] {
  const root = path.join(dataDir, "runs");
  const installation = readText(path.join(root, "mark"))?.trim();
  return namesIn("/proc")
    .filter((name) => /^[1-9]\d*$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const isHost = readText(`/proc/${pid}/cmdline`)?.includes(`${root}/`) ?? false;
      const environment = readText(`/proc/${pid}/environ`)?.split("\0") ?? [];
      return isHost || (installation && environment.some((one) => one.startsWith(`CAMELOT_RUN=${installation}.`)));
    })
    .map(Number);
}

/** The embedded PostgreSQL of this data directory, if it runs. */
export function postmasterOf(dataDir: string): number | null {
  const data = path.join(dataDir, "postgres", "data");
  const pid = Number(readText(path.join(data, "postmaster.pid"))?.split("\n")[0]);
  if (!(pid > 1)) return null;
  try {
    const isPostgres = /\/postgres$/.test(readlinkSync(`/proc/${pid}/exe`));
    return isPostgres && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? pid : null;
  } catch {
    return null;
  }
}

export function databaseUrlOf(dataDir: string): string {
  const read = (name: string) => readText(path.join(dataDir, "postgres", name))?.trim() ?? "";
  return `postgres://camelot:${read("password")}@127.0.0.1:${read("port")}/camelot`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function fieldsOf(file: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readText(file) ?? "null") as Record<string, unknown> | null;
  } catch {
    return null;
  }
}
