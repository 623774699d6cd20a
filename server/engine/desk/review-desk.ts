/**
 * How a review ends (W4): the branch is merged into the base, pushed, or the work is discarded and perhaps taken up again.
 * Order not to break: what lies uncommitted in the worktree is committed, then git acts, then the row is written. Whatever
 * dies in between, the same press finds what git did already and only writes the row.
 */

import { shelfAfterReview } from "../../core/task/board";
import { reasonOf } from "../../core/text/reason";
import { isLive, type OutcomeKind, type TaskId, type UserId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { Feed } from "../../ports/feed";
import type { PeopleStore } from "../../ports/people-store";
import type { ProjectStore, StoredProject } from "../../ports/project-store";
import type { RetentionStore } from "../../ports/retention-store";
import type { Outcome, StoredCard, StoredTask, TaskStore } from "../../ports/task-store";
import type { ReviewRefused, Workspace } from "../../ports/workspace";
import type { Pool } from "../pool";
import { mergeMessage, saveMessage } from "./merge-message";
import { oneByOne, type UnderWay } from "./one-by-one";
import { NOT_THERE, type Refusal, refuse } from "./refusal";
import type { SeenTask } from "./task-moves";

export interface ReviewDeskParts {
  readonly tasks: Pick<TaskStore, "card" | "place" | "pushed" | "workSaved">;
  readonly projects: Pick<ProjectStore, "project">;
  readonly people: Pick<PeopleStore, "person">;
  readonly retention: Pick<RetentionStore, "isIdle" | "worktreeGone">;
  readonly workspace: Pick<Workspace, "merge" | "push" | "save" | "tidy">;
  readonly pool: Pick<Pool, "snapshot">;
  readonly cards: { task(id: TaskId): Promise<SeenTask | Refusal> };
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: { warn(line: string): void };
}

export type ReviewDesk = ReturnType<typeof createReviewDesk>;

/** A task whose branch nobody works on. */
interface Ready {
  readonly kind: "ready";
  readonly task: StoredTask;
  readonly project: StoredProject;
}

interface Branch {
  readonly branch: string;
  readonly baseCommit: string;
}

export function createReviewDesk(parts: ReviewDeskParts) {
  const { tasks, workspace, clock } = parts;
  /** A second press waits for the first, and for the worktree that it tidies away. */
  const underWay: UnderWay = new Map();

  async function readyOf(id: TaskId): Promise<Ready | Refusal> {
    const card = await tasks.card(id);
    const project = card && (await parts.projects.project(card.task.projectId));
    if (!card || !project) return NOT_THERE;
    return refuseLive(parts, card) ?? { kind: "ready", task: card.task, project };
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

  const verbs = {
    async merge(userId: UserId, id: TaskId): Promise<SeenTask | Refusal> {
      const ready = await readyOf(id);
      if (ready.kind === "refused") return ready;
      const { task, project } = ready;
      const own = branchOf(task);
      if (own === null)
        return refuse("NOTHING_TO_MERGE", "There is nothing to merge: no session has worked on it yet.");
      const unsaved = await saveFirst(parts, ready, own);
      if (unsaved !== null) return unsaved;
      const { path: repository, baseBranch } = project;
      const author = await authorOf(parts, userId);
      const message = mergeMessage(task, own.branch);
      const merged = await workspace.merge({ repository, baseBranch, ...own, message, author });
      if (merged.kind === "refused") return refusalOf(merged);
      const { commit } = merged;
      return settle(ready, "merged", userId, { kind: "merged", at: clock.now(), by: userId, commit, base: baseBranch });
    },
    async push(id: TaskId, what: "branch" | "base"): Promise<SeenTask | Refusal> {
      const ready = await readyOf(id);
      if (ready.kind === "refused") return ready;
      const { task, project } = ready;
      const own = branchOf(task);
      if (own === null) return refuse("PUSH_REFUSED", "There is nothing to push: no session has worked on it yet.");
      const unsaved = what === "base" ? null : await saveFirst(parts, ready, own);
      if (unsaved !== null) return unsaved;
      const { path: repository, baseBranch } = project;
      const pushed = await workspace.push({ repository, baseBranch, branch: own.branch, what });
      if (pushed.kind === "refused") return refusalOf(pushed);
      await tasks.pushed(id, clock.now());
      parts.feed.tasksChanged(project.id, [id]);
      return parts.cards.task(id);
    },
    async discard(userId: UserId, id: TaskId): Promise<SeenTask | Refusal> {
      const ready = await readyOf(id);
      if (ready.kind === "refused") return ready;
      const { outcome } = ready.task;
      if (outcome?.kind === "merged") {
        return refuse("CONFLICT", `It was merged into ${outcome.base}: there is nothing left to discard.`);
      }
      if (outcome !== null) return parts.cards.task(id);
      const discarded = { kind: "discarded", at: clock.now(), by: userId, commit: null, base: null } as const;
      return settle(ready, "discarded", userId, discarded);
    },
    async restore(userId: UserId, id: TaskId): Promise<SeenTask | Refusal> {
      const ready = await readyOf(id);
      if (ready.kind === "refused") return ready;
      const { outcome } = ready.task;
      if (outcome?.kind === "merged") return refuse("CONFLICT", `It was merged into ${outcome.base}, not discarded.`);
      return outcome === null ? parts.cards.task(id) : settle(ready, "restored", userId);
    },
  };

  return {
    merge: (userId: UserId, id: TaskId) => oneByOne(underWay, id, () => verbs.merge(userId, id)),
    push: (id: TaskId, what: "branch" | "base") => oneByOne(underWay, id, () => verbs.push(id, what)),
    discard: (userId: UserId, id: TaskId) => oneByOne(underWay, id, () => verbs.discard(userId, id)),
    restore: (userId: UserId, id: TaskId) => oneByOne(underWay, id, () => verbs.restore(userId, id)),
  };
}

const DISPATCHED_MEANWHILE = {
  merged: "The branch was merged, and the task was dispatched again in this moment: it is not done yet.",
  discarded: "The task was dispatched again in this moment.",
  restored: "The task was dispatched again in this moment.",
} as const;

function refuseLive({ pool }: ReviewDeskParts, { task, newest }: StoredCard): Refusal | null {
  const live = pool.snapshot().ofTask(task.id);
  const status = live?.status ?? (newest !== null && isLive(newest.status) ? newest.status : null);
  if (status === null) return null;
  const sentence =
    status === "running"
      ? "An agent works on it: wait until it is over, or stop it."
      : "It waits in line for an agent: withdraw it first.";
  return refuse("SESSION_LIVE", sentence, { sessionId: live?.id ?? newest?.id ?? null });
}

function branchOf({ branch, baseCommit }: StoredTask): Branch | null {
  return branch === null || baseCommit === null ? null : { branch, baseCommit };
}

/** The diff shows what lies uncommitted in the worktree as well, and what is shown is what is merged. */
async function saveFirst({ workspace, tasks }: ReviewDeskParts, ready: Ready, own: Branch): Promise<Refusal | null> {
  const { task, project } = ready;
  if (task.worktree === null) return null;
  const { path: repository, baseBranch } = project;
  const request = { repository, worktree: task.worktree, ...own, baseBranch, message: saveMessage(task) };
  try {
    await workspace.save(request);
  } catch (error) {
    return refuse("WORK_UNSAVED", reasonOf(error));
  }
  await tasks.workSaved(task.id);
  return null;
}

async function authorOf({ people }: ReviewDeskParts, userId: UserId) {
  const person = await people.person(userId);
  return { name: person?.name ?? "", email: person?.email ?? "" };
}

function refusalOf({ code, message, path, files }: ReviewRefused): Refusal {
  return refuse(code, message, { ...(path === undefined ? {} : { path }), ...(files === undefined ? {} : { files }) });
}

/** At once instead of at the next sweep; never when something in it is unsaved (R14). */
async function tidyAway({ retention, workspace, log }: ReviewDeskParts, task: StoredTask, repository: string) {
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
