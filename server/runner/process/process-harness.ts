/** For the tests of this folder: a process runner on a data folder of its own, and what is needed to look at its processes. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { AttemptRef } from "../../core/words";
import type { AgentCommand, Runner, RunOrder } from "../../ports/runner";
import type { AgentStep } from "../../testing/agent-steps";
import { bundleHost } from "../../testing/host-bundle";
import { orderFor, type RunnerHarness } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { createProcessRunner } from "./process-runner";
import { openRunsFolder } from "./runs-folder";

export interface ProcessHarness extends RunnerHarness {
  readonly dataDir: string;
  folderOf(run: AttemptRef): string;
  markOf(run: AttemptRef): Promise<string>;
  /** Starts `bash -c script` (or any argv) and answers its order. */
  begin(agent: string | readonly string[], changes?: Partial<RunOrder>, stdin?: string | null): Promise<RunOrder>;
}

/** Gives each test of the file that calls it a harness of its own, all of one bundle of the host, whose path comes along. */
export function withProcessHarness(take: (fresh: ProcessHarness, hostBundle: string) => void): void {
  let bundle: Awaited<ReturnType<typeof bundleHost>>;
  let harness: ProcessHarness;
  beforeAll(async () => {
    bundle = await bundleHost();
  });
  afterAll(() => bundle.remove());
  beforeEach(async () => {
    harness = await makeProcessHarness(bundle.path);
    take(harness, bundle.path);
  });
  afterEach(() => harness.cleanUp());
}

export async function makeProcessHarness(hostBundle: string): Promise<ProcessHarness> {
  const dataDir = await mkdtemp(join(tmpdir(), "camelot-runs-"));
  const cwd = join(dataDir, "worktree é $HOME");
  await mkdir(cwd);
  const runs = openRunsFolder(dataDir);
  const make = () => createProcessRunner({ dataDir, hostBundle });
  const runner = make();
  const harness: ProcessHarness = {
    runner,
    dataDir,
    cwd,
    restarted: make,
    command: commandFor,
    folderOf: runs.folderOf,
    markOf: runs.markOf,
    async begin(agent, changes = {}, stdin = null) {
      const argv = typeof agent === "string" ? ["bash", "-c", agent] : agent;
      const order = orderFor(harness, { argv, stdin }, changes);
      await runner.start(order);
      return order;
    },
    async killHost(run) {
      const probe = await runner.probe(run);
      if (probe.kind !== "present") throw new Error(`no host: ${probe.kind}`);
      process.kill(probe.hostPid, "SIGKILL");
      await waitFor(async () => (await runner.probe(run)).kind !== "present", "the host to be dead");
    },
    cleanUp: () => cleanUp(runner, dataDir),
  };
  return harness;
}

/** Ends what a test left: politely asked and not obeyed is ended from outside. */
async function cleanUp(runner: Runner, dataDir: string): Promise<void> {
  for (const run of await runner.list()) {
    await waitFor(async () => {
      const probe = await runner.probe(run);
      if (probe.kind === "present" || (probe.kind === "unclaimed" && probe.hostPid !== null)) {
        await runner.stop(run);
        return false;
      }
      if (probe.kind === "orphaned") await runner.endTree(run);
      return probe.kind !== "orphaned";
    }, `run ${run.sessionId} to be over`);
    await runner.forget(run);
  }
  await rm(dataDir, { recursive: true, force: true });
}

function commandFor(steps: readonly AgentStep[], stdin?: string): AgentCommand {
  if (steps[0]?.do === "be-missing") return { argv: ["no-such-agent-anywhere"], stdin: null };
  return { argv: ["bash", "-c", steps.map(toBash).join("\n")], stdin: stdin ?? null };
}

function toBash(step: AgentStep): string {
  switch (step.do) {
    case "print":
      return `printf '%s' '${step.text}'`;
    case "repeat-stdin":
      return "cat";
    case "wait":
      return "sleep 600";
    case "exit":
      return `exit ${step.code}`;
    case "be-missing":
      return "exit 127";
    default:
      return step satisfies never;
  }
}
