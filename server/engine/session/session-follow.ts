/**
 * The middle of a session's life: look at its runner, judge, act, rest; until it is over. Entered after the host was
 * spawned and, at boot, for every attempt found in the rows: the same loop.
 * A look never trusts a hint: hints only make it look sooner.
 */
import { lastActionOf } from "../../core/agent/last-line";
import type { AgentEnding } from "../../core/session/lifecycle";
import type { Question } from "../../core/session/question";
import { judge, type Verdict } from "../../core/session/recovery";
import { maskText } from "../../core/text/masking";
import { reasonOf } from "../../core/text/reason";
import type { Clock } from "../../ports/clock";
import type { Probe, Runner } from "../../ports/runner";
import type { Pool, Progress } from "../pool";
import type { Life } from "./session-life";
import { type NotStarted, TERM_GRACE_MS } from "./session-start";

export interface FollowLimits {
  /** R3: how often a running host is looked at without a hint. */
  readonly beatMs: number;
  /** Looks at one session are at least this far apart, however fast its hints come. */
  readonly lookGapMs: number;
  /** P12: a look that takes longer says nothing. */
  readonly probeWithinMs: number;
  /** The last action is told at most this often. */
  readonly lastActionEveryMs: number;
  /** That an agent writes is told at least this often while it does, and twice within the time after which it counts as quiet (R9). */
  readonly writesEveryMs: number;
  /** A host that has not ended its agent so long after the order is ended from outside (R7). */
  readonly forceAfterMs: number;
}

export const FOLLOW_LIMITS: FollowLimits = {
  beatMs: 1_000,
  lookGapMs: 100,
  probeWithinMs: 2_000,
  lastActionEveryMs: 1_000,
  writesEveryMs: 60_000,
  forceAfterMs: TERM_GRACE_MS + 10_000,
};

export interface FollowParts {
  readonly runner: Runner;
  readonly pool: () => Pick<Pool, "progress">;
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
  /** How long a question waits for its answer (R12): a setting, asked for when there is one. */
  readonly answerWithinMs: () => Promise<number>;
  /** Whether this server may act on what runs right now (P19); asked in the turn in which it acts. */
  readonly mayDrive?: () => boolean;
}

/** How the middle ended. `dropped`: the server leaves, the agent goes on. */
export type Closing =
  | { readonly kind: "ended"; readonly ending: AgentEnding }
  | { readonly kind: "lost" }
  | NotStarted
  | { readonly kind: "dropped" };

export async function follow(parts: FollowParts, limits: FollowLimits, life: Life): Promise<Closing> {
  const unwatch = parts.runner.watch(life.run, life.wake);
  try {
    for (;;) {
      if (life.isDetached) return { kind: "dropped" };
      // A server that was stopped for a while does not know yet that another one drives what runs.
      if (parts.mayDrive?.() === false) {
        await life.rest(limits.lookGapMs, limits.beatMs);
        continue;
      }
      const seen = await look(parts.runner, life, limits.probeWithinMs);
      const mayStillClaim = parts.clock.monotonic() < life.claimUntil;
      const verdict = judge({ phase: life.phase, isStopping: life.isStopping, mayStillClaim }, seen);
      if (verdict.kind !== "wait") life.endTurn();
      if (life.isDetached || parts.mayDrive?.() === false) continue;
      const closing = await act(parts, limits, life, verdict, seen).catch((error: unknown) => {
        // The machine did not do as it was told; it is told again at the next look.
        const sentence = maskText(reasonOf(error), life.facts?.variables.secrets ?? []);
        parts.log.warn(`session ${life.run.sessionId}: ${verdict.kind} failed: ${sentence}`);
        return null;
      });
      if (closing) return closing;
      await life.rest(limits.lookGapMs, limits.beatMs);
    }
  } finally {
    unwatch();
    life.endTurn();
  }
}

/** Never waited for: while the database is away this takes as long as that lasts, and the looks have to go on. */
export function tell({ pool, log }: FollowParts, life: Life, progress: Progress): void {
  life.isTelling = true;
  pool()
    .progress(life.run, progress)
    .catch((error: unknown) => log.warn(`session ${life.run.sessionId}: not written: ${reasonOf(error)}`))
    .finally(() => {
      life.isTelling = false;
    });
}

type OutputNews = Pick<Progress, "lastAction" | "outputBytes" | "lastOutputAt">;

/**
 * What is new in the output since the last call: the last line, and when it came. Null when there is nothing, or nothing
 * but more of the same that was told of a moment ago: boards are not flooded by an agent that repeats itself. Once it has
 * fallen silent, its last word is told with its true time.
 */
export async function outputNews(
  runner: Runner,
  life: Life,
  writesEveryMs: number,
  now: number,
): Promise<OutputNews | null> {
  // Of an attempt that was found again nobody knows yet how its agent speaks: its lines might be none for people.
  if (life.facts === null) return null;
  const piece = await life.tail.newest();
  if (piece !== null) life.hasUntoldOutput = true;
  if (!life.hasUntoldOutput) return null;
  const lastAction = piece && (await actionIn(life, piece));
  const isNewAction = lastAction !== null && lastAction !== life.lastAction;
  const everyMs = Math.min(writesEveryMs, life.facts.quietNoticeMs / 2);
  const isDue = life.outputToldAt === null || now - life.outputToldAt >= everyMs;
  if (!isNewAction && !isDue) return null;
  const { lastAt } = await runner.extent(life.run);
  life.outputToldAt = now;
  life.hasUntoldOutput = false;
  if (isNewAction) life.lastAction = lastAction;
  return {
    outputBytes: life.tail.offset,
    ...(isNewAction ? { lastAction } : {}),
    ...(lastAt === null ? {} : { lastOutputAt: lastAt }),
  };
}

/** Of an agent with a protocol its last line says nothing to people. */
async function actionIn(life: Life, piece: Uint8Array): Promise<string | null> {
  return life.summaryTail === null ? lastActionOf(piece) : (await life.summaryTail.catchUp()).lastAction;
}

async function look(runner: Runner, life: Life, withinMs: number): Promise<Probe> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<Probe>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "unknown", reason: "no answer in time" }), withinMs);
  });
  const answer = runner
    .probe(life.run)
    .catch((error: unknown): Probe => ({ kind: "unknown", reason: reasonOf(error) }));
  const seen = await Promise.race([answer, silence]);
  clearTimeout(timer);
  return seen;
}

async function act(
  parts: FollowParts,
  limits: FollowLimits,
  life: Life,
  verdict: Verdict,
  seen: Probe,
): Promise<Closing | null> {
  const { runner } = parts;
  switch (verdict.kind) {
    case "follow":
      if (life.isStopping || life.isUnanswered) await press(parts, limits, life);
      else await tend(parts, limits, life, seen);
      return null;
    case "wait":
      return life.isDeclaredLost && seen.kind === "unknown" ? { kind: "lost" } : null;
    case "finish":
      return { kind: "ended", ending: verdict.ending };
    case "lost":
      return { kind: "lost" };
    case "end-tree":
      await runner.endTree(life.run);
      life.wake();
      return null;
    case "give-up":
      // False: the host claimed first; the next look finds it.
      if (!(await runner.giveUp(life.run))) return null;
      await runner.endTree(life.run);
      return life.claimUntil > 0 && !life.isStopping ? HOST_DID_NOT_COME : life.notStarted;
    default:
      return verdict satisfies never;
  }
}

const HOST_DID_NOT_COME: NotStarted = {
  kind: "not-started",
  sentence: "The agent's host did not come up in time.",
  mayRetry: true,
};

/** The host lives: tells that the agent is up, and what it did last. */
async function tend(parts: FollowParts, limits: FollowLimits, life: Life, seen: Probe): Promise<void> {
  if (seen.kind === "present" && seen.isUp) tellWhatItDoes(parts, life, seen.question);
  const now = parts.clock.monotonic();
  if (life.question !== null) await waitForAnswer(parts, life, now);
  // One at a time, so that nothing piles up while nothing can be written.
  if (life.isTelling || now - life.lastActionAt < limits.lastActionEveryMs) return;
  life.lastActionAt = now;
  const news = await outputNews(parts.runner, life, limits.writesEveryMs, now);
  const isAdopted = life.isNewlyAdopted && seen.kind === "present";
  if (news === null && !isAdopted) return;
  if (isAdopted) life.isNewlyAdopted = false;
  tell(parts, life, { ...news, ...(isAdopted ? { isAdopted } : {}) });
}

function tellWhatItDoes(parts: FollowParts, life: Life, question: Question | null): void {
  const phase = question === null ? "working" : "asking";
  if (phase === life.phase && question?.id === life.question?.id) return;
  tell(parts, life, { phase, question });
  life.phase = phase;
  life.question = question;
  life.answerUntil = null;
}

/** Counted in this server's own time: while nobody could have answered, because there was no server, nobody is late. */
async function waitForAnswer({ answerWithinMs }: FollowParts, life: Life, now: number): Promise<void> {
  life.answerUntil ??= now + (await answerWithinMs());
  if (now < life.answerUntil) return;
  life.isUnanswered = true;
  life.wake();
}

/** Is to stop: by its host first; when that does not answer, from outside. */
async function press(parts: FollowParts, limits: FollowLimits, life: Life): Promise<void> {
  const now = parts.clock.monotonic();
  if (life.stopAskedAt === null) {
    await (life.isStopping ? parts.runner.stop(life.run) : parts.runner.stop(life.run, "no-answer"));
    life.stopAskedAt = now;
  } else if (now - life.stopAskedAt > limits.forceAfterMs) {
    await parts.runner.endTree(life.run);
    life.wake();
  }
}
