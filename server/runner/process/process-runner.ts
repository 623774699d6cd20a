/**
 * Hosts as detached processes of this machine. Holds nothing that matters in memory: the run folders are the truth, so a
 * runner of a server that just started answers like the one that started the hosts.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef } from "../../core/words";
import type { Runner, RunOrder, StopReason } from "../../ports/runner";
import { identify, identifyChild } from "../../system/process-identity";
import { removeControlGroup } from "../host/cgroup";
import { claim, readClaim } from "../host/claim";
import { readOrderRest, removeOrder, writeOrder } from "../host/order";
import { listProcesses } from "../host/process-table";
import { isErrorCode, ORDERS_FOLDER, runNameOf, SPAWNED_FILE, STOP_ORDER_FILE, writeRunFile } from "../host/run-folder";
import { endTree } from "../host/tree";
import { dropOrder } from "./drop-order";
import { probeRun, readLife, treeOf } from "./probe-run";
import { outputExtent, readOutput } from "./read-output";
import { openRunsFolder, type RunsFolder } from "./runs-folder";
import { spawnHost } from "./spawn-host";
import { watchRun } from "./watch-run";

export interface ProcessRunnerOptions {
  readonly dataDir: string;
  /** The bundled session host, one file. */
  readonly hostBundle: string;
}

/** For a tree whose order cannot be read any more. */
const DEFAULT_GRACE_MS = 10_000;

export function createProcessRunner(options: ProcessRunnerOptions): Runner {
  const runs = openRunsFolder(options.dataDir);
  const starting = new Map<string, Promise<void>>();

  return {
    start(order) {
      const name = runNameOf(order);
      const begun = starting.get(name) ?? startHost(runs, options.hostBundle, order);
      starting.set(name, begun);
      return begun.finally(() => starting.delete(name));
    },
    probe: (run) => probe(runs, run),
    watch: (run, changed) => watchRun(runs.folderOf(run), changed),
    stop: (run, because) => dropStop(runs.folderOf(run), because),
    tell: (run, order) => dropOrder(runs.folderOf(run), order),
    giveUp: (run) => giveUp(runs, run),
    async endTree(run) {
      const folder = runs.folderOf(run);
      const graceMs = (await readOrderRest(folder))?.termGraceMs ?? DEFAULT_GRACE_MS;
      const left = await endTree(await treeOf(folder, await runs.markOf(run)), { graceMs });
      if (left.length > 0) throw new Error(`Processes of ${runNameOf(run)} that do not end: ${left.join(", ")}.`);
    },
    list: () => list(runs),
    read: (run, offset, limit) => readOutput(runs.folderOf(run), offset, limit),
    extent: (run) => outputExtent(runs.folderOf(run)),
    forget: (run) => forget(runs, run),
  };
}

async function startHost(runs: RunsFolder, hostBundle: string, order: RunOrder): Promise<void> {
  const folder = await runs.make(order);
  // Whoever came before us got this far: its host decides, and a second one would only withdraw.
  if (await wasStarted(folder)) return;
  await mkdir(join(folder, ORDERS_FOLDER), { recursive: true, mode: 0o700 });
  await writeOrder(folder, { ...order, driver: order.command.talk?.driver ?? "plain", mark: await runs.markOf(order) });
  const pid = await spawnHost(hostBundle, folder);
  const host = identifyChild(pid);
  if (host) await writeRunFile(folder, SPAWNED_FILE, host);
}

/** A claim, or a host on its way to it. A host that died on its way does not count: the attempt may still be started. */
async function wasStarted(folder: string): Promise<boolean> {
  const life = await readLife(folder);
  if (life.kind !== "unclaimed") return true;
  return life.isGivenUp || life.hostPid !== null;
}

async function probe(runs: RunsFolder, run: AttemptRef) {
  return probeRun(runs.folderOf(run), await runs.markOf(run));
}

/** The folder is made by `start`: without it there is nothing to stop. */
async function dropStop(folder: string, because?: StopReason): Promise<void> {
  try {
    await writeRunFile(join(folder, ORDERS_FOLDER), STOP_ORDER_FILE, { kind: "stop", because });
  } catch (error) {
    if (!isErrorCode(error, "ENOENT")) throw error;
  }
}

async function giveUp(runs: RunsFolder, run: AttemptRef): Promise<boolean> {
  const folder = await runs.make(run);
  const self = identify(process.pid);
  if (!self) throw new Error("This process cannot find out when it was started.");
  const isOurs = (await claim(folder, "server", self)) || (await readClaim(folder))?.by === "server";
  // What was to run is not needed any more, and holds prompts and variables.
  if (isOurs) await removeOrder(folder);
  return isOurs;
}

/** A process without a run folder counts too: somebody may have removed the folder by hand. */
async function list(runs: RunsFolder): Promise<AttemptRef[]> {
  const found = new Map((await runs.list()).map((run) => [runNameOf(run), run]));
  for (const { mark } of await listProcesses()) {
    const run = mark === null ? null : await runs.runOfMark(mark);
    if (run) found.set(runNameOf(run), run);
  }
  return [...found.values()];
}

async function forget(runs: RunsFolder, run: AttemptRef): Promise<void> {
  const { kind, ...rest } = await probe(runs, run);
  const isOnItsWay = "hostPid" in rest && rest.hostPid !== null;
  if (kind === "present" || kind === "orphaned" || kind === "unknown" || isOnItsWay) {
    throw new Error(`The run ${runNameOf(run)} is ${kind} and cannot be forgotten.`);
  }
  const { group } = await treeOf(runs.folderOf(run), await runs.markOf(run));
  if (group) removeControlGroup(group);
  await rm(runs.folderOf(run), { recursive: true, force: true });
}
