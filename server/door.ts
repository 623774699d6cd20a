/**
 * The door that lets pages in: who reads this page, and every call of the API without a way over the network, in the
 * contract's shapes and with the API's own checks. Pages know this file and the contract, nothing else of the server.
 * A page asks for its request's headers first (which also keeps it from being rendered at build time).
 */
import type { ContractRouterClient } from "@orpc/contract";
import type { Contract } from "./contract/router";
import { parked } from "./registry";

export interface Visitor {
  readonly userId: string;
  /** Refusals are thrown as the contract library's errors, with `code` and `message`. */
  readonly calls: ContractRouterClient<Contract>;
}

export interface Door {
  /** Null: nobody is signed in. */
  visitor(headers: Headers): Promise<Visitor | null>;
  /** Whether one may make an account here, and whether it would be the first. */
  registration(): Promise<{ readonly policy: "open" | "invitation" | "closed"; readonly isFirst: boolean }>;
}

export function door(): Door {
  return parked();
}
