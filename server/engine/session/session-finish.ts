/**
 * The end of a session's life: what its agent brought is read, its work is saved, and the slot is given back; or, when
 * nothing has acted, it goes back to its line. Order not to break: work is saved before the slot is given back (W2), and
 * others are warned before that as well (A8).
 */
import { type Ended, NOTHING_LEFT, outcomeOf, outcomeOfLoss, outcomeOfNoStart } from "../../core/session/lifecycle";
import type { Clock } from "../../ports/clock";
import type { Runner } from "../../ports/runner";
import type { SessionFacts, SessionRecord } from "../../ports/session-record";
import type { Workspace } from "../../ports/workspace";
import { type Pool, PoolUnavailable } from "../pool";
import { saveWork, untilReached } from "./session-close";
import { type Closing, type FollowParts, outputNews, tell } from "./session-follow";
import type { Life } from "./session-life";
import { learn, readResult } from "./session-result";
import type { NotStarted } from "./session-start";
import { type WarningParts, warnOthers } from "./warn-others";

export interface FinishParts extends WarningParts, FollowParts {
  readonly pool: () => Pick<Pool, "progress" | "release" | "requeue">;
  readonly runner: Runner;
  readonly workspace: Pick<Workspace, "save" | "inspect">;
  readonly record: Pick<SessionRecord, "read">;
  readonly clock: Clock;
  /** In which times of day are told, an IANA name. */
  readonly timeZone: string;
}

export interface FinishLimits {
  readonly saveWithinMs: number;
  readonly writesEveryMs: number;
}

/** R2: the first attempt and three more. The pool refuses a fifth as well; ended here, the sentence says why. */
const TRIES_MAX = 4;

/** Saves and gives the slot back; or, when nothing has acted, puts the session back into its line. */
export async function close(
  parts: FinishParts,
  limits: FinishLimits,
  life: Life,
  closing: Exclude<Closing, { kind: "dropped" }>,
): Promise<void> {
  if (closing.kind === "not-started") return closeUnstarted(parts, life, closing);
  const facts = await readFacts(parts, life, () => life.isDetached);
  // One that was found again may be over before it was known how its agent speaks: what it said is told now.
  if (facts !== null) learn(parts.runner, life, facts);
  const now = parts.clock.monotonic();
  const news = await outputNews(parts.runner, life, limits.writesEveryMs, now).catch(() => null);
  tell(parts, life, { ...news, phase: "saving" });
  const work = await saveWork(parts.workspace, facts, life.run, limits.saveWithinMs);
  const { isStopping } = life;
  const over = closing.kind === "ended" ? closing.ending.endedAt : parts.clock.now();
  const result = await readResult(life, facts, over, parts.timeZone);
  const { told, usage, agentSessionId } = result;
  if (closing.kind === "ended") {
    const { endedAt, exitCode, signal, outputBytes } = closing.ending;
    const outcome = outcomeOf(closing.ending, isStopping, facts?.longestRunMs ?? 0, told);
    // Before the slot is given back: the next in line may be of the same agent (A8).
    if (facts && outcome.failure) await warnOthers(parts, facts, outcome.failure, result);
    const leavings = { ...work, endedAt, exitCode, signal, outputBytes, usage, agentSessionId };
    return release(parts, life, { ...outcome, ...leavings });
  }
  const outputBytes = life.tail.offset;
  const leavings = { ...NOTHING_LEFT, ...work, outputBytes, endedAt: over, usage, agentSessionId };
  return release(parts, life, { ...outcomeOfLoss(isStopping), ...leavings });
}

async function closeUnstarted(parts: FinishParts, life: Life, { sentence, mayRetry }: NotStarted): Promise<void> {
  if (mayRetry && !life.isStopping && life.run.attempt < TRIES_MAX) {
    const answer = await reach(life, () => parts.pool().requeue(life.run));
    if (answer === "requeued" || answer === null) return;
    // A stale attempt is held by nobody, or a cancel came first and wins: then this is what ends it (R2).
    if (answer === "stale") life.isStopping = true;
  }
  const outcome = outcomeOfNoStart(life.isStopping, sentence);
  if (life.facts && outcome.failure) await warnOthers(parts, life.facts, outcome.failure, null);
  await release(parts, life, { ...outcome, ...NOTHING_LEFT, endedAt: parts.clock.now() });
}

async function release(parts: FinishParts, life: Life, ended: Ended): Promise<void> {
  await reach(life, () => parts.pool().release(life.run, ended));
}

function reach<T>(life: Life, write: () => Promise<T>): Promise<T | null> {
  const isAway = (error: unknown) => error instanceof PoolUnavailable;
  return untilReached(write, () => life.isDetached, isAway, life.pause);
}

export async function readFacts(
  { record }: Pick<FinishParts, "record">,
  life: Life,
  isOver: () => boolean,
): Promise<SessionFacts | null> {
  return (
    life.facts ??
    untilReached(
      () => record.read(life.run.sessionId),
      isOver,
      () => true,
      life.pause,
    )
  );
}
