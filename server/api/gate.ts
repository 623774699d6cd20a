/**
 * May they? The one place that looks at a call's need (contract/needs.ts). Comes before the body is checked, so that
 * whoever may not see a project learns nothing about what is in it: 404 for what is not theirs, whatever they send (S2).
 */

import { id as anId } from "../contract/common";
import type { CallMeta, Need } from "../contract/needs";
import { SCOPES } from "../contract/needs";
import type { Caller } from "../ports/access";
import type { AgentStore } from "../ports/agent-store";
import type { Standing, Standings } from "../ports/project-store";
import { CallRefused } from "./errors";

export interface GateParts {
  readonly standings: Standings;
  readonly agents: Pick<AgentStore, "agent">;
}

/** Ids as they came, unchecked. */
export interface GivenIds {
  readonly id: unknown;
  readonly userId: unknown;
  readonly projectId: unknown;
}

/** Answers the caller's part in the project, or throws the refusal. */
export async function admit(
  parts: GateParts,
  caller: Caller,
  call: CallMeta,
  given: GivenIds,
): Promise<Standing | null> {
  if (SCOPES.indexOf(caller.scope) < SCOPES.indexOf(call.scope)) {
    throw new CallRefused("FORBIDDEN", `This token may only ${caller.scope}.`);
  }
  const { need } = call;
  switch (need.kind) {
    case "signed-in":
      return null;
    case "admin":
      return admitAdmin(caller, "Only administrators may do that.");
    case "project":
      return admitToProject(parts.standings, caller, need, given);
    case "agent":
      return admitToAgent(parts, caller, need, given);
    default:
      return need satisfies never;
  }
}

async function admitToProject(
  standings: Standings,
  caller: Caller,
  need: Extract<Need, { kind: "project" }>,
  given: GivenIds,
): Promise<Standing> {
  const standing = await standingIn(standings, caller, need.idOf, given.id);
  const isSelf = need.role === "owner-or-self" && given.userId === caller.userId;
  if (need.role !== "member" && standing.role !== "owner" && !isSelf) throw ownersOnly();
  return standing;
}

async function admitToAgent(
  parts: GateParts,
  caller: Caller,
  need: Extract<Need, { kind: "agent" }>,
  given: GivenIds,
): Promise<Standing | null> {
  const home = need.idOf === "agent" ? await homeOf(parts.agents, given.id) : (given.projectId ?? null);
  if (home === null) return admitAdmin(caller, "Only administrators may change agents that everybody has.");
  const standing = await standingIn(parts.standings, caller, "project", home);
  if (standing.role !== "owner") throw ownersOnly();
  return standing;
}

async function homeOf(agents: GateParts["agents"], id: unknown): Promise<string | null> {
  const agent = isId(id) ? await agents.agent(id) : null;
  if (agent === null) throw notThere();
  return agent.projectId;
}

async function standingIn(standings: Standings, caller: Caller, kind: "project" | "task" | "session", id: unknown) {
  const standing = isId(id) ? await standings.standing(caller.userId, { kind, id }) : null;
  if (standing === null) throw notThere();
  return standing;
}

function admitAdmin(caller: Caller, message: string): null {
  if (caller.role !== "admin") throw new CallRefused("FORBIDDEN", message);
  return null;
}

function isId(id: unknown): id is string {
  return anId.safeParse(id).success;
}

function notThere(): CallRefused {
  return new CallRefused("NOT_FOUND", "It is not there, or it is not yours to see.");
}

function ownersOnly(): CallRefused {
  return new CallRefused("FORBIDDEN", "Only owners of the project may do that.");
}
