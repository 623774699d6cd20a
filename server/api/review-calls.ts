/** `/tasks/{id}/merge` and its like: how a review ends. */
import type { TaskId, UserId } from "../core/words";
import type { PullRequestDesk } from "../engine/desk/github/pull-request-desk";
import type { Refusal } from "../engine/desk/refusal";
import type { ReviewDesk } from "../engine/desk/review/review-desk";
import type { SeenTask } from "../engine/desk/task-moves";
import type { Calls } from "./calls";
import { type AdmittedContext, tellVersion } from "./context";
import { answerOf } from "./errors";

export function reviewCalls({ tasks: call }: Calls, review: ReviewDesk, pullRequests: PullRequestDesk) {
  return {
    merge: call.merge.handler(({ context, input: { params, query } }) =>
      answer(context, (userId, id) => review.merge(userId, id, query?.confirm === "true"), params.id),
    ),
    discard: call.discard.handler(({ context, input }) => answer(context, review.discard, input.id)),
    restore: call.restore.handler(({ context, input }) => answer(context, review.restore, input.id)),
    push: call.push.handler(({ context, input: { id, what } }) =>
      answer(context, (_, taskId) => review.push(taskId, what ?? "branch"), id),
    ),
    requestPull: call.requestPull.handler(({ context, input: { id, draft } }) =>
      answer(context, (userId, taskId) => pullRequests.request(userId, taskId, draft ?? false), id),
    ),
    pullRequest: call.pullRequest.handler(async ({ input: { id } }) => ({
      pullRequest: await pullRequests.details(id),
    })),
    refreshPull: call.refreshPull.handler(async ({ input: { id } }) => ({
      pullRequest: answerOf(await pullRequests.refresh(id)),
    })),
  };
}

async function answer(
  context: AdmittedContext,
  act: (userId: UserId, id: TaskId) => Promise<SeenTask | Refusal>,
  id: TaskId,
) {
  const { task, snapshot } = answerOf(await act(context.caller.userId, id));
  tellVersion(context, snapshot);
  return task;
}
