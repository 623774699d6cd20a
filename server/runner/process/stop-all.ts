/**
 * Counts and ends the agents of an installation by what is on the machine, without a server or a database: what a server says
 * when it leaves, and what `npm run stop-agents` and a second Ctrl-C do. Asks the hosts first, because they write a true
 * ending; what has lost its host is ended from here.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { mustBeStopped } from "../../core/session/recovery";
import type { AttemptRef } from "../../core/words";
import type { Runner } from "../../ports/runner";
import { createProcessRunner } from "./process-runner";

const LOOK_MS = 100;
/** Longer than any polite stop plus the time until the kernel has ended a tree. */
const GIVE_UP_MS = 60_000;

export interface StoppedAgents {
  readonly stopped: number;
  /** Runs that were still there when we gave up waiting. */
  readonly left: readonly AttemptRef[];
}

/** How many go on when the server leaves: those with a host, or with processes that outlived it. */
export async function countAgents(dataDir: string): Promise<number> {
  const runner = createProcessRunner({ dataDir, hostBundle: "" });
  const found = await Promise.all((await runner.list()).map((run) => runner.probe(run)));
  return found.filter(mustBeStopped).length;
}

export async function stopAllAgents(dataDir: string): Promise<StoppedAgents> {
  const runner = createProcessRunner({ dataDir, hostBundle: "" });
  const outcomes = await Promise.all((await runner.list()).map((run) => stopOne(runner, run)));
  return {
    stopped: outcomes.filter((outcome) => outcome.kind === "stopped").length,
    left: outcomes.flatMap((outcome) => (outcome.kind === "left" ? [outcome.run] : [])),
  };
}

export function endedSentence(stopped: number): string {
  if (stopped === 0) return "No agent was running.";
  return stopped === 1 ? "1 agent ended." : `${stopped} agents ended.`;
}

type Outcome =
  | { readonly kind: "stopped" }
  | { readonly kind: "was-over" }
  | { readonly kind: "left"; readonly run: AttemptRef };

async function stopOne(runner: Runner, run: AttemptRef): Promise<Outcome> {
  const deadline = performance.now() + GIVE_UP_MS;
  let wasAlive = false;
  for (;;) {
    const probe = await runner.probe(run);
    const isOnItsWay = probe.kind === "unclaimed" && probe.hostPid !== null;
    if (probe.kind === "exited" || probe.kind === "gone" || (probe.kind === "unclaimed" && !isOnItsWay)) {
      return { kind: wasAlive ? "stopped" : "was-over" };
    }
    if (performance.now() > deadline) return { kind: "left", run };
    if (probe.kind === "orphaned") await runner.endTree(run).catch(() => {});
    else if (!wasAlive) await runner.stop(run, "operator");
    wasAlive = true;
    await sleep(LOOK_MS);
  }
}
