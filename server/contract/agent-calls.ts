/** `/agents` and `/runner`: who may do what with configured programs, and what the machine that runs them can do. */
import { agent, agentChange, agentList, newAgent, runner } from "./agents";
import { byId, call, removed } from "./call";
import { id, page } from "./common";
import { refusalErrors } from "./refusals";

export const runnerCalls = {
  get: call
    .route({ method: "GET", path: "/runner", summary: "What the machine that runs agents can do" })
    .output(runner),
};

export const agentCalls = {
  list: call
    .route({ method: "GET", path: "/agents", summary: "The installation's agents and those of my projects" })
    .input(page.extend({ projectId: id.optional() }))
    .output(agentList),
  create: call
    .meta({ need: { kind: "home", idOf: "body" }, scope: "admin" })
    .route({ method: "POST", path: "/agents", successStatus: 201 })
    .errors(refusalErrors("CONFLICT"))
    .input(newAgent)
    .output(agent),
  change: call
    .meta({ need: { kind: "home", idOf: "agent" }, scope: "admin" })
    .route({ method: "PATCH", path: "/agents/{id}" })
    .errors(refusalErrors("CONFLICT"))
    .input(byId.extend(agentChange.shape))
    .output(agent),
  remove: call
    .meta({ need: { kind: "home", idOf: "agent" }, scope: "admin" })
    .route({ method: "DELETE", path: "/agents/{id}" })
    .input(byId)
    .output(removed),
  tryAgain: call
    .meta({ need: { kind: "signed-in" }, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/agents/{id}/try-again",
      summary: "Let its held sessions wait for their turn again",
    })
    .input(byId)
    .output(agent),
};
