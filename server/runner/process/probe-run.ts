/**
 * What is to be found of an attempt (R3): reads its run folder and looks at the processes it names. Every step is read from
 * disk, so a server that just started sees what one that was there all the time sees.
 */
import { join } from "node:path";
import { type Question, questionFrom } from "../../core/session/question";
import type { Ending, Probe } from "../../ports/runner";
import { bootId, type Identity, identityFrom, isAlive } from "../../system/process-identity";
import { findControlGroup } from "../host/cgroup";
import { type Claim, readClaim } from "../host/claim";
import { type EndingReading, readEnding } from "../host/ending";
import {
  HOST_FILE,
  ORDERS_FOLDER,
  QUESTION_FILE,
  readRunFile,
  SPAWNED_FILE,
  STOP_ORDER_FILE,
} from "../host/run-folder";
import { findTree, type Tree } from "../host/tree";

export async function probeRun(folder: string, mark: string): Promise<Probe> {
  try {
    const life = await readLife(folder);
    switch (life.kind) {
      case "unclaimed":
        return { kind: "unclaimed", hostPid: life.hostPid };
      case "present": {
        const { agent, isComingUp } = await readHostFile(folder);
        const question = await readQuestion(folder);
        const isUp = agent !== null && !isComingUp;
        return { kind: "present", hostPid: life.host.pid, agentPid: agent?.pid ?? null, isUp, question };
      }
      case "ended":
        return { kind: "exited", ending: await withWhoStoppedIt(folder, life.ending) };
      case "unknown":
        return life;
      case "hostless": {
        const pids = (await findTree(await treeOf(folder, mark))).map((member) => member.pid);
        return pids.length > 0 ? { kind: "orphaned", pids } : { kind: "gone" };
      }
      default:
        return life satisfies never;
    }
  } catch (error) {
    return { kind: "unknown", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** What the run folder alone says, without a look at the agent's processes: cheap enough to ask all the time. */
export type Life =
  | { readonly kind: "unclaimed"; readonly hostPid: number | null; readonly isGivenUp: boolean }
  | { readonly kind: "present"; readonly host: Identity }
  | { readonly kind: "ended"; readonly ending: Ending }
  | { readonly kind: "hostless" }
  | { readonly kind: "unknown"; readonly reason: string };

export async function readLife(folder: string): Promise<Life> {
  const before = lifeFrom(await readEnding(folder));
  if (before) return before;
  const claim = await readClaim(folder);
  if (!claim) return { kind: "unclaimed", hostPid: await livingSpawned(folder), isGivenUp: false };
  // The server's own claim: nothing has acted and nothing will, so giving it up again may be finished.
  if (claim.by === "server") return { kind: "unclaimed", hostPid: null, isGivenUp: true };
  if (isHostAlive(claim)) return { kind: "present", host: claim.owner };
  // The host may have written its ending and left between our two looks.
  return lifeFrom(await readEnding(folder)) ?? { kind: "hostless" };
}

/** How the processes of an attempt are found without its host. */
export async function treeOf(folder: string, mark: string): Promise<Tree> {
  const { agent, groupPath } = await readHostFile(folder);
  const isOfThisBoot = agent?.bootId === bootId();
  return {
    mark,
    roots: agent && isOfThisBoot ? [agent] : [],
    group: groupPath && isOfThisBoot ? findControlGroup(groupPath, mark) : null,
    trustsEndedRoots: false,
  };
}

function lifeFrom(reading: EndingReading): Life | null {
  if (reading.kind === "ended") return { kind: "ended", ending: reading.ending };
  return reading.kind === "unknown" ? reading : null;
}

function isHostAlive(claim: Claim): boolean {
  return isAlive(claim.owner);
}

async function livingSpawned(folder: string): Promise<number | null> {
  const reading = await readRunFile(join(folder, SPAWNED_FILE));
  const host = reading.kind === "read" ? identityFrom(reading.fields) : null;
  return host && isAlive(host) ? host.pid : null;
}

/** Hosts write that they were stopped, those of older releases too; by whom stands in the order they followed. */
async function withWhoStoppedIt(folder: string, ending: Ending): Promise<Ending> {
  if (ending.cause !== "stopped") return ending;
  const reading = await readRunFile(join(folder, ORDERS_FOLDER, STOP_ORDER_FILE));
  const isByOperator = reading.kind === "read" && reading.fields.because === "operator";
  return isByOperator ? { ...ending, stoppedBy: "operator" } : ending;
}

async function readQuestion(folder: string): Promise<Question | null> {
  const reading = await readRunFile(join(folder, QUESTION_FILE));
  return reading.kind === "read" ? questionFrom(reading.fields) : null;
}

interface HostFile {
  readonly agent: Identity | null;
  readonly groupPath: string | null;
  readonly isComingUp: boolean;
}

/** Hosts of earlier releases do not say that their agent is still coming up: for them one that was started is up. */
async function readHostFile(folder: string): Promise<HostFile> {
  const reading = await readRunFile(join(folder, HOST_FILE));
  if (reading.kind !== "read") return { agent: null, groupPath: null, isComingUp: false };
  const { agent, group, isComingUp } = reading.fields;
  return {
    agent: identityFrom(agent),
    groupPath: typeof group === "string" ? group : null,
    isComingUp: isComingUp === true,
  };
}
