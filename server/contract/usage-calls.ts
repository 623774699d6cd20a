/** What sessions used, added up per task, project, person and day (A4). */
import { byId, call, projectMember, taskMember } from "./call";
import { usageDays, usageSum, usageWish } from "./usage";

export const usageCalls = {
  ofTask: call
    .meta({ need: taskMember, scope: "read" })
    .route({ method: "GET", path: "/tasks/{id}/usage", summary: "What all its sessions used" })
    .input(byId)
    .output(usageSum),
  ofProject: call
    .meta({ need: projectMember, scope: "read" })
    .route({ method: "GET", path: "/projects/{id}/usage", summary: "What its sessions used, per day" })
    .input(byId.extend(usageWish.shape))
    .output(usageDays),
  ofUser: call
    .route({
      method: "GET",
      path: "/users/{id}/usage",
      summary: "What a person's sessions used, per day: one's own, and of others those in one's own projects",
    })
    .input(byId.extend(usageWish.shape))
    .output(usageDays),
};
