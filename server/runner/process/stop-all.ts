/**
 * Ends every agent of an installation while no server runs: what `npm run stop-agents` does. Asks the hosts first, because
 * they write a true ending; what has lost its host is ended from here.
 */
import { setTimeout as sleep } from "node:timers/promises";
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

export async function stopAllAgents(dataDir: string): Promise<StoppedAgents> {
  const runner = createProcessRunner({ dataDir, hostBundle: "" });
  const outcomes = await Promise.all((await runner.list()).map((run) => stopOne(runner, run)));
  return {
    stopped: outcomes.filter((outcome) => outcome.kind === "stopped").length,
    left: outcomes.flatMap((outcome) => (outcome.kind === "left" ? [outcome.run] : [])),
  };
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
    else if (!wasAlive) await runner.stop(run);
    wasAlive = true;
    await sleep(LOOK_MS);
  }
}
