/** An expected no: returned, never thrown, with one sentence for people. The API turns it into a status. */
import type { RefusalCode } from "../../contract/refusals";

export interface Refusal {
  readonly kind: "refused";
  readonly code: RefusalCode;
  readonly message: string;
  /** What the answer names beside: where the card is, what would stop. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export function refuse(code: RefusalCode, message: string, details?: Refusal["details"]): Refusal {
  return { kind: "refused", code, message, ...(details ? { details } : {}) };
}

export const NOT_THERE = refuse("NOT_FOUND", "It is not there, or it is not yours to see.");
