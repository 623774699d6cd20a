/** How each victim of the plan is killed. A step is done when its victim was really hit: who is not there is waited for. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RunKill } from "./evidence";
import type { Step } from "./plan";
import { killOneOf, postmasterOf } from "./runs";
import { until } from "./until";
import type { World } from "./world";

/** Nothing comes to its end, or nobody to kill comes up, for so long: something is stuck. */
const STUCK_AFTER_MS = 120_000;
/** Under another writer, and again when the late one is back, so many agents have to come to their end. */
const ENDINGS_BETWEEN = 2;

/** Waits for the step's moment and kills. What was done to a run is told to `tell`. */
export async function takeStep(
  world: World,
  step: Step,
  tell: (kill: RunKill) => void,
  signal: AbortSignal,
): Promise<void> {
  const { moment, victim, which } = step;
  if (moment.kind === "after-ms") await sleep(moment.ms, undefined, { signal });
  else await endings(world, moment.endings, signal);
  if (victim === "server") return world.server.kill(signal);
  if (victim === "writer") return freezeWriter(world, which < 0.5 ? "SIGTERM" : "SIGKILL", signal);
  const hit = async (): Promise<boolean> => {
    switch (victim) {
      case "postgres": {
        const pid = postmasterOf(world.dataDir);
        return pid !== null && process.kill(pid, "SIGKILL");
      }
      case "backend":
        return world.witness.terminateOne(which).catch(() => false);
      case "host":
      case "agent": {
        const killed = killOneOf(world.dataDir, victim, which);
        if (killed) tell(killed);
        return killed !== null;
      }
      default:
        return victim satisfies never;
    }
  };
  await until(hit, `a ${victim} to kill`, STUCK_AFTER_MS, signal);
}

/**
 * The writer is stopped in its tracks until another server has taken over and given slots; then it wakes up, late. At last the
 * second server ends, in order or not, and the first is the writer again.
 */
async function freezeWriter(world: World, how: "SIGTERM" | "SIGKILL", signal: AbortSignal): Promise<void> {
  const { server, second, witness } = world;
  await world.joinSecond();
  let frozen = server;
  const isFound = async () => {
    const pid = await witness.writer().catch(() => null);
    frozen = pid === second.pid ? second : server;
    return pid !== null && pid === frozen.pid;
  };
  await until(isFound, "a writer", STUCK_AFTER_MS, signal);
  const pid = frozen.pid;
  frozen.send("SIGSTOP");
  try {
    const isReplaced = async () => ![null, pid].includes(await witness.writer().catch(() => null));
    await until(isReplaced, "another writer", STUCK_AFTER_MS, signal);
    await endings(world, ENDINGS_BETWEEN, signal);
  } finally {
    frozen.send("SIGCONT");
  }
  await endings(world, ENDINGS_BETWEEN, signal);
  await world.endSecond(how);
}

async function endings(world: World, count: number, signal: AbortSignal): Promise<void> {
  const goal = world.endings() + count;
  await until(() => world.endings() >= goal, "agents to come to their end", STUCK_AFTER_MS, signal);
}
