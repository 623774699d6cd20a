/**
 * The contract's paths and methods for the browser's client, without schemas and notes: made from the contract with every
 * page, so the two cannot differ and no validator travels.
 */
import { type AnyContractRouter, minifyContractRouter } from "@orpc/contract";
import { contract } from "@/server/contract/router";

interface Call {
  readonly "~orpc": { readonly route: Record<string, unknown> };
}
type Calls = { readonly [name: string]: Call | Calls };

export const routes = withoutNotes(minifyContractRouter(contract) as unknown as Calls) as unknown as AnyContractRouter;

function withoutNotes(calls: Calls): unknown {
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => {
      if (!isCall(call)) return [name, withoutNotes(call)];
      const { method, path, inputStructure, outputStructure } = call["~orpc"].route;
      return [name, { "~orpc": { errorMap: {}, meta: {}, route: { method, path, inputStructure, outputStructure } } }];
    }),
  );
}

function isCall(call: Call | Calls): call is Call {
  return "~orpc" in call;
}
