/** What the calls of the contract are made from: who may ask, and the parts that many inputs share. */
import { oc } from "@orpc/contract";
import { z } from "zod";
import { id, page } from "./common";
import type { CallMeta, RuleNeed, WorkNeed } from "./needs";
import { refusalErrors } from "./refusals";

export const call = oc
  .$meta<CallMeta>({ need: { kind: "signed-in" }, scope: "read" })
  .errors(refusalErrors("BAD_REQUEST", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "UNAVAILABLE"));

export const ADMIN: RuleNeed = { kind: "admin" };
export const projectMember: WorkNeed = { kind: "project", idOf: "project", role: "member" };
export const projectOwner: RuleNeed = { kind: "project", idOf: "project", role: "owner" };
export const taskMember: WorkNeed = { kind: "project", idOf: "task", role: "member" };
export const sessionMember: WorkNeed = { kind: "project", idOf: "session", role: "member" };

/** Inputs are strict: a field nobody knows is a mistake, not nothing. What extends one of these is as well. */
export const byId = z.strictObject({ id });
export const pageOf = byId.extend(page.shape);
/** `?confirm=true`: yes, stop, lose or merge what the 409 `CONFIRM` named. */
export const confirm = z.strictObject({ confirm: z.enum(["true", "false"]).optional() });
export const idempotency = z.object({ "idempotency-key": z.string().min(1).max(200).optional() });
export const removed = z.object({ id });
