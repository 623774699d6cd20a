/** The contract's calls about projects, who belongs to them, and what they give their agents. */
import { z } from "zod";
import { byId, call, confirm, pageOf, projectMember, projectOwner, removed } from "./call";
import { id, page } from "./common";
import {
  member,
  memberList,
  memberRole,
  newProject,
  projectChange,
  projectDiskUse,
  projectList,
  projectWithNote,
} from "./projects";
import { issuesBroughtIn, projectGitHub, projectGitHubChange } from "./pull-requests";
import { refusalErrors } from "./refusals";
import { variable, variableChange, variableList } from "./variables";

export const projectCalls = {
  list: call.route({ method: "GET", path: "/projects", summary: "My projects" }).input(page).output(projectList),
  create: call
    .meta({ need: { kind: "signed-in" }, scope: "admin" })
    .route({ method: "POST", path: "/projects", successStatus: 201, summary: "Make a project" })
    .errors(refusalErrors("REPOSITORY_UNUSABLE"))
    .input(newProject)
    .output(projectWithNote),
  get: call
    .meta({ need: projectMember, scope: "read" })
    .route({ method: "GET", path: "/projects/{id}" })
    .input(byId)
    .output(projectWithNote),
  change: call
    .meta({ need: projectOwner, scope: "admin" })
    .route({ method: "PATCH", path: "/projects/{id}" })
    .errors(refusalErrors("REPOSITORY_UNUSABLE", "CONFLICT"))
    .input(byId.extend(projectChange.shape))
    .output(projectWithNote),
  remove: call
    .meta({ need: projectOwner, scope: "admin" })
    .route({ method: "DELETE", path: "/projects/{id}", inputStructure: "detailed", summary: "Remove; branches stay" })
    .errors(refusalErrors("CONFIRM"))
    .input(z.object({ params: byId, query: confirm.optional() }))
    .output(removed),
  tryAgain: call
    .meta({ need: projectMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/projects/{id}/try-again",
      summary: "Let sessions that were held because of the repository wait for their turn again",
    })
    .input(byId)
    .output(z.object({ id })),
  members: call
    .meta({ need: projectMember, scope: "read" })
    .route({ method: "GET", path: "/projects/{id}/members" })
    .input(pageOf)
    .output(memberList),
  setMember: call
    .meta({ need: { kind: "project", idOf: "project", role: "owner-or-joining" }, scope: "admin" })
    .route({
      method: "PUT",
      path: "/projects/{id}/members/{userId}",
      summary: "Add somebody, or change their role; administrators may add themselves, which is logged",
    })
    .errors(refusalErrors("LAST_OWNER"))
    .input(z.strictObject({ id, userId: id, role: memberRole }))
    .output(member),
  removeMember: call
    .meta({ need: { kind: "project", idOf: "project", role: "owner-or-self" }, scope: "admin" })
    .route({
      method: "DELETE",
      path: "/projects/{id}/members/{userId}",
      inputStructure: "detailed",
      summary: "Take somebody off (owners), or leave (oneself)",
    })
    .errors(refusalErrors("LAST_OWNER", "CONFIRM"))
    .input(z.object({ params: z.object({ id, userId: id }), query: confirm.optional() }))
    .output(removed),
  diskUse: call
    .meta({ need: projectMember, scope: "read" })
    .route({
      method: "GET",
      path: "/projects/{id}/disk-use",
      summary: "How much room its worktrees and its clone take; measured every ten minutes at most",
    })
    .input(byId)
    .output(projectDiskUse),
  gitHub: call
    .meta({ need: projectMember, scope: "read" })
    .route({
      method: "GET",
      path: "/projects/{id}/github",
      summary: "Whether it has a token for GitHub; never the token",
    })
    .input(byId)
    .output(projectGitHub),
  setGitHub: call
    .meta({ need: projectOwner, scope: "admin" })
    .route({
      method: "PUT",
      path: "/projects/{id}/github",
      summary: "Set the token for GitHub, or replace it, and the label by which issues come in",
    })
    .errors(refusalErrors("CONFLICT"))
    .input(byId.extend(projectGitHubChange.shape))
    .output(projectGitHub),
  removeGitHub: call
    .meta({ need: projectOwner, scope: "admin" })
    .route({ method: "DELETE", path: "/projects/{id}/github" })
    .input(byId)
    .output(removed),
  bringInIssues: call
    .meta({ need: projectMember, scope: "dispatch" })
    .route({
      method: "POST",
      path: "/projects/{id}/github/issues",
      summary:
        "Make tasks of the open issues with the project's label, each once for good. `ISSUES_REFUSED` has `reason`, and `until` for a rate limit",
    })
    .errors(refusalErrors("ISSUES_REFUSED"))
    .input(byId)
    .output(issuesBroughtIn),
  variables: call
    .meta({ need: projectMember, scope: "read" })
    .route({ method: "GET", path: "/projects/{id}/variables", summary: "What agents get; secrets without their value" })
    .input(byId)
    .output(variableList),
  setVariable: call
    .meta({ need: projectOwner, scope: "admin" })
    .route({
      method: "PUT",
      path: "/projects/{id}/variables/{name}",
      summary: "Add a variable or secret, or replace it",
    })
    .input(byId.extend({ name: z.string() }).extend(variableChange.shape))
    .output(variable),
  removeVariable: call
    .meta({ need: projectOwner, scope: "admin" })
    .route({ method: "DELETE", path: "/projects/{id}/variables/{name}" })
    .input(byId.extend({ name: z.string() }))
    .output(removed),
};
