/**
 * How a review ends (W4): the branch is merged into the base, pushed, or the work is discarded and perhaps taken up again.
 * Order not to break: what lies uncommitted in the worktree is committed, then git acts, then the row is written. Whatever
 * dies in between, the same press finds what git did already and only writes the row.
 */
import type { TaskId, UserId } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { PeopleStore } from "../../../ports/people-store";
import type { Workspace } from "../../../ports/workspace";
import { type Refusal, refuse } from "../refusal";
import type { SeenTask } from "../task-moves";
import { mergeMessage } from "./merge-message";
import { branchOf, type ReviewSteps, refusalOf } from "./review-steps";

export interface ReviewDeskParts {
  readonly steps: ReviewSteps;
  readonly people: Pick<PeopleStore, "person">;
  readonly workspace: Pick<Workspace, "isMerged" | "merge">;
  readonly cards: { task(id: TaskId): Promise<SeenTask | Refusal> };
  readonly clock: Clock;
}

export type ReviewDesk = ReturnType<typeof createReviewDesk>;

export function createReviewDesk(parts: ReviewDeskParts) {
  const { steps, workspace, clock } = parts;
  const { readyOf, settle, saveFirst } = steps;

  const verbs = {
    async merge(userId: UserId, id: TaskId, isConfirmed: boolean): Promise<SeenTask | Refusal> {
      const ready = await readyOf(id);
      if (ready.kind === "refused") return ready;
      const { task, project } = ready;
      const own = branchOf(task);
      if (own === null)
        return refuse("NOTHING_TO_MERGE", "There is nothing to merge: no session has worked on it yet.");
      const unsaved = await saveFirst(ready, own);
      if (unsaved !== null) return unsaved;
      const { path: repository, baseBranch } = project;
      const author = await authorOf(parts, userId);
      const message = mergeMessage(task, own.branch);
      const merged = await workspace.merge({
        repository,
        baseBranch,
        ...own,
        message,
        author,
        mayLeaveMarks: isConfirmed,
      });
      if (merged.kind === "refused") return refusalOf(merged);
      const { commit } = merged;
      return settle(ready, "merged", userId, { kind: "merged", at: clock.now(), by: userId, commit, base: baseBranch });
    },
    async push(id: TaskId, what: "branch" | "base"): Promise<SeenTask | Refusal> {
      const ready = await readyOf(id);
      if (ready.kind === "refused") return ready;
      const own = branchOf(ready.task);
      if (own === null) return refuse("PUSH_REFUSED", "There is nothing to push: no session has worked on it yet.");
      const unsaved = what === "base" ? null : await saveFirst(ready, own);
      return unsaved ?? (await steps.push(ready, own, what)) ?? parts.cards.task(id);
    },
    async discard(userId: UserId, id: TaskId): Promise<SeenTask | Refusal> {
      const ready = await readyOf(id);
      if (ready.kind === "refused") return ready;
      const { outcome } = ready.task;
      if (outcome?.kind === "merged") {
        return refuse("CONFLICT", `It was merged into ${outcome.base}: there is nothing left to discard.`);
      }
      if (outcome?.kind === "discarded") return parts.cards.task(id);
      const own = branchOf(ready.task);
      const { path: repository, baseBranch } = ready.project;
      if (own !== null && (await workspace.isMerged({ repository, baseBranch, ...own }))) {
        const already = `${baseBranch} has all of its branch already, so it counts as merged and cannot be discarded.`;
        return refuse("CONFLICT", `${already} “Merge” only writes that down.`);
      }
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
    /** `isConfirmed`: yes, also with marks of a conflict in files; else those are named (409 `CONFIRM`). */
    merge: (userId: UserId, id: TaskId, isConfirmed: boolean) =>
      steps.inTurn(id, () => verbs.merge(userId, id, isConfirmed)),
    push: (id: TaskId, what: "branch" | "base") => steps.inTurn(id, () => verbs.push(id, what)),
    discard: (userId: UserId, id: TaskId) => steps.inTurn(id, () => verbs.discard(userId, id)),
    restore: (userId: UserId, id: TaskId) => steps.inTurn(id, () => verbs.restore(userId, id)),
  };
}

async function authorOf({ people }: ReviewDeskParts, userId: UserId) {
  const person = await people.person(userId);
  return { name: person?.name ?? "", email: person?.email ?? "" };
}
