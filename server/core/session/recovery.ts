/**
 * Row × probe → what happens next (R2, R3). The same table serves a session that is followed and one that is found again
 * after a restart, so there is one path and not two. Decides only: never looks, waits or ends anything itself.
 * The order not to break: what may have acted is never given up (R11), so `unclaimed` counts as "nothing happened"
 * only while the row never said that the agent was up.
 */
import type { SessionPhase } from "../words";
import type { AgentEnding } from "./lifecycle";

/** What a look at an attempt's runner found; `Probe` of ports/runner.ts says the same with more detail. */
export type Sighting =
  | { readonly kind: "present" }
  | { readonly kind: "exited"; readonly ending: AgentEnding }
  /** `hostPid`: a host was spawned, lives, and may claim yet. */
  | { readonly kind: "unclaimed"; readonly hostPid: number | null }
  | { readonly kind: "gone" }
  | { readonly kind: "orphaned" }
  | { readonly kind: "unknown" };

/** What the row and this process know about a running attempt. */
export interface Standing {
  readonly phase: SessionPhase | null;
  /** True while a host that we started ourselves still has time to make its claim. */
  readonly mayStillClaim: boolean;
  /** A cancel was asked for: nothing is waited for, it goes back to no line. */
  readonly isStopping: boolean;
}

export type Verdict =
  /** The host lives: adopt it or go on following it; with `isStopping`, see that it ends. */
  | { readonly kind: "follow" }
  /** Nothing can be said yet: keep the slot and look again. */
  | { readonly kind: "wait" }
  /** Finish from the durable ending, as if we had been there. */
  | { readonly kind: "finish"; readonly ending: AgentEnding }
  /** Claim the attempt for the server; then back to the line, or cancelled if that was asked for. */
  | { readonly kind: "give-up" }
  /** Processes of the attempt outlived their host: end them, then look again. */
  | { readonly kind: "end-tree" }
  /** Nobody is there and nobody wrote an ending. */
  | { readonly kind: "lost" };

export function judge(standing: Standing, seen: Sighting): Verdict {
  switch (seen.kind) {
    case "present":
      return { kind: "follow" };
    case "exited":
      return { kind: "finish", ending: seen.ending };
    case "gone":
      return { kind: "lost" };
    case "orphaned":
      return { kind: "end-tree" };
    case "unknown":
      return { kind: "wait" };
    case "unclaimed":
      return judgeUnclaimed(standing, seen.hostPid !== null);
    default:
      return seen satisfies never;
  }
}

/** A runner whose attempt no running row holds: whatever lives is stopped, what is over stays as it is (R3). */
export function mustBeStopped(seen: Sighting): boolean {
  return seen.kind === "present" || seen.kind === "orphaned" || (seen.kind === "unclaimed" && seen.hostPid !== null);
}

function judgeUnclaimed({ phase, mayStillClaim, isStopping }: Standing, hasHost: boolean): Verdict {
  // The row knows of an agent but the run folder does not: it was removed. It may have acted, so it is not run again.
  if (phase === "working" || phase === "asking" || phase === "saving") return { kind: "lost" };
  return mayStillClaim && hasHost && !isStopping ? { kind: "wait" } : { kind: "give-up" };
}
