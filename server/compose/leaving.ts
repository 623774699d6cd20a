/**
 * How the server leaves (R5). The first signal: what is being started is handed back, the terminal says how many agents go on,
 * everything is left in reverse, code 0. Ctrl-C again, at any moment after the first: the agents are ended too, unless another
 * server looks after them (P19). How many there are is found on the machine and not asked of the pool, which knows of none
 * while it still waits for its lease or its rows.
 */
import type { Clock } from "../ports/clock";
import { endedSentence, type StoppedAgents } from "../runner/process/stop-all";

/** An ordinary stop takes no longer than this, whatever hangs, ms. Ending the agents may take longer. */
const LEAVE_MS = 4_500;
/** After Ctrl-C, how long one may press it again to end the agents too, ms. */
const SECOND_CTRL_C_MS = 2_000;
const LATE_EXIT_CODE = 1;

export interface Leavable {
  /** Another server is the writer and looks after what runs. */
  follows(): boolean;
  /** From when it resolves no agent is started any more. */
  standDown(): Promise<void>;
  leave(): Promise<void>;
}

export interface LeavingParts {
  /** Leaving in the middle of a start waits for its end, so that everything is left in order. */
  readonly opening: Promise<Leavable>;
  readonly countAgents: () => Promise<number>;
  readonly stopAgents: () => Promise<StoppedAgents>;
  /** Whether another server is there to take over from this one, should it be the writer. Never rejects. */
  readonly hasFollower: () => Promise<boolean>;
  /** Asked after everything is left: whether another server has become the writer. Never rejects. */
  readonly hasSuccessor: () => Promise<boolean>;
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
  /** Another server looks after the agents, or takes them over. */
  let isOthers = false;
  /** Until when a second Ctrl-C is waited for; monotonic, ms. */
  let waitsUntil = 0;

  const leave = async (mayEndAgents: boolean) => {
    const house = await opening.catch(() => null);
    isOthers = (house?.follows() ?? false) || (await parts.hasFollower());
    await house?.standDown();
    const running = await parts.countAgents();
    if (running > 0 && isOthers) say(leftToOther(running));
    else if (running > 0 && !isEnding) say(farewell(running));
    if (running > 0 && mayEndAgents && !isOthers) waitsUntil = clock.monotonic() + SECOND_CTRL_C_MS;
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
    // Whose they are is known only then, and what was being started is there. The lease of who left late may be its own.
    const isLeft = await leaving;
    if (isOthers || (isLeft && (await parts.hasSuccessor()))) {
      const running = await parts.countAgents();
      if (running > 0 && !isOthers) say(leftToOther(running));
      return exit(isLeft ? 0 : LATE_EXIT_CODE);
    }
    const { stopped, left } = await parts.stopAgents();
    say(endedSentence(stopped));
    exit(isLeft && left.length === 0 ? 0 : LATE_EXIT_CODE);
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

function leftToOther(running: number): string {
  const [agents, them] = running === 1 ? ["1 agent goes", "it"] : [`${running} agents go`, "them"];
  return `${agents} on; another server looks after ${them}. \`npm run stop-agents\` ends ${them} all the same.`;
}

function farewell(running: number): string {
  const [agents, them] = running === 1 ? ["1 agent goes", "it"] : [`${running} agents go`, "them"];
  return `${agents} on; \`npm start\` takes ${them} back, \`npm run stop-agents\` ends ${them}. Ctrl-C again ends ${them} now.`;
}
