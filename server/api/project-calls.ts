/** `/projects`, their members, and what they give their agents. */
import type { DiskUseDesk } from "../engine/desk/disk-use-desk";
import type { GitHubDesk } from "../engine/desk/github/github-desk";
import type { IssueDesk } from "../engine/desk/github/issue-desk";
import type { HoldDesk } from "../engine/desk/hold-desk";
import type { ProjectDesk } from "../engine/desk/project-desk";
import type { VariableDesk } from "../engine/desk/variable-desk";
import type { Calls } from "./calls";
import { standingOf } from "./context";
import { answerOf } from "./errors";

export interface ProjectCallParts {
  readonly projects: ProjectDesk;
  readonly variables: VariableDesk;
  readonly holds: HoldDesk;
  readonly gitHub: GitHubDesk;
  readonly diskUse: DiskUseDesk;
  readonly issues: IssueDesk;
}

export function projectCalls(calls: Calls, desks: ProjectCallParts) {
  const { projects, variables, holds, gitHub, diskUse, issues } = desks;
  const { projects: call } = calls;
  return call.router({
    list: call.list.handler(({ context, input }) => projects.list(context.caller.userId, input.after ?? null)),
    create: call.create.handler(async ({ context, input, signal }) =>
      answerOf(await projects.create(context.caller.userId, input, signal)),
    ),
    get: call.get.handler(async ({ context, input }) =>
      answerOf(await projects.projectWithNote(input.id, standingOf(context).role)),
    ),
    change: call.change.handler(async ({ context, input: { id, ...settings }, signal }) =>
      answerOf(await projects.change(id, standingOf(context).role, settings, signal)),
    ),
    remove: call.remove.handler(async ({ context, input: { params, query } }) => {
      answerOf(await projects.remove(context.caller.userId, params.id, query?.confirm === "true"));
      return { id: params.id };
    }),
    tryAgain: call.tryAgain.handler(async ({ input: { id } }) => {
      await holds.tryRepositoryAgain(id);
      return { id };
    }),
    members: call.members.handler(({ input }) => projects.members(input.id, input.after ?? null)),
    setMember: call.setMember.handler(async ({ context, input: { id, userId, role } }) => {
      // No part in the project, and admitted all the same: an administrator who joins it.
      const isJoining = context.standing === null;
      return answerOf(await projects.setMember(id, userId, role, isJoining));
    }),
    removeMember: call.removeMember.handler(async ({ context, input: { params, query } }) => {
      const { id, userId } = params;
      answerOf(await projects.removeMember(context.caller.userId, id, userId, query?.confirm === "true"));
      return { id: userId };
    }),
    diskUse: call.diskUse.handler(({ input: { id } }) => diskUse.view(id)),
    gitHub: call.gitHub.handler(async ({ input: { id } }) => answerOf(await gitHub.view(id))),
    setGitHub: call.setGitHub.handler(async ({ context, input: { id, ...wish } }) =>
      answerOf(await gitHub.set(context.caller.userId, id, wish)),
    ),
    removeGitHub: call.removeGitHub.handler(async ({ input: { id } }) => {
      await gitHub.remove(id);
      return { id };
    }),
    bringInIssues: call.bringInIssues.handler(async ({ input: { id } }) => {
      const { count, isAll } = answerOf(await issues.bringIn(id));
      return { count, isAll };
    }),
    variables: call.variables.handler(async ({ input }) => ({ items: await variables.list(input.id), next: null })),
    setVariable: call.setVariable.handler(async ({ input: { id, name, value, secret } }) =>
      answerOf(await variables.set(id, { name, value, isSecret: secret })),
    ),
    removeVariable: call.removeVariable.handler(async ({ input: { id, name } }) => {
      answerOf(await variables.remove(id, name));
      return { id: name };
    }),
  });
}
