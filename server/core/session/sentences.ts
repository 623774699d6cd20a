/**
 * A failure in one plain sentence for people, and what they can do next (spec 4). The same words on the card, the task
 * page, the API and the command line. Knows nothing about where it is shown.
 */
import type { FailureKind } from "../words";
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
      return facts.detail === null
        ? "Stopped after the longest run."
        : `Stopped after ${facts.detail}, the longest run.`;
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

export function whatToDoNext(kind: FailureKind): string {
  switch (kind) {
    case "agent-exited":
      return "The end of the output says why. Change the prompt if needed, then retry; it goes on from the branch.";
    case "could-not-start":
      return "Nothing has run. Put right what is named here, or look at the agent and the repository; then retry.";
    case "runner-lost":
      return "It may have done part of the work: look at the diff. Retry goes on from there; it is not repeated by itself.";
    case "timed-out":
      return "Retry goes on from the branch. An owner can raise the longest run in the project's settings.";
    case "no-answer":
      return "Its work is on the branch. Put the answer into the prompt, then retry.";
    case "no-result":
      return "The end of the output says why; then retry.";
    case "stopped":
      return "Retry goes on from the branch.";
    default:
      return kind satisfies never;
  }
}

function exitSentence({ exitCode, signal }: FailureFacts): string {
  if (signal !== null) return `The agent was killed by ${signal}.`;
  return exitCode === null ? "The agent ended without an exit code." : `The agent exited with code ${exitCode}.`;
}

function noStartSentence(detail: string | null): string {
  if (detail === null) return "The agent could not start.";
  return /[.!?]$/.test(detail) ? detail : `The agent could not start: ${detail}.`;
}
