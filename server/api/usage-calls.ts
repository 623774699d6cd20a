/** What sessions used, per task, project, person and day. */
import type { UsageDesk } from "../engine/desk/usage-desk";
import type { Calls } from "./calls";
import { answerOf } from "./errors";

export function usageCalls(calls: Calls, usage: UsageDesk) {
  const { usage: call } = calls;
  return call.router({
    ofTask: call.ofTask.handler(({ input }) => usage.ofTask(input.id)),
    ofProject: call.ofProject.handler(({ input }) => usage.ofProject(input.id, input.days)),
    ofUser: call.ofUser.handler(async ({ context, input }) =>
      answerOf(await usage.ofUser(context.caller.userId, input.id, input.days)),
    ),
  });
}
