/** The contract's calls about oneself, and about people: who they are, and what administrators change about them. */
import { z } from "zod";
import { ADMIN, byId, call, confirm, pageOf } from "./call";
import { page } from "./common";
import { me, newPassword, pastList, personChange, personList, profile } from "./people";
import { refusalErrors } from "./refusals";

export const meCalls = {
  get: call.route({ method: "GET", path: "/me", summary: "Who I am, and my line" }).output(me),
};

export const userCalls = {
  list: call
    .route({ method: "GET", path: "/users", summary: "Everybody, with their counts" })
    .input(page)
    .output(personList),
  get: call.route({ method: "GET", path: "/users/{id}", summary: "A person's profile" }).input(byId).output(profile),
  history: call
    .route({ method: "GET", path: "/users/{id}/history", summary: "Their sessions that ended, newest first" })
    .input(pageOf)
    .output(pastList),
  change: call
    .meta({ need: ADMIN, scope: "admin" })
    .route({
      method: "PATCH",
      path: "/users/{id}",
      inputStructure: "detailed",
      summary: "Change a role, or deactivate",
    })
    .errors(refusalErrors("LAST_ADMIN", "CONFIRM"))
    .input(z.object({ params: byId, query: confirm.optional(), body: personChange }))
    .output(profile),
  renewPassword: call
    .meta({ need: ADMIN, scope: "admin" })
    .route({
      method: "POST",
      path: "/users/{id}/password",
      summary: "A new password for somebody else; it is shown once, and their logins end",
    })
    .errors(refusalErrors("CONFLICT"))
    .input(byId)
    .output(newPassword),
};
