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

/** For sessions and for their cards: both change one line. */
export function refusedOrder(reason: keyof typeof REORDER_REFUSALS): Refusal {
  return refuse("CONFLICT", REORDER_REFUSALS[reason]);
}

const REORDER_REFUSALS = {
  "not-queued": "Only a waiting session has a place in the line.",
  "not-your-line": "Only one's own line can be reordered.",
  // Of a foreign session, one that runs and none at all alike: which it is, is nobody's business.
  "not-before-that": "Only before a session that waits in one's own line can something be put.",
} as const;

export const REOPEN_FIRST = refuse("REOPEN_FIRST", "The task is done: move it back to Backlog or Review first.");

export const NOT_THERE = refuse("NOT_FOUND", "It is not there, or it is not yours to see.");
