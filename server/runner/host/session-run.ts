/**
 * One run from its claim to its ending. The order matters and is the whole point:
 * claim → setup script → agent → the tree is dead → the pipe is empty → the journal is closed → the ending is renamed in.
 *
 * Writes no ending when it did not claim, and none when it does not know one: then the server finds it lost, which is true.
 */
import { setupFailure } from "../../core/session/details";
import { maskText } from "../../core/text/masking";
import type { Ending } from "../../ports/runner";
import { type Identity, identify } from "../../system/process-identity";
import { type ControlGroup, createControlGroup } from "./cgroup";
import { claim, readClaim } from "./claim";
import { prepareAgent } from "./drivers/choose";
import type { Conversation, Driver } from "./drivers/driver";
import { writeEnding } from "./ending";
import { agentEnvironment } from "./environment";
import { type Interrupts, listenForInterrupts } from "./interrupts";
import { type Exit, type Launched, type LaunchRequest, launch } from "./launch";
import { cutDownOrder, type HostOrder, readOrder, removeOrder } from "./order";
import { openRecorder, type Recorder } from "./recorder";
import { HOST_FILE, isErrorCode, writeRunFile } from "./run-folder";
import { launchSandboxed } from "./sandbox";
import { prepareSetup } from "./setup";
import { endTree, type Tree } from "./tree";

interface Prepared {
  readonly recorder: Recorder;
  readonly setup: Driver | null;
  readonly agent: Driver;
}

type Outcome = Pick<Ending, "cause" | "message" | "lingered" | "quietMs"> & { readonly exit: Exit | null };

/** R7: how long a polite stop by the agent's own protocol may take. */
const CANCEL_WITHIN_MS = 5_000;

/** After an agent ended by itself, what it left behind gets this long to go politely, or less if the order says less. */
const LEFTOVERS_GRACE_MS = 2_000;

export async function runSession(folder: string): Promise<void> {
  const self = identify(process.pid);
  const reading = await readOrder(folder);
  if (!self || reading.kind === "none" || (await readClaim(folder))) return;
  if (reading.kind === "unreadable") return refuseOrder(folder, self, reading.sentence);
  const { order } = reading;
  const interrupts = await listenForInterrupts(folder, order.limits.longestRunMs);
  try {
    const prepared = await prepare(folder, order, interrupts).catch(describeUnprepared);
    const recorder = "recorder" in prepared ? prepared.recorder : null;
    if (!(await claim(folder, "host", self))) {
      recorder?.close();
      return await cutDownOrder(folder, order);
    }
    const run = createRun(folder, order, self, interrupts);
    const outcome = "recorder" in prepared ? await run.work(prepared).catch(run.abandon) : prepared;
    await run.finish(outcome, recorder, "agent" in prepared ? prepared.agent.conversation : null);
  } finally {
    interrupts.close();
  }
}

/** Claimed, so that nobody tries again what cannot go better. */
async function refuseOrder(folder: string, self: Identity, message: string): Promise<void> {
  if (!(await claim(folder, "host", self))) return;
  await removeOrder(folder);
  const nothing = { exitCode: null, signal: null, outputBytes: 0 };
  await writeEnding(folder, { cause: "could-not-start", ...nothing, endedAt: Date.now(), message });
}

async function prepare(folder: string, order: HostOrder, interrupts: Interrupts): Promise<Prepared> {
  const setup = order.setupScript ? await prepareSetup(folder, order.setupScript) : null;
  const recorder = await openRecorder(folder, order.secrets, () => interrupts.raise("disk-full"));
  const agent = await prepareAgent(folder, order, recorder);
  return { recorder, setup, agent };
}

function createRun(folder: string, order: HostOrder, self: Identity, interrupts: Interrupts) {
  const group: ControlGroup | null = createControlGroup(order.mark);
  const roots: Identity[] = [];
  const environment = agentEnvironment(process.env, order, order.environment);
  const hasOwnPath = "PATH" in order.environment;

  const end = (graceMs: number) => {
    const spared = order.sandbox === "none" ? [] : roots;
    const tree: Tree = { mark: order.mark, roots, group, trustsEndedRoots: true, spared };
    return endTree(tree, { graceMs });
  };

  const play = async (agent: Driver, recorder: Recorder, isAgent: boolean): Promise<Outcome> => {
    const begin = (request: Pick<LaunchRequest, "argv" | "stdinFd">) => {
      const whole = { ...request, cwd: order.cwd, environment, hasOwnPath, outputFd: recorder.writeFd, group };
      return order.sandbox === "none" ? launch(whole) : launchSandboxed(folder, whole);
    };
    const launched: Launched = await agent.start(begin);
    if (launched.kind === "failed") return { cause: "could-not-start", message: launched.message, exit: null };
    if (launched.identity) roots.push(launched.identity);
    const { conversation } = agent;
    if (isAgent) await record(launched.identity, conversation !== null);
    // Whether boards say so is not worth a run.
    void conversation?.up.then(() => record(launched.identity, false)).catch(() => {});
    const failsToStart = conversation?.failsToStart.then((message) => ({ message }));
    const exited = launched.exited.then(() => "exited" as const);
    const lingers = conversation?.lingers.then(() => "lingers" as const);
    const cause = await Promise.race([exited, lingers ?? never(), failsToStart ?? never(), interrupts.first]);
    if (typeof cause === "object") {
      await end(order.limits.termGraceMs);
      return { cause: "could-not-start", message: cause.message, exit: null };
    }
    // Asked to break off, it may say so.
    const silence = cause === "timed-out" ? { quietMs: Math.round(recorder.quietMs()) } : {};
    if (conversation && cause !== "exited" && cause !== "lingers") {
      conversation.cancel();
      await within(CANCEL_WITHIN_MS, launched.exited);
    }
    if (cause !== "exited") await end(order.limits.termGraceMs);
    const exit = await within(1_000, launched.exited);
    return cause === "lingers" ? { cause: "exited", exit, lingered: true } : { cause, exit, ...silence };
  };

  const record = (agent: Identity | null, isComingUp: boolean) => {
    const comingUp = isComingUp ? { isComingUp } : {};
    return writeRunFile(folder, HOST_FILE, { ...self, agent, group: group?.path ?? null, ...comingUp });
  };

  return {
    async work(prepared: Prepared): Promise<Outcome> {
      await cutDownOrder(folder, order);
      await record(null, false);
      if (interrupts.current) return { cause: interrupts.current, exit: null };
      if (prepared.setup) {
        const outcome = await play(prepared.setup, prepared.recorder, false);
        if (outcome.cause !== "exited") return outcome;
        const failure = describeSetupExit(outcome.exit);
        if (failure) return { cause: "could-not-start", message: failure, exit: null };
        if (interrupts.current) return { cause: interrupts.current, exit: null };
      }
      return play(prepared.agent, prepared.recorder, true);
    },

    /** Something of ours went wrong: with a full disk that is an ending; else there is none to tell, only a tree to end. */
    async abandon(error: unknown): Promise<Outcome> {
      if (isDiskFull(error)) return { cause: "disk-full", exit: null };
      await end(order.limits.termGraceMs);
      throw error;
    },

    async finish(outcome: Outcome, recorder: Recorder | null, conversation: Conversation | null): Promise<void> {
      const left = await end(Math.min(LEFTOVERS_GRACE_MS, order.limits.termGraceMs));
      await conversation?.settle();
      const told = conversation && outcome.cause === "exited" ? conversation.outcome() : null;
      const outputBytes = recorder?.close() ?? 0;
      const stuck = left.length > 0 ? `Processes that could not be ended: ${left.join(", ")}.` : undefined;
      const message = outcome.message ?? told?.message ?? stuck;
      await writeEndingSomehow(folder, {
        // The disk may have refused the very last bytes, after the agent was over.
        cause: outcome.cause === "exited" && interrupts.current === "disk-full" ? "disk-full" : outcome.cause,
        exitCode: outcome.exit?.code ?? null,
        signal: outcome.exit?.signal ?? null,
        endedAt: outcome.exit?.at ?? Date.now(),
        outputBytes,
        ...(told ? { result: told.result } : {}),
        ...(outcome.lingered ? { lingered: true } : {}),
        ...(outcome.quietMs === undefined ? {} : { quietMs: outcome.quietMs }),
        ...(message ? { message: maskText(message, order.secrets) } : {}),
      });
    },
  };
}

const ENDING_TRIES = 30;
const ENDING_PAUSE_MS = 1_000;

/** A full disk may have room again in a moment: the ending is worth some waiting. */
async function writeEndingSomehow(folder: string, ending: Ending): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await writeEnding(folder, ending);
    } catch (error) {
      if (tries === ENDING_TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, ENDING_PAUSE_MS));
    }
  }
}

function describeSetupExit(exit: Exit | null): string | null {
  if (exit?.code === 0) return null;
  const how = exit?.signal ? `was ended by ${exit.signal}` : `failed with exit code ${exit?.code ?? "unknown"}`;
  return setupFailure(how);
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  return Promise.race([promise, new Promise<null>((resolve) => setTimeout(resolve, ms, null))]);
}

function describeUnprepared(error: unknown): Outcome {
  if (isDiskFull(error)) return { cause: "disk-full", exit: null };
  const message = error instanceof Error ? error.message : String(error);
  return { cause: "could-not-start", message: `The run could not be prepared: ${message}`, exit: null };
}

function isDiskFull(error: unknown): boolean {
  return isErrorCode(error, "ENOSPC", "EDQUOT");
}
