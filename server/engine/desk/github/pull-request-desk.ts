/**
 * A task's pull request (W4): opened, found again, and read back. Order not to break: the branch is pushed, then GitHub has
 * the pull request, then the row is written, then the card is Done. Whatever dies in between, the same press finds the open
 * one. What GitHub says of it is written only after the card stands where that puts it, so that a look that was cut off is
 * made again.
 */
import { iso } from "../../../contract/common";
import type { PullRequestDetails } from "../../../contract/pull-requests";
import type { TaskId, UserId } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { Feed } from "../../../ports/feed";
import type { GitHub, GitHubPlace, GitHubRefused, PullRequest } from "../../../ports/github";
import type { ProjectStore } from "../../../ports/project-store";
import type { ProjectGitHubStore, PullRequestStore, StoredPullRequest } from "../../../ports/pull-request-store";
import type { Remotes } from "../../../ports/remotes";
import type { Outcome, StoredCard, TaskStore } from "../../../ports/task-store";
import { type Refusal, refuse } from "../refusal";
import { branchOf, type Ready, type ReviewSteps } from "../review/review-steps";
import type { SeenTask } from "../task-moves";
import { type OutOfReach, type Place, placeFor, refusedAs, tokenOf } from "./github-place";
import { pullRequestBody, pullRequestTitle } from "./pull-request-text";

export interface PullRequestDeskParts {
  readonly steps: ReviewSteps;
  readonly tasks: Pick<TaskStore, "card">;
  readonly projects: Pick<ProjectStore, "project">;
  readonly gitHub: Pick<ProjectGitHubStore, "read">;
  readonly pullRequests: PullRequestStore;
  readonly gitHubApi: GitHub;
  readonly workspace: Remotes;
  readonly cards: { task(id: TaskId): Promise<SeenTask | Refusal> };
  readonly feed: Feed;
  readonly clock: Clock;
}

export type PullRequestDesk = ReturnType<typeof createPullRequestDesk>;

export function createPullRequestDesk(parts: PullRequestDeskParts) {
  const { steps, gitHubApi, pullRequests, clock, feed } = parts;

  async function request(userId: UserId, id: TaskId, isDraft: boolean): Promise<SeenTask | Refusal> {
    const ready = await steps.readyOf(id);
    if (ready.kind === "refused") return ready;
    const { task, project } = ready;
    const own = branchOf(task);
    if (own === null) return nothingToRequest("There is nothing to request: no session has worked on it yet.");
    if (task.outcome?.kind === "merged") {
      return refuse("CONFLICT", `It was merged into ${task.outcome.base} already: there is nothing to request.`);
    }
    const to = await placeFor(parts, project);
    if (to.kind === "refused") return refused(to);
    const unsaved = (await steps.saveFirst(ready, own)) ?? (await steps.push(ready, own, "branch"));
    if (unsaved !== null) return unsaved;
    const known = await openOrMerged(to.place, id);
    if (known?.kind === "refused") return refused(known);
    const made = known ?? (await openNew(ready, to, own.branch, isDraft));
    if (made.kind === "refused") return refused(made);
    await keep(userId, id, to.place, made);
    feed.tasksChanged(project.id, [id]);
    return steps.settle(ready, made.state === "merged" ? "merged" : "requested", userId, outcomeOf(made, userId));
  }

  /** The one that is known, while it is open or was merged since; null: another one is to be looked for. */
  async function openOrMerged(place: GitHubPlace, id: TaskId): Promise<PullRequest | GitHubRefused | null> {
    const row = await pullRequests.ofTask(id);
    if (row?.state !== "open" || row.repository !== place.repository || row.apiUrl !== place.apiUrl) return null;
    const read = await gitHubApi.read(place, row.number);
    if (read.kind === "refused") return read.reason === "not-found" ? null : read;
    return read.state === "closed" ? null : read;
  }

  async function openNew({ task }: Ready, { place, base }: Place, head: string, isDraft: boolean) {
    const found = await gitHubApi.findOpen(place, head);
    if (found !== null) return found;
    const card = await parts.tasks.card(task.id);
    const body = pullRequestBody(task, card?.sessionCount ?? 1, card === null ? null : closedBy(card, place));
    return gitHubApi.open(place, { head, base, title: pullRequestTitle(task.title), body, isDraft });
  }

  async function keep(userId: UserId, taskId: TaskId, { apiUrl, repository }: GitHubPlace, made: PullRequest) {
    const { number, url, base, state, isDraft } = made;
    const at = clock.now();
    const before = await pullRequests.ofTask(taskId);
    const isSame = before?.number === number && before.repository === repository;
    const first = isSame ? before : { openedBy: userId, openedAt: at, review: null, changedAt: at, readAt: null };
    const { openedBy, openedAt, review, readAt } = first;
    const isNews = isSame && (before.state !== state || before.isDraft !== isDraft);
    const seen = { state, isDraft, openedBy, openedAt, review, readAt, problem: null };
    await pullRequests.put({
      taskId,
      apiUrl,
      repository,
      number,
      url,
      base,
      ...seen,
      changedAt: isNews ? at : first.changedAt,
    });
  }

  /** Reads it on GitHub and puts the card where that says. What went wrong is kept beside what was read before. */
  async function look(row: StoredPullRequest): Promise<OutOfReach | null> {
    const project = await parts.projects.project(row.projectId);
    if (project === null) return null;
    const token = await tokenOf(parts, project);
    if (typeof token !== "string") return token;
    const place = { apiUrl: row.apiUrl, repository: row.repository, token };
    const read = await gitHubApi.read(place, row.number);
    const review = read.kind === "refused" ? read : await gitHubApi.review(place, read);
    if (read.kind === "refused" || "kind" in review) {
      const why = read.kind === "refused" ? read : (review as GitHubRefused);
      await write(row, { ...row, problem: why.message });
      return why;
    }
    const isLeft = await follow(row, read);
    // Its session goes first: the next look finds the same again.
    const state = isLeft ? row.state : read.state;
    await write(row, { ...row, state, isDraft: read.isDraft, review, problem: null });
    return null;
  }

  async function write(row: StoredPullRequest, seen: StoredPullRequest): Promise<void> {
    const at = clock.now();
    const isNews = shownOf(row) !== shownOf(seen);
    const changedAt = isNews ? at : row.changedAt;
    await pullRequests.saw(row.taskId, row.number, { ...seen, changedAt, readAt: at });
    if (isNews) feed.tasksChanged(row.projectId, [row.taskId]);
  }

  /** Merged there is merged here, closed there is in Review again. True: a session waits or works, and nothing was moved. */
  async function follow(row: StoredPullRequest, read: PullRequest): Promise<boolean> {
    if (read.state === row.state) return false;
    const card = await parts.tasks.card(row.taskId);
    const outcome = card?.task.outcome?.kind ?? null;
    const made = read.state === "merged" ? "merged" : read.state === "closed" ? "restored" : "requested";
    if (outcome === "merged" || (made === "restored" && outcome !== "requested")) return false;
    const ready = await steps.readyOf(row.taskId);
    if (ready.kind === "refused") return ready.code === "SESSION_LIVE";
    const settled = await steps.settle(
      ready,
      made,
      row.openedBy,
      made === "restored" ? undefined : outcomeOf(read, row.openedBy),
    );
    return settled.kind === "refused" && settled.code === "SESSION_LIVE";
  }

  function outcomeOf({ state, mergeCommit, base }: PullRequest, by: UserId): Outcome {
    const kind = state === "merged" ? "merged" : "requested";
    return { kind, at: clock.now(), by, commit: mergeCommit, base };
  }

  const details = async (id: TaskId) => detailsOf(await pullRequests.ofTask(id));

  return {
    request: (userId: UserId, id: TaskId, isDraft: boolean) => steps.inTurn(id, () => request(userId, id, isDraft)),
    details,
    /** On demand, also of one that is closed: it may have been opened again. */
    async refresh(id: TaskId): Promise<PullRequestDetails | null | Refusal> {
      const why = await steps.inTurn(id, async () => {
        const row = await pullRequests.ofTask(id);
        return row === null ? null : look(row);
      });
      return why === null ? details(id) : refused(why);
    },
    /** For the beat: null when it was read. */
    look: (row: StoredPullRequest) =>
      steps.inTurn(row.taskId, async () => {
        const now = await pullRequests.ofTask(row.taskId);
        return now === null || now.state !== "open" ? null : look(now);
      }),
  };
}

/** The number of the issue that it came from, where that is in the same repository. */
function closedBy({ issue }: StoredCard, { apiUrl, repository }: GitHubPlace): number | null {
  const isHere = issue?.apiUrl === apiUrl && issue.repository.toLowerCase() === repository.toLowerCase();
  return isHere ? issue.number : null;
}

function refused(why: OutOfReach): Refusal {
  return refusedAs("PULL_REQUEST_REFUSED", why);
}

function nothingToRequest(message: string): Refusal {
  return refused({ kind: "refused", reason: "nothing-to-request", message });
}

/** What one sees of it. By name, because the row gives fields back in an order of its own. */
function shownOf({ state, isDraft, review, problem }: StoredPullRequest): string {
  const checks = review?.checks?.map(({ name, state: is, url }) => [name, is, url]);
  const comments = review?.comments?.map(({ id, text, path, line }) => [id, text, path, line]);
  return JSON.stringify([state, isDraft, checks ?? null, comments ?? null, problem]);
}

function detailsOf(row: StoredPullRequest | null): PullRequestDetails | null {
  if (row === null) return null;
  const { number, url, state, isDraft, repository, base, openedBy, openedAt, review, changedAt, readAt, problem } = row;
  return {
    number,
    url,
    state,
    isDraft,
    repository,
    base,
    openedBy,
    problem,
    openedAt: iso(openedAt),
    changedAt: iso(changedAt),
    readAt: readAt === null ? null : iso(readAt),
    checks: review?.checks?.map((check) => ({ ...check })) ?? null,
    comments: review?.comments?.map((comment) => ({ ...comment, at: iso(comment.at) })) ?? null,
  };
}
