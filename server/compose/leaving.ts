/**
 * How the server leaves (R5). The first signal: what is being started is handed back, the terminal says how many agents go on,
 * everything is left in reverse, code 0. Ctrl-C again, at any moment after the first: the agents are ended too. How many there
 * are is found on the machine and not asked of the pool, which knows of none while it still waits for its lease or its rows.
 */
import type { Clock } from "../ports/clock";
import { endedSentence, type StoppedAgents } from "../runner/process/stop-all";

/** An ordinary stop takes no longer than this, whatever hangs, ms. Ending the agents may take longer. */
const LEAVE_MS = 4_500;
/** After Ctrl-C, how long one may press it again to end the agents too, ms. */
const SECOND_CTRL_C_MS = 2_000;
const LATE_EXIT_CODE = 1;

export interface Leavable {
  /** From when it resolves no agent is started any more. */
  standDown(): Promise<void>;
  leave(): Promise<void>;
}

export interface LeavingParts {
  /** Leaving in the middle of a start waits for its end, so that everything is left in order. */
  readonly opening: Promise<Leavable>;
  readonly countAgents: () => Promise<number>;
  readonly stopAgents: () => Promise<StoppedAgents>;
  readonly clock: Pick<Clock, "monotonic">;
  readonly say: (sentence: string) => void;
  readonly log: { error(line: string): void; bug(where: string, error: unknown): void };
  readonly exit: (code: number) => void;
}

export interface Leaving {
  signal(name: "SIGINT" | "SIGTERM" | "SIGHUP"): void;
  isLeaving(): boolean;
}

export function createLeaving(parts: LeavingParts): Leaving {
  const { opening, clock, say, log, exit } = parts;
  let leaving: Promise<boolean> | null = null;
  let isEnding = false;
  /** Until when a second Ctrl-C is waited for; monotonic, ms. */
  let waitsUntil = 0;

  const leave = async (mayEndAgents: boolean) => {
    const house = await opening.catch(() => null);
    await house?.standDown();
    const running = await parts.countAgents();
    if (running > 0 && !isEnding) say(farewell(running));
    if (running > 0 && mayEndAgents) waitsUntil = clock.monotonic() + SECOND_CTRL_C_MS;
    await house?.leave();
  };

  const leaveAndExit = async (mayEndAgents: boolean) => {
    leaving = inTime(
      leave(mayEndAgents).catch((error: unknown) => {
        log.bug("leaving", error);
        throw error;
      }),
    );
    const isLeft = await leaving;
    await pause(waitsUntil - clock.monotonic());
    if (isEnding) return;
    if (!isLeft) log.error("Something did not end in time; leaving without it.");
    exit(isLeft ? 0 : LATE_EXIT_CODE);
  };

  const endAgents = async () => {
    const found = await parts.stopAgents();
    const isLeft = await leaving;
    // What was being started in the first moment is there by now.
    const later = await parts.stopAgents();
    say(endedSentence(found.stopped + later.stopped));
    exit(isLeft && later.left.length === 0 ? 0 : LATE_EXIT_CODE);
  };

  return {
    signal(name) {
      if (leaving === null) void leaveAndExit(name === "SIGINT");
      else if (name === "SIGINT" && !isEnding) {
        isEnding = true;
        endAgents().catch((error: unknown) => {
          log.bug("ending the agents", error);
          exit(LATE_EXIT_CODE);
        });
      }
    },
    isLeaving: () => leaving !== null,
  };
}

/** False: it went wrong, or has not ended by then. */
async function inTime(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), LEAVE_MS);
  });
  const isDone = await Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    late,
  ]);
  clearTimeout(timer);
  return isDone;
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

function farewell(running: number): string {
  const [agents, them] = running === 1 ? ["1 agent goes", "it"] : [`${running} agents go`, "them"];
  return `${agents} on; \`npm start\` takes ${them} back, \`npm run stop-agents\` ends ${them}. Ctrl-C again ends ${them} now.`;
}
