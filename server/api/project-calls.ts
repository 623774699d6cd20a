/** `/projects` and their members. */
import type { ProjectDesk } from "../engine/project-desk";
import type { Calls } from "./calls";
import { standingOf } from "./context";
import { answerOf } from "./errors";

export function projectCalls(calls: Calls, projects: ProjectDesk) {
  const { projects: call } = calls;
  return call.router({
    list: call.list.handler(({ context, input }) => projects.list(context.caller.userId, input.after ?? null)),
    create: call.create.handler(async ({ context, input }) =>
      answerOf(await projects.create(context.caller.userId, input)),
    ),
    get: call.get.handler(async ({ context, input }) =>
      answerOf(await projects.project(input.id, standingOf(context).role)),
    ),
    change: call.change.handler(async ({ context, input: { id, ...settings } }) =>
      answerOf(await projects.change(id, standingOf(context).role, settings)),
    ),
    remove: call.remove.handler(async ({ context, input: { params, query } }) => {
      answerOf(await projects.remove(context.caller.userId, params.id, query?.confirm === "true"));
      return { id: params.id };
    }),
    members: call.members.handler(({ input }) => projects.members(input.id, input.after ?? null)),
    setMember: call.setMember.handler(async ({ input }) =>
      answerOf(await projects.setMember(input.id, input.userId, input.role)),
    ),
    removeMember: call.removeMember.handler(async ({ context, input: { params, query } }) => {
      const { id, userId } = params;
      answerOf(await projects.removeMember(context.caller.userId, id, userId, query?.confirm === "true"));
      return { id: userId };
    }),
  });
}
