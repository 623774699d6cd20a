/**
 * A run: a world under load, in which the plan kills one after the other; then peace, every slot tried, and the proof. It
 * tells what it does in lines for people. The world is ended in any case.
 */
import { setMaxListeners } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { check, type Verdict } from "./checker";
import type { Evidence, RunKill } from "./evidence";
import { groupsOf } from "./groups";
import type { ServerProgram } from "./keeper";
import { type Load, startLoad } from "./load";
import { marksFrom } from "./marks";
import { planOf, type Step, VICTIMS, type Victim } from "./plan";
import { killOneOf, postmasterOf, processesOfRuns } from "./runs";
import { openWorld, type World } from "./world";

export interface RunOptions {
  readonly seed: string;
  /** `kill -9` of the server; the others come beside them (plan.ts). */
  readonly kills: number;
  /** The killing ends after so long, even if the plan has more. */
  readonly mostMs: number | null;
  readonly program: ServerProgram;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface RunReport {
  readonly verdict: Verdict;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly planned: number;
  readonly figures: Readonly<Record<string, number>>;
}

/** Nothing comes to its end for so long: something is stuck. */
const STUCK_AFTER_MS = 120_000;
const PEACE_WITHIN_MS = 180_000;
const LEAVE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;
const READ_BYTES = 1_000_000;

export async function runChaos(options: RunOptions): Promise<RunReport> {
  const { seed, kills, program, tell, signal } = options;
  const plan = planOf(seed, kills);
  // Every request and every wait listens to it.
  setMaxListeners(0, signal);
  const began = performance.now();
  tell(`seed ${seed}: ${plan.length} kills, ${kills} of them of the server`);
  const world = await openWorld(program, signal);
  try {
    const load = startLoad(world, seed, signal);
    const done = Object.fromEntries(VICTIMS.map((victim) => [victim, 0])) as Record<Victim, number>;
    const runKills: RunKill[] = [];
    for (const step of plan) {
      if (options.mostMs !== null && performance.now() - began > options.mostMs) break;
      await due(world, step, signal);
      await killOne(world, step, runKills, signal);
      done[step.victim] += 1;
      tell(`${step.number}/${plan.length} ${step.victim}, ${world.endings()} agents came to their end`);
    }
    const killedAt = performance.now();
    const evidence = await gather(world, load, runKills, tell, signal);
    return {
      verdict: check(evidence),
      kills: done,
      planned: plan.length,
      figures: figuresOf(evidence, world, { killing: killedAt - began, inAll: performance.now() - began }),
    };
  } finally {
    await world.close();
  }
}

async function due(world: World, { moment }: Step, signal: AbortSignal): Promise<void> {
  if (moment.kind === "after-ms") return sleep(moment.ms, undefined, { signal });
  const goal = world.endings() + moment.endings;
  await until(async () => world.endings() >= goal, "an agent to come to its end", STUCK_AFTER_MS, signal);
}

async function killOne(world: World, step: Step, runKills: RunKill[], signal: AbortSignal): Promise<void> {
  const { dataDir, server, witness } = world;
  const attempt = async (): Promise<boolean> => {
    switch (step.victim) {
      case "server":
        await server.kill(signal);
        return true;
      case "postgres": {
        const pid = postmasterOf(dataDir);
        return pid !== null && process.kill(pid, "SIGKILL");
      }
      case "backend":
        return witness.terminateOne(step.which).catch(() => false);
      case "host":
      case "agent": {
        const killed = killOneOf(dataDir, step.victim, step.which);
        if (killed) runKills.push(killed);
        return killed !== null;
      }
      default:
        return step.victim satisfies never;
    }
  };
  await until(attempt, `a ${step.victim} to kill`, STUCK_AFTER_MS, signal);
}

async function gather(
  world: World,
  load: Load,
  runKills: readonly RunKill[],
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<Evidence> {
  const { witness, dataDir, marksFile, caps } = world;
  const peace = () => until(async () => (await witness.live().catch(() => 1)) === 0, "peace", PEACE_WITHIN_MS, signal);
  const marks = () => marksFrom(readFileSync(marksFile, "utf8"));
  tell("the killing is over, what is in line runs to its end");
  await load.stop();
  await peace().catch(() => tell("not everything has ended"));
  tell("every slot is tried");
  await load.fillTheHouse();
  const holding = () => marks().filter(({ kind, token }) => kind === "start" && token.startsWith("gate")).length;
  await until(async () => holding() >= caps.globalMax, "every slot", STUCK_AFTER_MS, signal).catch(() => undefined);
  const slotsSeen = holding();
  writeFileSync(world.gate, "");
  await peace().catch(() => tell("not everything has ended"));
  await load.read();
  await until(async () => processesOfRuns(dataDir).length === 0, "", LEAVE_WITHIN_MS, signal).catch(() => undefined);
  return {
    caps,
    dispatches: load.dispatches,
    rows: await witness.rows(),
    transitions: await witness.transitions(),
    marks: marks(),
    runKills,
    outputs: await outputsOf(world, load),
    ownEndings: world.server.ownEndings,
    refusals: load.refusals,
    leftBehind: processesOfRuns(dataDir),
    slotsSeen,
  };
}

async function outputsOf({ client, people }: World, load: Load): Promise<Evidence["outputs"]> {
  const outputs = new Map<string, { bytes: Buffer; isComplete: boolean }>();
  for (const { sessionIds, userId } of load.dispatches) {
    const cookie = people.find(({ id }) => id === userId)?.cookie ?? "";
    for (const id of sessionIds) {
      const pieces: Buffer[] = [];
      for (let offset = 0; ; ) {
        const path = `/api/v1/sessions/${id}/output?offset=${offset}&limit=${READ_BYTES}`;
        const { status, headers, bytes } = await client.ask(cookie, "GET", path);
        if (status !== 200) break;
        pieces.push(bytes);
        offset = Number(headers.get("x-next-offset"));
        const isComplete = headers.get("x-complete") === "true";
        if (isComplete || bytes.length === 0) {
          outputs.set(id, { bytes: Buffer.concat(pieces), isComplete });
          break;
        }
      }
    }
  }
  return outputs;
}

function figuresOf(evidence: Evidence, world: World, ms: { killing: number; inAll: number }): Record<string, number> {
  const { rows, transitions } = evidence;
  const failed = rows.filter(({ status }) => status === "failed");
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  return {
    "dispatches answered": evidence.dispatches.filter(({ answeredAt }) => answeredAt !== null).length,
    succeeded: count("succeeded"),
    ...Object.fromEntries(
      [...groupsOf(failed, (row) => `failed: ${row.failureKind}`)].map(([name, own]) => [name, own.length]),
    ),
    cancelled: count("cancelled"),
    "attempts given up and tried again": transitions.filter(
      (one) => one.was === "running" && one.attempt !== one.wasAttempt,
    ).length,
    "agents that started": evidence.marks.filter(({ kind }) => kind === "start").length,
    "requests sent again": world.client.figures.again,
    "starts of the server": world.server.starts,
    "servers that ended by themselves": evidence.ownEndings.length,
    "seconds of killing": Math.round(ms.killing / 1_000),
    "seconds in all": Math.round(ms.inAll / 1_000),
  };
}

/** Looks again and again; throws what it waited for when it takes too long. */
async function until(look: () => Promise<boolean>, what: string, ms: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`Waited ${ms / 1_000} s in vain for ${what}.`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
