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
    default:
      return facts.kind satisfies never;
  }
}

export function whatToDoNext(kind: FailureKind): string {
  switch (kind) {
    case "agent-exited":
      return "Read the end of the output, then retry or change the prompt.";
    case "could-not-start":
      return "Nothing has run. Put right what the sentence names, then retry.";
    case "runner-lost":
      return "The agent may have done part of the work: look at the diff, then retry.";
    case "timed-out":
      return "Look at the diff. Retry to go on, or raise the project's longest run.";
    case "no-answer":
      return "The work so far is kept. Dispatch again with the answer as the message.";
    case "no-result":
      return "Read the end of the output for the reason, then retry.";
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
