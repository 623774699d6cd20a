/** The contract's calls about who may come in: API tokens of one's own, and invitations for others. */
import { z } from "zod";
import {
  acceptedInvitation,
  invitationList,
  joinedProject,
  madeInvitation,
  madeToken,
  newInvitation,
  newToken,
  tokenList,
} from "./access";
import { byId, call, removed } from "./call";
import { id } from "./common";
import { refusalErrors } from "./refusals";

export const tokenCalls = {
  list: call
    .route({ method: "GET", path: "/tokens", summary: "My API tokens; their secrets are not kept" })
    .output(tokenList),
  make: call
    .meta({ need: { kind: "signed-in" }, scope: "admin" })
    .route({ method: "POST", path: "/tokens", successStatus: 201, summary: "Make an API token; it is shown once" })
    .errors(refusalErrors("CONFLICT"))
    .input(newToken)
    .output(madeToken),
  revoke: call
    .meta({ need: { kind: "signed-in" }, scope: "admin" })
    .route({ method: "DELETE", path: "/tokens/{id}", summary: "Revoke; its sockets end" })
    .input(byId)
    .output(removed),
};

export const invitationCalls = {
  list: call
    .route({
      method: "GET",
      path: "/invitations",
      summary: "Open invitations: mine, my projects', and for administrators the installation's",
    })
    .input(z.strictObject({ projectId: id.optional() }))
    .output(invitationList),
  make: call
    .meta({ need: { kind: "home", idOf: "body" }, scope: "admin" })
    .route({
      method: "POST",
      path: "/invitations",
      successStatus: 201,
      summary: "Make a link that works once, for 7 days: administrators, or owners into their project",
    })
    .errors(refusalErrors("REGISTRATION_CLOSED", "CONFLICT"))
    .input(newInvitation)
    .output(madeInvitation),
  accept: call
    .meta({ need: { kind: "signed-in" }, scope: "admin" })
    .route({
      method: "POST",
      path: "/invitations/accept",
      summary: "Join the project that an invitation's link leads to; the link is used up",
    })
    .errors(refusalErrors("CONFLICT"))
    .input(acceptedInvitation)
    .output(joinedProject),
  remove: call
    .meta({ need: { kind: "home", idOf: "invitation" }, scope: "admin" })
    .route({ method: "DELETE", path: "/invitations/{id}" })
    .input(byId)
    .output(removed),
};
