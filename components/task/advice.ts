/** After an ending: what happened in one sentence, and what a person can do now. Pure. */
import type { Session } from "@/server/contract/sessions";
import { endedWithSession } from "@/server/core/agent/background";
import { tookTooLong } from "@/server/core/text/time-limit";
import { WORKTREE_GONE } from "@/server/core/words";
import { inSentence } from "../ui/written";

export interface Advice {
  readonly sentence: string;
  readonly next: string;
  /** Told plainly and never folded: what is not on the branch, and what did not come to its end. */
  readonly warnings: readonly string[];
}

/** Null while it is live. `by`: who ended it, for a cancelled one. `unsavedIn`: where what is on no branch lies. */
export function adviceFor(session: Session, by: string | null, unsavedIn: string | null): Advice | null {
  const warnings = warningsOf(session, unsavedIn);
  const isSaved = session.workUnsaved === null;
  switch (session.status) {
    case "queued":
    case "running":
      return null;
    case "succeeded": {
      const nothing = "It changed no files. Read what it said, then move it to Done or write a follow-up.";
      const something = "Look at the diff. Then merge it, or send it back with a follow-up.";
      const next = isSaved ? (session.files === 0 ? nothing : something) : "";
      const ended = endedWithSession(session.lastAction);
      return {
        sentence: "The agent finished.",
        next,
        warnings: ended === null ? warnings : [...warnings, `${ended}.`],
      };
    }
    case "cancelled": {
      const who = by === null ? (session.failure?.sentence ?? "It was stopped.") : `It was stopped by ${by}.`;
      if (session.startedAt === null) return { sentence: "It left the line before it started.", next: "", warnings };
      const nothing = "It had changed no files. Retry starts again from the branch.";
      const something = "What it had written is on the branch. Retry goes on from there.";
      const next = isSaved ? (session.files === 0 ? nothing : something) : "";
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

/** Whatever keeps something out of a commit (workspace/changes/left-out.ts, unreadable.ts, and repositories inside). */
const WHY_LEFT_OUT = "too large, named like a secret, a repository of its own, or not to be read by the server";

/** What is not on the branch, where it lies (`unsavedIn`; null: it is not known), and what can be done about it. */
export function warningsOf({ workUnsaved, leftOut }: Session, unsavedIn: string | null): string[] {
  const warnings: string[] = [];
  if (workUnsaved === WORKTREE_GONE) warnings.push(WORKTREE_GONE);
  else if (workUnsaved !== null) {
    // Most sentences of git's name it already.
    const isNamed = unsavedIn === null || workUnsaved.includes(unsavedIn);
    const worktree = isNamed ? "The worktree" : `The worktree, ${unsavedIn},`;
    const kept = tookTooLong(workUnsaved)
      ? `${worktree} is kept as it is, and nothing has to be put right: merge or follow up`
      : `${worktree} is kept as it is: put that right, then merge or follow up`;
    warnings.push(`Its work could not be committed: ${workUnsaved} ${kept}, which save it first.`);
  }
  if (leftOut.length > 0) {
    const files = `${countOf(leftOut)} ${leftOut.length === 1 ? "stays" : "stay"}`;
    const them = leftOut.length === 1 ? "it" : "them";
    const worktree = unsavedIn === null ? "the worktree" : unsavedIn;
    warnings.push(
      `${files} uncommitted (${WHY_LEFT_OUT}): ${inSentence(leftOut.join(", "))}. No merge brings ${them} along: take ${them} from ${worktree}, or have the agent name ${them} in .gitignore.`,
    );
  }
  return warnings;
}

/** Folders are told with a slash at their end. */
function countOf(leftOut: readonly string[]): string {
  const folders = leftOut.filter((path) => path.endsWith("/")).length;
  if (leftOut.length === 1) return folders === 1 ? "One folder" : "One file";
  return `${leftOut.length} ${folders === 0 ? "files" : folders === leftOut.length ? "folders" : "files and folders"}`;
}
