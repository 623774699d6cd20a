/**
 * A session's last steps: save the work, then give the slot back with the true ending. Order not to break: nothing is
 * released before its work is saved or known to be unsaved (W2), and what was released stays released (P9).
 * The ending lies in the run folder until the release is written, so a database that is away delays and loses nothing (R10).
 */
import { type Leavings, NOTHING_LEFT } from "../../core/session/lifecycle";
import { maskText } from "../../core/text/masking";
import { reasonOf } from "../../core/text/reason";
import { longerThan } from "../../core/text/time-limit";
import { type AttemptRef, WORKTREE_GONE } from "../../core/words";
import type { SessionFacts } from "../../ports/session-record";
import type { Saved, Workspace } from "../../ports/workspace";

/** Spec 4: the phase `saving` takes at most this long. */
export const SAVE_WITHIN_MS = 60_000;
/** Pauses between two tries while the database is away, doubling from the first to the second. */
const RETRY_PAUSE_MIN_MS = 100;
const RETRY_PAUSE_MAX_MS = 2_000;
/** Answers other than "try again" that a write may get before it counts as a bug. */
const FAILURES_MAX = 5;
/** First line of a commit in characters. */
const SUBJECT_MAX = 72;

type SavedWork = Pick<Leavings, "workUnsaved" | "leftOut" | "headCommit" | "files" | "additions" | "deletions">;

/** Never throws: what cannot be saved stays in the worktree, and the session says so. */
export async function saveWork(
  workspace: Pick<Workspace, "save">,
  facts: SessionFacts | null,
  run: AttemptRef,
  withinMs: number,
): Promise<SavedWork> {
  if (!facts?.worktree || !facts.branch || !facts.baseCommit) return NOTHING_LEFT;
  const { repository, worktree, branch, baseCommit, baseBranch } = facts;
  try {
    const message = commitMessage(facts, run);
    const saving = workspace.save({ repository, worktree, branch, baseCommit, baseBranch, message });
    const saved = await within(saving, withinMs);
    return saved === "too-late" ? unsaved(longerThan("Saving the work", withinMs)) : told(saved);
  } catch (error) {
    return unsaved(maskText(reasonOf(error), facts.variables.secrets));
  }
}

/**
 * Tries until the rows could be reached or `isOver`; then null. A database that is away is waited for without end: the
 * slot cannot be given to anybody meanwhile either.
 */
export async function untilReached<T>(
  reach: () => Promise<T>,
  isOver: () => boolean,
  isAway: (error: unknown) => boolean,
  pause: (ms: number) => Promise<void>,
): Promise<T | null> {
  let failures = 0;
  let pauseMs = RETRY_PAUSE_MIN_MS;
  while (!isOver()) {
    try {
      return await reach();
    } catch (error) {
      if (!isAway(error)) failures += 1;
      if (failures >= FAILURES_MAX) throw error;
      await pause(pauseMs);
      pauseMs = Math.min(RETRY_PAUSE_MAX_MS, pauseMs * 2);
    }
  }
  return null;
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | "too-late"> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<"too-late">((resolve) => {
    timer = setTimeout(() => resolve("too-late"), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
    // Whoever came too late may still fail; nobody listens any more.
    work.catch(() => {});
  }
}

function told({ leftOut, headCommit, files, additions, deletions, isWorktreeGone }: Saved): SavedWork {
  return { workUnsaved: isWorktreeGone ? WORKTREE_GONE : null, leftOut, headCommit, files, additions, deletions };
}

function unsaved(sentence: string): SavedWork {
  return { ...NOTHING_LEFT, workUnsaved: sentence };
}

function commitMessage({ title, number, agent }: SessionFacts, run: AttemptRef): string {
  const line = Array.from(title.replace(/\s+/g, " ").trim());
  const subject = line.length <= SUBJECT_MAX ? line.join("") : `${line.slice(0, SUBJECT_MAX - 1).join("")}…`;
  return `${subject}\n\nWork of ${agent.name} on task #${number}, session ${run.sessionId}, attempt ${run.attempt}.`;
}
