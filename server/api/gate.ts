/**
 * May they? The one place that looks at a call's need (contract/needs.ts). Comes before the body is checked, so that
 * whoever may not see a project learns nothing about what is in it: 404 for what is not theirs, whatever they send (S2).
 */

import { id as anId } from "../contract/common";
import type { CallMeta, Need } from "../contract/needs";
import { SCOPES } from "../contract/needs";
import type { Caller, Invitations } from "../ports/access";
import type { AgentStore } from "../ports/agent-store";
import type { ProjectStore, Standing, Standings } from "../ports/project-store";
import { CallRefused } from "./errors";

export interface GateParts {
  readonly standings: Standings;
  readonly projects: Pick<ProjectStore, "project">;
  readonly agents: Pick<AgentStore, "agent">;
  readonly invitations: Pick<Invitations, "invitation">;
}

/** Ids as they came, unchecked. */
export interface GivenIds {
  readonly id: unknown;
  readonly userId: unknown;
  readonly projectId: unknown;
}

/** Answers the caller's part in the project (null: none is needed, or they are about to join), or throws the refusal. */
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
      return admitToProject(parts, caller, need, given);
    case "home":
      return admitToHome(parts, caller, need, given);
    default:
      return need satisfies never;
  }
}

async function admitToProject(
  parts: GateParts,
  caller: Caller,
  need: Extract<Need, { kind: "project" }>,
  given: GivenIds,
): Promise<Standing | null> {
  const isSelf = given.userId === caller.userId;
  if (need.role === "owner-or-joining" && isSelf && (await isJoining(parts, caller, given.id))) return null;
  const standing = await standingIn(parts.standings, caller, need.idOf, given.id);
  const isTheirOwn = need.role === "owner-or-self" && isSelf;
  if (need.role !== "member" && standing.role !== "owner" && !isTheirOwn) throw ownersOnly();
  return standing;
}

/** An administrator without a part in a project that is there. */
async function isJoining({ standings, projects }: GateParts, caller: Caller, id: unknown): Promise<boolean> {
  if (caller.role !== "admin" || !isId(id)) return false;
  if ((await standings.standing(caller.userId, { kind: "project", id })) !== null) return false;
  return (await projects.project(id)) !== null;
}

async function admitToHome(
  parts: GateParts,
  caller: Caller,
  need: Extract<Need, { kind: "home" }>,
  given: GivenIds,
): Promise<Standing | null> {
  const home = await homeOf(parts, need.idOf, given);
  if (home === null) return admitAdmin(caller, "Only administrators may do that for everybody.");
  const standing = await standingIn(parts.standings, caller, "project", home);
  if (standing.role !== "owner") throw ownersOnly();
  return standing;
}

/** The project it belongs to; null: the installation. */
async function homeOf(
  { agents, invitations }: GateParts,
  idOf: Extract<Need, { kind: "home" }>["idOf"],
  { id, projectId }: GivenIds,
): Promise<unknown> {
  if (idOf === "body") return projectId ?? null;
  const found = !isId(id) ? null : await (idOf === "agent" ? agents.agent(id) : invitations.invitation(id));
  if (found === null) throw notThere();
  return found.projectId;
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
