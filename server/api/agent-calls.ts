/** `/agents`, and what the machine that runs them can do. Settings are checked against their kind, here at the edge (A2: no NUL reaches an argument list). */
import { agentSettings } from "../contract/agents";
import type { Issue } from "../contract/mistakes";
import type { AgentDesk } from "../engine/desk/agent-desk";
import type { HoldDesk } from "../engine/desk/hold-desk";
import type { Machine } from "../ports/runner";
import type { Calls } from "./calls";
import { answerOf, type CallRefused, malformed } from "./errors";

export function agentCalls(calls: Calls, agents: AgentDesk, holds: HoldDesk) {
  const { agents: call } = calls;
  return call.router({
    list: call.list.handler(({ context, input }) =>
      agents.list(context.caller.userId, input.projectId ?? null, input.after ?? null),
    ),
    create: call.create.handler(async ({ input: { name, kind, settings, projectId } }) =>
      answerOf(await agents.create({ name, kind, settings: settings ?? {}, projectId: projectId ?? null })),
    ),
    change: call.change.handler(async ({ input: { id, name, settings } }) => {
      const agent = await agents.agent(id);
      if (agent === null || settings === undefined) return answerOf(await agents.change(id, { name }));
      const checked = agentSettings[agent.kind].safeParse(settings);
      if (!checked.success) throw malformedSettings(checked.error.issues, settings);
      return answerOf(await agents.change(id, { name, settings: checked.data }));
    }),
    tryAgain: call.tryAgain.handler(async ({ context, input: { id } }) =>
      answerOf(await holds.tryAgentAgain(context.caller.userId, id)),
    ),
    remove: call.remove.handler(async ({ input: { id } }) => {
      await agents.remove(id);
      return { id };
    }),
  });
}

function malformedSettings(issues: readonly Issue[], settings: unknown): CallRefused {
  const inRequest = issues.map((issue) => ({ ...issue, path: ["settings", ...(issue.path ?? [])] }));
  return malformed(inRequest, { settings });
}

export function runnerCalls(calls: Calls, machine: Machine, agents: Pick<AgentDesk, "programs">) {
  const { runner: call } = calls;
  return call.router({
    get: call.get.handler(async () => {
      const { treeEnding, sandboxProblem: problem } = await machine.facts();
      const programs = await agents.programs();
      return { treeEnding, sandbox: { isAvailable: problem === null, problem }, programs };
    }),
  });
}
