/**
 * A failure in one plain sentence for people, and what they can do next (spec 4). The same words on the card, the task
 * page, the API and the command line. Knows nothing about where it is shown.
 */
import { DISK_FULL, isSetupFailure } from "./details";
import type { Failure } from "./lifecycle";

export interface FailureFacts extends Failure {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Null when the work was saved (W2). */
  readonly workUnsaved: string | null;
}

export function failureSentence(facts: FailureFacts): string {
  switch (facts.kind) {
    case "agent-exited":
      return facts.detail ?? exitSentence(facts);
    case "could-not-start":
      return noStartSentence(facts.detail);
    case "runner-lost": {
      const loss = facts.detail ?? "The runner was lost.";
      return facts.workUnsaved === null ? `${loss} Work kept.` : loss;
    }
    case "timed-out":
      return timeoutSentence(facts.detail);
    case "no-answer":
      return facts.detail ?? "Nobody answered the agent's question in time.";
    case "no-result":
      return facts.detail ?? "The agent ended without reporting success.";
    case "stopped":
      return facts.detail === "operator"
        ? "Stopped by whoever runs the server, with `npm run stop-agents` or a second Ctrl-C."
        : "Stopped from outside: something on the server's machine asked the agent's host to end.";
    default:
      return facts.kind satisfies never;
  }
}

/**
 * Never says that work is on the branch when it could not be saved (W2), nor that nothing ran when a setup script did. `detail`: as in
 * the failure; the sentence then names a cause.
 */
export function whatToDoNext({ kind, detail, signal, workUnsaved }: Omit<FailureFacts, "exitCode">): string {
  const isSaved = workUnsaved === null;
  switch (kind) {
    case "agent-exited":
      if (detail === DISK_FULL) return "Make room on the server's disk, then retry; it goes on from the branch.";
      return `${signal === null ? EXITED : KILLED} then retry; it goes on from the branch.`;
    case "could-not-start":
      return isSetupFailure(detail)
        ? "The end of the output says why. An owner can change the script in the project's settings; then retry."
        : "The agent has done nothing. Put right what is named here, or look at the agent and the repository; then retry.";
    case "runner-lost":
      return "It may have done part of the work: look at the diff. Retry goes on from there; it is not repeated by itself.";
    case "timed-out":
      return "Retry goes on from the branch. An owner can raise the longest run in the project's settings.";
    case "no-answer":
      return `${isSaved ? "Its work is on the branch. " : ""}Answer in a follow-up, which goes on with it.`;
    case "no-result":
      return detail === null
        ? "The end of the output says why; then retry."
        : "Once that is put right, or over, retry: it goes on from the branch.";
    case "stopped":
      return "Retry goes on from the branch.";
    default:
      return kind satisfies never;
  }
}

const EXITED = "The end of the output says why. Change the prompt if needed,";
/** What is killed has no last word. */
const KILLED = "Something on the server's machine ended it, often a lack of memory: look at the end of the output,";

/** What shells exit with where a command was killed by SIGPIPE, as the first one of `git log | head` is. */
const PIPE_BROKEN = 141;

function exitSentence({ exitCode, signal }: FailureFacts): string {
  if (signal !== null) return `The agent was killed by ${signal}.`;
  if (exitCode === PIPE_BROKEN)
    return "The agent exited with code 141: it wrote into a pipe that nobody read any more.";
  return exitCode === null ? "The agent ended without an exit code." : `The agent exited with code ${exitCode}.`;
}

/** The detail is the longest run, or a whole sentence that says more. */
function timeoutSentence(detail: string | null): string {
  if (detail === null) return "Stopped after the longest run.";
  return detail.endsWith(".") ? detail : `Stopped after ${detail}, the longest run.`;
}

function noStartSentence(detail: string | null): string {
  if (detail === null) return "The agent could not start.";
  return /[.!?]$/.test(detail) ? detail : `The agent could not start: ${detail}.`;
}
