/** `/tasks`: cards, moving and dispatching them, their sessions, their diff, and how their review ends. */
import type { PullRequestDesk } from "../engine/desk/github/pull-request-desk";
import type { ReviewDesk } from "../engine/desk/review/review-desk";
import type { SessionDesk } from "../engine/desk/session-desk";
import type { TaskDesk } from "../engine/desk/task-desk";
import type { Calls } from "./calls";
import { tellVersion } from "./context";
import { answerOf } from "./errors";
import { reviewCalls } from "./review-calls";

const NOT_MADE_STATUS = 200;

export function taskCalls(
  calls: Calls,
  tasks: TaskDesk,
  sessions: SessionDesk,
  review: ReviewDesk,
  pullRequests: PullRequestDesk,
) {
  const { tasks: call } = calls;
  return call.router({
    list: call.list.handler(async ({ context, input }) => {
      const { items, next, snapshot } = await tasks.list(input.id, input.after ?? null);
      tellVersion(context, snapshot);
      return { items, next };
    }),
    create: call.create.handler(async ({ context, input: { params, headers, body } }) => {
      const key = headers?.["idempotency-key"] ?? null;
      const { task, snapshot, existing } = answerOf(await tasks.create(context.caller.userId, params.id, body, key));
      if (existing) context.reply.status = NOT_MADE_STATUS;
      tellVersion(context, snapshot);
      return task;
    }),
    get: call.get.handler(async ({ context, input }) => {
      const { task, snapshot } = answerOf(await tasks.task(input.id));
      tellVersion(context, snapshot);
      return task;
    }),
    change: call.change.handler(async ({ context, input: { id, ...change } }) => {
      const { task, snapshot } = answerOf(await tasks.change(id, change));
      tellVersion(context, snapshot);
      return task;
    }),
    remove: call.remove.handler(async ({ context, input: { params, query } }) => {
      answerOf(await tasks.remove(context.caller.userId, params.id, query?.confirm === "true"));
      return { id: params.id };
    }),
    move: call.move.handler(async ({ context, input: { params, query, body } }) => {
      const wish = { ...body, isConfirmed: query?.confirm === "true" };
      const { task, snapshot } = answerOf(await tasks.move(context.caller.userId, params.id, wish));
      tellVersion(context, snapshot);
      return task;
    }),
    dispatch: call.dispatch.handler(async ({ context, input: { params, headers, body } }) => {
      const key = headers?.["idempotency-key"] ?? null;
      const dispatched = answerOf(await sessions.dispatch(context.caller.userId, params.id, body ?? {}, key));
      const { session, position, existing, snapshot } = dispatched;
      if (existing) context.reply.status = NOT_MADE_STATUS;
      tellVersion(context, snapshot);
      return { session, position, existing };
    }),
    sessions: call.sessions.handler(async ({ context, input }) => {
      const { items, next, snapshot } = await tasks.sessions(input.id, input.after ?? null);
      tellVersion(context, snapshot);
      return { items, next };
    }),
    diff: call.diff.handler(async ({ input }) => {
      const { branch, baseBranch, files } = answerOf(await tasks.diff(input.id, input.path));
      return { branch, baseBranch, files };
    }),
    base: call.base.handler(async ({ input }) => {
      const { behind, passedOver } = answerOf(await tasks.mergeOutlook(input.id));
      return { behind, passedOver: [...passedOver] };
    }),
    ...reviewCalls(calls, review, pullRequests),
  });
}
