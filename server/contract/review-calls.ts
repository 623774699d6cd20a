/** The contract's calls that end a review (W4): merge, push, discard, and back from the branch. */
import { z } from "zod";
import { byId, call, confirm, taskMember } from "./call";
import { pullRequestOfTask } from "./pull-requests";
import { refusalErrors } from "./refusals";
import { PUSHED_BRANCHES, task } from "./tasks";

/** 409s that each of them may answer; `WORK_UNSAVED`: what is in the worktree could not be committed. */
const REVIEW_REFUSALS = ["CONFLICT", "SESSION_LIVE", "WORK_UNSAVED", "REPOSITORY_UNUSABLE"] as const;

export const reviewCalls = {
  merge: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/tasks/{id}/merge",
      inputStructure: "detailed",
      summary:
        "Merge the task's branch into the base; harmless twice. `MERGE_CONFLICT` names `files` and for each its kind of conflict in `kinds`, `BASE_NOT_CLEAN` names `path` and `files`, `CONFIRM` names `files` that would bring conflict marks into the base",
    })
    .errors(refusalErrors("MERGE_CONFLICT", "BASE_NOT_CLEAN", "NOTHING_TO_MERGE", "CONFIRM", ...REVIEW_REFUSALS))
    .input(z.object({ params: byId, query: confirm.optional(), body: z.strictObject({}).optional() }))
    .output(task),
  push: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/tasks/{id}/push",
      summary: "Send the task's branch, or the base, to the remote; never forced",
    })
    .errors(refusalErrors("PUSH_REFUSED", "BASE_NOT_CLEAN", ...REVIEW_REFUSALS))
    .input(byId.extend({ what: z.enum(PUSHED_BRANCHES).optional() }))
    .output(task),
  requestPull: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/tasks/{id}/pull-request",
      summary:
        "Push the task's branch and open a pull request on GitHub; the open one is answered. `PULL_REQUEST_REFUSED` has `reason`, and `until` for a rate limit",
    })
    .errors(refusalErrors("PULL_REQUEST_REFUSED", "PUSH_REFUSED", ...REVIEW_REFUSALS))
    .input(byId.extend({ draft: z.boolean().optional() }))
    .output(task),
  pullRequest: call
    .meta({ need: taskMember, scope: "read" })
    .route({
      method: "GET",
      path: "/tasks/{id}/pull-request",
      summary: "The task's pull request with its checks and comments, as they were read last",
    })
    .input(byId)
    .output(pullRequestOfTask),
  refreshPull: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/tasks/{id}/pull-request/refresh",
      summary: "Read the pull request on GitHub now; merged goes to Done, closed to Review",
    })
    .errors(refusalErrors("PULL_REQUEST_REFUSED", "CONFLICT"))
    .input(byId)
    .output(pullRequestOfTask),
  discard: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({ method: "POST", path: "/tasks/{id}/discard", summary: "To Done without a merge; the branch stays" })
    .errors(refusalErrors(...REVIEW_REFUSALS))
    .input(byId)
    .output(task),
  restore: call
    .meta({ need: taskMember, scope: "dispatch" })
    .route({ method: "POST", path: "/tasks/{id}/restore", summary: "A discarded task back to Review, from its branch" })
    .errors(refusalErrors(...REVIEW_REFUSALS))
    .input(byId)
    .output(task),
};
