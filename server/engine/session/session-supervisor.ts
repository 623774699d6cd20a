/**
 * One session's life from its slot to its release: worktree → host → agent → ending → work saved → slot given back. A session
 * that outlived our restart enters in the middle of the same path ("adopted"), so what is true of one is true of the other.
 * Never decides who runs and never touches a row of a session: it tells the pool (P19, P21). Slow work happens here,
 * outside the pool's mailbox (P20).
 */
import type { LiveSession, PoolSnapshot } from "../../core/pool/picture";
import { reasonOf } from "../../core/text/reason";
import type { AttemptRef } from "../../core/words";
import type { Programs } from "../../ports/agent-store";
import type { Clock } from "../../ports/clock";
import type { Machine, Runner, RunOrder } from "../../ports/runner";
import type { SessionFacts, SessionRecord } from "../../ports/session-record";
import type { Workspace } from "../../ports/workspace";
import type { Pool, Waiter } from "../pool";
import type { Holds } from "./holds";
import { SAVE_WITHIN_MS } from "./session-close";
import { close, readFacts } from "./session-finish";
import { FOLLOW_LIMITS, type FollowLimits, follow } from "./session-follow";
import { createLife, type Life } from "./session-life";
import { learn } from "./session-result";
import { type NotStarted, startAgent, TERM_GRACE_MS } from "./session-start";
import { createStartPermits } from "./start-permits";

export interface SupervisorLimits extends FollowLimits {
  /** Starts at a time. */
  readonly startsAtOnce: number;
  /** After this long a start no longer counts as one of them. */
  readonly startTooSlowMs: number;
  /** A spawned host that made no claim by then is given up. */
  readonly claimWithinMs: number;
  /** R7: time between SIGTERM and SIGKILL. */
  readonly termGraceMs: number;
  readonly saveWithinMs: number;
  /** R5: how long an ordinary stop waits for steps under way. */
  readonly detachWithinMs: number;
}

const LIMITS: SupervisorLimits = {
  ...FOLLOW_LIMITS,
  startsAtOnce: 4,
  startTooSlowMs: 5_000,
  claimWithinMs: 30_000,
  termGraceMs: TERM_GRACE_MS,
  saveWithinMs: SAVE_WITHIN_MS,
  detachWithinMs: 1_000,
};

/** What is told when the rows of a running session point at nothing any more. */
const NOTHING_TO_RUN: NotStarted = {
  kind: "not-started",
  sentence: "The task, its project or its agent is no longer there.",
  mayRetry: false,
};

export interface SupervisorParts {
  /** Asked for when needed: the pool is made after its waiter. */
  readonly pool: () => Pick<Pool, "progress" | "release" | "requeue" | "handBack"> & {
    snapshot(): Pick<PoolSnapshot, "epoch">;
  };
  readonly runner: Runner;
  readonly workspace: Pick<Workspace, "prepare" | "save" | "inspect">;
  readonly record: Pick<SessionRecord, "read" | "storeWorktree">;
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
  readonly answerWithinMs: () => Promise<number>;
  readonly machine: Pick<Machine, "variables">;
  readonly programs: Programs;
  /** Asked for when needed: they are made after the pool. */
  readonly holds: () => Pick<Holds, "put">;
  /** In which times of day are told, an IANA name. */
  readonly timeZone: string;
  readonly mayDrive?: () => boolean;
  readonly limits?: Partial<SupervisorLimits>;
}

export interface SessionSupervisor extends Waiter {
  /**
   * The server leaves: agents go on, nothing more is told to the pool, half-made starts are broken off and their slots
   * handed back (R5). To be called when the pool grants nothing any more.
   */
  detach(): Promise<void>;
}

export function createSessionSupervisor(parts: SupervisorParts): SessionSupervisor {
  const limits: SupervisorLimits = { ...LIMITS, ...parts.limits };
  const permits = createStartPermits(limits.startsAtOnce, limits.startTooSlowMs);
  const attended = new Map<
    string,
    { readonly life: Life; readonly steps: Promise<void>; readonly over: Promise<void> }
  >();
  const startParts = { ...parts, termGraceMs: limits.termGraceMs };
  let isDetached = false;

  async function begin(life: Life): Promise<void> {
    try {
      life.endTurn = await permits.take(life.abort.signal);
      // A cancel does not wait for rows that are out of reach while nothing was started; an ending does.
      life.facts = await readFacts(parts, life, () => life.abort.signal.aborted);
      if (!life.facts) {
        life.notStarted = NOTHING_TO_RUN;
        return;
      }
      const { epoch } = parts.pool().snapshot();
      const start = (order: RunOrder) => {
        life.isUntouched = false;
        return parts.runner.start(order);
      };
      const begun = await startAgent(
        { ...startParts, runner: { start } },
        life.run,
        epoch,
        life.facts,
        life.abort.signal,
      );
      if (begun.kind === "not-started") {
        life.notStarted = begun;
        return;
      }
      life.facts = begun.facts;
      life.claimUntil = parts.clock.monotonic() + limits.claimWithinMs;
    } catch (error) {
      life.notStarted = { kind: "not-started", sentence: reasonOf(error), mayRetry: true };
    }
  }

  /** When it cannot be written, the next server finds an attempt that nobody claimed, and that costs one try (R2). */
  async function handBack(run: AttemptRef): Promise<void> {
    await parts
      .pool()
      .handBack(run)
      .catch((error: unknown) => parts.log.warn(`session ${run.sessionId}: not handed back: ${reasonOf(error)}`));
  }

  async function live(life: Life, entry: "granted" | "adopted"): Promise<void> {
    if (entry === "granted") await begin(life);
    else void readFacts(parts, life, () => life.isDetached).then((facts) => know(life, facts));
    if (life.facts) learn(parts.runner, life, life.facts);
    life.isUntouched = false;
    const closing = await follow(parts, limits, life);
    if (closing.kind !== "dropped") await close(parts, limits, life, closing);
  }

  /** Found again after a restart: what it is comes from the rows, while it is followed already. */
  function know(life: Life, facts: SessionFacts | null): void {
    if (facts !== null) learn(parts.runner, life, facts);
  }

  return {
    attend(session: LiveSession, entry) {
      const key = keyOf({ sessionId: session.id, attempt: session.attempt });
      if (isDetached) {
        if (entry === "granted") void handBack({ sessionId: session.id, attempt: session.attempt });
        return never();
      }
      const known = attended.get(key);
      if (known) {
        // The pool was rebuilt from rows; a cancel that it committed before may not have come through.
        if (session.phase === "stopping") this.stop(known.life.run);
        return known.over;
      }
      const life = createLife(session, entry, parts.runner);
      const steps = live(life, entry).finally(() => {
        if (attended.get(key)?.life === life) attended.delete(key);
      });
      // What is dropped is not over: the pool of the next server attends it again.
      const over = steps.then(() => (life.isDetached ? never() : undefined));
      attended.set(key, { life, steps, over });
      return over;
    },
    stop(run) {
      const life = attended.get(keyOf(run))?.life;
      if (!life) return;
      life.isStopping = true;
      life.abort.abort(new Error("The session was cancelled."));
      life.wake();
    },
    declareLost(run) {
      const life = attended.get(keyOf(run))?.life;
      if (!life) return;
      life.isDeclaredLost = true;
      life.wake();
    },
    letGo: () => letGo([]),
    async detach() {
      isDetached = true;
      // Without one that was asked for there will be no host: whatever comes before it looks at the signal first.
      const unstarted = [...attended.values()].filter(({ life }) => life.isUntouched).map(({ life }) => life.run);
      await letGo(unstarted.map(handBack));
    },
  };
  async function letGo(rest: readonly Promise<void>[]): Promise<void> {
    const steps = Array.from(attended.values(), (one) => one.steps);
    for (const { life } of attended.values()) life.detach();
    attended.clear();
    const atRest = Promise.allSettled([...steps, ...rest]);
    await Promise.race([atRest, new Promise((resolve) => setTimeout(resolve, limits.detachWithinMs).unref())]);
  }
}

function keyOf({ sessionId, attempt }: AttemptRef): string {
  return `${sessionId} ${attempt}`;
}

function never(): Promise<void> {
  return new Promise(() => {});
}
