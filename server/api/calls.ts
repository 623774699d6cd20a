/** The contract, ready to be implemented: every call goes through the gate first. */
import { implement } from "@orpc/server";
import type { CallMeta } from "../contract/needs";
import { contract } from "../contract/router";
import type { CallContext } from "./context";
import { CallRefused } from "./errors";
import { admit, type GateParts, type GivenIds } from "./gate";

export type Calls = ReturnType<typeof createCalls>;

export function createCalls(parts: GateParts) {
  return implement(contract)
    .$context<CallContext>()
    .use(async ({ context, procedure, next }, input: unknown) => {
      const { caller } = context;
      if (caller === null) throw new CallRefused("UNAUTHORIZED", "Sign in first.");
      const { meta, route } = procedure["~orpc"];
      const standing = await admit(parts, caller, meta as CallMeta, idsOf(input, route.inputStructure === "detailed"));
      return next({ context: { caller, standing } });
    });
}

function idsOf(input: unknown, isDetailed: boolean): GivenIds {
  const flat = recordOf(input);
  const params = isDetailed ? recordOf(flat.params) : flat;
  const body = isDetailed ? recordOf(flat.body) : flat;
  return { id: params.id, userId: params.userId, projectId: body.projectId };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
