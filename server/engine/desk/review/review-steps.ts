/**
 * What the ways to end a review have in common (W4): who may begin, what is saved first, and how the ending is written.
 * What ends the review of one task goes one after the other.
 */
import { shelfAfterReview } from "../../../core/task/board";
import { reasonOf } from "../../../core/text/reason";
import { tookTooLong } from "../../../core/text/time-limit";
import { isLive, type OutcomeKind, type TaskId, type UserId } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { Feed } from "../../../ports/feed";
import type { ProjectStore, StoredProject } from "../../../ports/project-store";
import type { RetentionStore } from "../../../ports/retention-store";
import type { Outcome, StoredCard, StoredTask, TaskStore } from "../../../ports/task-store";
import type { ReviewRefused, Saved, Workspace } from "../../../ports/workspace";
import { oneByOne, type UnderWay } from "../../../system/one-by-one";
import type { Pool } from "../../pool";
import { NOT_THERE, type Refusal, refuse } from "../refusal";
import type { SeenTask } from "../task-moves";
import { saveMessage } from "./merge-message";

export interface ReviewStepParts {
  readonly tasks: Pick<TaskStore, "card" | "place" | "pushed" | "workSaved">;
  readonly projects: Pick<ProjectStore, "project">;
  readonly retention: Pick<RetentionStore, "isIdle" | "worktreeGone">;
  readonly workspace: Pick<Workspace, "mendMoves" | "push" | "save" | "tidy">;
  readonly pool: Pick<Pool, "snapshot">;
  readonly cards: { task(id: TaskId): Promise<SeenTask | Refusal> };
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
}

export type ReviewSteps = ReturnType<typeof createReviewSteps>;

/** A task whose branch nobody works on. */
export interface Ready {
  readonly kind: "ready";
  readonly task: StoredTask;
  readonly project: StoredProject;
}

export interface Branch {
  readonly branch: string;
  readonly baseCommit: string;
}

export function createReviewSteps(parts: ReviewStepParts) {
  const { tasks, clock } = parts;
  /** A second press waits for the first, and for the worktree that it tidies away. */
  const underWay: UnderWay = new Map();

  async function readyOf(id: TaskId): Promise<Ready | Refusal> {
    const card = await tasks.card(id);
    const project = card && (await parts.projects.project(card.task.projectId));
    if (!card || !project) return NOT_THERE;
    const refusal = refuseLive(parts, card);
    if (refusal !== null) return refusal;
    await parts.workspace.mendMoves(project.path);
    return { kind: "ready", task: card.task, project };
  }

  /** Writes what became of it, in Done; a session that was dispatched in this moment goes before. */
  async function settle(
    { task, project }: Ready,
    made: OutcomeKind | "restored",
    by: UserId,
    outcome?: Outcome,
  ): Promise<SeenTask | Refusal> {
    const { id: taskId, projectId } = task;
    const shelfFor: Parameters<TaskStore["place"]>[0]["shelfFor"] = (card) => shelfAfterReview(card, made);
    const at = clock.now();
    const placement = { taskId, projectId, before: null, by, at, shelfFor };
    const placed = await tasks.place(outcome ? { ...placement, outcome } : placement);
    if (placed === "gone") return NOT_THERE;
    if (placed === "left") return refuse("SESSION_LIVE", DISPATCHED_MEANWHILE[made]);
    parts.feed.tasksChanged(projectId, [taskId]);
    if (made !== "restored") void oneByOne(underWay, taskId, () => tidyAway(parts, task, project.path));
    return parts.cards.task(taskId);
  }

  /** `own` and the base as the remote has them; null: it is there. */
  async function push({ task, project }: Ready, own: Branch, what: "branch" | "base"): Promise<Refusal | null> {
    const { path: repository, baseBranch } = project;
    const pushed = await parts.workspace.push({ repository, baseBranch, branch: own.branch, what });
    if (pushed.kind === "refused") return refusalOf(pushed);
    await tasks.pushed(task.id, what === "base" ? baseBranch : own.branch, clock.now());
    parts.feed.tasksChanged(project.id, [task.id]);
    return null;
  }

  return {
    inTurn: <T>(id: TaskId, act: () => Promise<T>) => oneByOne(underWay, id, act),
    readyOf,
    settle,
    push,
    saveFirst: (ready: Ready, own: Branch) => saveFirst(parts, ready, own),
  };
}

const DISPATCHED_MEANWHILE = {
  merged: "The branch was merged, and the task was dispatched again in this moment: it is not done yet.",
  requested: "The branch was offered, and the task was dispatched again in this moment: it is not done yet.",
  discarded: "The task was dispatched again in this moment.",
  restored: "The task was dispatched again in this moment.",
} as const;

function refuseLive({ pool }: ReviewStepParts, { task, newest }: StoredCard): Refusal | null {
  const live = pool.snapshot().ofTask(task.id);
  const status = live?.status ?? (newest !== null && isLive(newest.status) ? newest.status : null);
  if (status === null) return null;
  const sentence =
    status === "running"
      ? "An agent works on it: wait until it is over, or stop it."
      : "It waits in line for an agent: withdraw it first.";
  return refuse("SESSION_LIVE", sentence, { sessionId: live?.id ?? newest?.id ?? null });
}

export function branchOf({ branch, baseCommit }: StoredTask): Branch | null {
  return branch === null || baseCommit === null ? null : { branch, baseCommit };
}

/** The diff shows what lies uncommitted in the worktree as well, and what is shown is what is merged. */
async function saveFirst(
  { workspace, tasks, feed }: ReviewStepParts,
  ready: Ready,
  own: Branch,
): Promise<Refusal | null> {
  const { task, project } = ready;
  if (task.worktree === null) return null;
  const { path: repository, baseBranch } = project;
  const request = { repository, worktree: task.worktree, ...own, baseBranch, message: saveMessage(task) };
  let saved: Saved;
  try {
    saved = await workspace.save(request);
  } catch (error) {
    const reason = reasonOf(error);
    return refuse("WORK_UNSAVED", tookTooLong(reason) ? `${reason} Nothing has to be put right: try again.` : reason);
  }
  await tasks.workSaved(task.id, saved);
  // What follows may still be refused.
  feed.tasksChanged(project.id, [task.id]);
  return null;
}

export function refusalOf({ kind: _, code, message, ...named }: ReviewRefused): Refusal {
  return refuse(code, message, named);
}

/** At once instead of at the next sweep; never when something in it is unsaved (R14). */
async function tidyAway({ retention, workspace, log }: ReviewStepParts, task: StoredTask, repository: string) {
  const { id, worktree } = task;
  if (worktree === null) return;
  try {
    if (!(await retention.isIdle(id))) return;
    const isGone = await workspace.tidy({ repository, worktree, mayGo: () => retention.isIdle(id) });
    if (isGone) await retention.worktreeGone(id, worktree);
  } catch (error) {
    log.warn(`the worktree ${worktree} stays: ${reasonOf(error)}`);
  }
}
