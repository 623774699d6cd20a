/** Which methods a path has, from the contract: for OPTIONS, and to say early that there is no such call. */
import { type AnyContractRouter, isContractProcedure } from "@orpc/contract";

export type MethodsOf = (path: string) => readonly string[];

export function methodsByPath(contract: AnyContractRouter): MethodsOf {
  const routes = [...proceduresOf(contract)].map(({ path, method }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}/?$`),
  }));
  return (path) => routes.filter((route) => route.pattern.test(path)).map((route) => route.method);
}

function* proceduresOf(router: AnyContractRouter): Generator<{ path: string; method: string }> {
  if (isContractProcedure(router)) {
    const { path, method } = router["~orpc"].route;
    if (path === undefined || method === undefined) throw new Error("a call of the contract has no path or no method");
    yield { path, method };
    return;
  }
  for (const inner of Object.values(router)) yield* proceduresOf(inner);
}
