/**
 * A run: a world under load, in which the plan kills one after the other; then peace, every slot tried, and the proof. It
 * tells what it does in lines for people. The world is ended in any case.
 */
import { setMaxListeners } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { check, type Verdict } from "./checker";
import type { Evidence, RunKill } from "./evidence";
import { groupsOf } from "./groups";
import type { ServerProgram } from "./keeper";
import { takeStep } from "./kills";
import { type Load, startLoad } from "./load";
import { marksFrom } from "./marks";
import { planOf, VICTIMS, type Victim } from "./plan";
import { processesOfRuns } from "./runs";
import { until } from "./until";
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

const EVERY_SLOT_WITHIN_MS = 120_000;
/** So long without one ending, and what still lives is lost: how long a whole line takes is the machine's to say. */
const NOTHING_ENDS_MS = 180_000;
const LEAVE_WITHIN_MS = 10_000;
const READ_BYTES = 1_000_000;

export async function runChaos(options: RunOptions): Promise<RunReport> {
  const { seed, kills, program, tell } = options;
  const plan = planOf(seed, kills);
  const began = performance.now();
  tell(`seed ${seed}: ${plan.length} kills, ${kills} of them of the server`);
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  // Every request and every wait listens to it.
  setMaxListeners(0, signal);
  const world = await openWorld(program, signal);
  let isClean = false;
  try {
    const load = startLoad(world, seed, signal);
    const done = Object.fromEntries(VICTIMS.map((victim) => [victim, 0])) as Record<Victim, number>;
    const runKills: RunKill[] = [];
    for (const step of plan) {
      if (options.mostMs !== null && performance.now() - began > options.mostMs) break;
      const about = `${step.number}/${plan.length} ${step.victim}`;
      await takeStep(world, step, (kill) => runKills.push(kill), signal).catch((cause: Error) => {
        throw new Error(`${about}: ${cause.message}`, { cause });
      });
      done[step.victim] += 1;
      tell(`${about}: ${world.endings()} agents came to their end`);
    }
    const killing = performance.now() - began;
    const evidence = await gather(world, load, runKills, tell, signal);
    const verdict = check(evidence);
    isClean = verdict.isClean;
    if (!isClean) keep(evidence, world);
    const figures = figuresOf(evidence, world, { killing, inAll: performance.now() - began });
    return { verdict, kills: done, planned: plan.length, figures };
  } finally {
    over.abort(new Error("The run is over."));
    const keepsFolder = !isClean && !options.signal.aborted;
    await world.close({ keepsFolder });
    if (keepsFolder) tell(`What is left of it: ${world.folder}`);
  }
}

async function gather(
  world: World,
  load: Load,
  runKills: readonly RunKill[],
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<Evidence> {
  const { client, witness, dataDir, marksFile, caps } = world;
  const peace = async () => {
    for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
      const before = left;
      const isFewer = async () => {
        left = await witness.live().catch(() => before);
        return left < before;
      };
      await until(isFewer, "an ending", NOTHING_ENDS_MS, signal);
    }
  };
  const marks = () => marksFrom(readFileSync(marksFile, "utf8"));
  tell("the killing is over, what is in line runs to its end");
  await load.stop();
  await peace().catch(() => tell("not everything has ended"));
  tell("every slot is tried");
  await load.fillTheHouse();
  const holding = () => marks().filter(({ kind, token }) => kind === "start" && token.startsWith("gate")).length;
  await until(async () => holding() >= caps.globalMax, "every slot", EVERY_SLOT_WITHIN_MS, signal).catch(
    () => undefined,
  );
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
    ownEndings: world.ownEndings(),
    refusals: [...load.refusals, ...client.broken],
    leftBehind: processesOfRuns(dataDir),
    slotsSeen,
  };
}

/** For whoever looks for the reason. */
function keep({ dispatches, rows, transitions, runKills }: Evidence, { folder }: World): void {
  const told = dispatches.map((dispatch) => ({
    ...dispatch,
    sessionIds: [...dispatch.sessionIds],
    output: undefined,
    followed: dispatch.followed?.length,
  }));
  const lines = Object.entries({ dispatches: told, rows, transitions, runKills }).map(
    ([name, list]) => `"${name}": [\n${list.map((one) => JSON.stringify(one)).join(",\n")}\n]`,
  );
  writeFileSync(path.join(folder, "evidence.json"), `{\n${lines.join(",\n")}\n}\n`);
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
    "starts of servers": world.starts(),
    "servers that ended by themselves": evidence.ownEndings.length,
    "seconds of killing": Math.round(ms.killing / 1_000),
    "seconds in all": Math.round(ms.inAll / 1_000),
  };
}
