/** After an ending: what happened in one sentence, and what a person can do now. Pure. */
import type { Session } from "@/server/contract/sessions";
import { WORKTREE_GONE } from "@/server/core/words";

export interface Advice {
  readonly sentence: string;
  readonly next: string;
  /** Told plainly and never folded: what is not on the branch. */
  readonly warnings: readonly string[];
}

/** Null while it is live. `by`: who ended it, for a cancelled one. */
export function adviceFor(session: Session, by: string | null): Advice | null {
  const warnings = warningsOf(session);
  switch (session.status) {
    case "queued":
    case "running":
      return null;
    case "succeeded": {
      const next =
        session.files === 0
          ? "It changed no files. Read what it said, then move it to Done or write a follow-up."
          : "Look at the diff. Then merge it, or send it back with a follow-up.";
      return { sentence: "The agent finished.", next, warnings };
    }
    case "cancelled": {
      const who = by === null ? (session.failure?.sentence ?? "It was stopped.") : `It was stopped by ${by}.`;
      if (session.startedAt === null) return { sentence: "It left the line before it started.", next: "", warnings };
      const next =
        session.files === 0
          ? "It had changed no files. Retry starts again from the branch."
          : "What it had written is on the branch. Retry goes on from there.";
      return { sentence: who, next, warnings };
    }
    case "failed": {
      const { sentence = "The session failed.", next = "" } = session.failure ?? {};
      return { sentence, next, warnings };
    }
    default:
      return session.status satisfies never;
  }
}

/** What is not on the branch, and what can be done about it. */
export function warningsOf({ workUnsaved, leftOut }: Session): string[] {
  const warnings: string[] = [];
  if (workUnsaved === WORKTREE_GONE) warnings.push(WORKTREE_GONE);
  else if (workUnsaved !== null) {
    warnings.push(
      `Its work could not be committed: ${workUnsaved} The worktree is kept as it is: put that right, then merge or follow up, which save it first.`,
    );
  }
  if (leftOut.length > 0) {
    const files = leftOut.length === 1 ? "One file stays" : `${leftOut.length} files stay`;
    warnings.push(
      `${files} uncommitted (too large, or named like a secret): ${leftOut.join(", ")}. No merge brings them along: take them from the worktree, or have the agent name them in .gitignore.`,
    );
  }
  return warnings;
}
