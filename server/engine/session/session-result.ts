/**
 * What an agent with a protocol brought: whether it came to a good end, what it used, and the conversation that a follow-up
 * goes on with. Read from its output, which is whole once it is over (R6). Decides nothing about others: see `holds.ts`.
 */
import { programOf } from "../../core/agent/command-line";
import type { AgentTrouble } from "../../core/agent/events";
import { noResultSentence } from "../../core/agent/no-result";
import { type Summary, usageOfSession, verdictOf } from "../../core/agent/summary";
import { formatOf } from "../../core/agent/talking-agents";
import type { Told } from "../../core/session/lifecycle";
import { reasonOf } from "../../core/text/reason";
import type { Millis } from "../../core/words";
import type { Runner } from "../../ports/runner";
import type { SessionFacts } from "../../ports/session-record";
import type { Life } from "./session-life";
import { createSummaryTail } from "./summary-tail";

export interface Result {
  /** Null: it has no protocol, its exit code says all. */
  readonly told: Told | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly agentSessionId: string | null;
  readonly trouble: AgentTrouble | null;
  /** For a usage limit. */
  readonly until: Millis | null;
}

const NO_PROTOCOL: Result = { told: null, usage: null, agentSessionId: null, trouble: null, until: null };

/** From now on it is known what runs, and it is followed along if its agent has a protocol; harmless twice. */
export function learn(runner: Runner, life: Life, facts: SessionFacts): void {
  life.facts ??= facts;
  const format = formatOf(facts.agent.kind);
  if (format !== "text") life.summaryTail ??= createSummaryTail(runner, life.run, format);
}

/** Once it is known what ran. Never throws: what cannot be read is not known. */
export async function readResult(
  life: Life,
  facts: SessionFacts | null,
  endedAt: Millis,
  timeZone: string,
): Promise<Result> {
  if (facts === null || life.summaryTail === null) return NO_PROTOCOL;
  try {
    return resultFrom(await life.summaryTail.finish(), facts, endedAt, timeZone);
  } catch (error) {
    return {
      ...NO_PROTOCOL,
      told: { kind: "no-result", sentence: `Its output could not be read: ${reasonOf(error)}` },
    };
  }
}

function resultFrom(summary: Summary, facts: SessionFacts, endedAt: Millis, timeZone: string): Result {
  const verdict = verdictOf(summary, endedAt);
  const isNewConversation = facts.earlier === null || facts.earlier.conversation !== summary.conversation;
  const usage = usageOfSession(summary, isNewConversation ? 0 : (facts.earlier?.costUsd ?? null));
  const trouble = verdict.kind === "trouble" ? verdict.trouble : null;
  const until = verdict.kind === "trouble" ? verdict.until : null;
  const isOverForGood = trouble?.error === "conversation-lost" || summary.canContinue === false;
  return {
    told: toldBy(verdict, facts, timeZone),
    usage: usage === null ? null : { ...usage },
    agentSessionId: isOverForGood ? "" : summary.conversation,
    trouble,
    until,
  };
}

function toldBy(verdict: ReturnType<typeof verdictOf>, { agent }: SessionFacts, timeZone: string): Told {
  switch (verdict.kind) {
    case "success":
      return { kind: "success" };
    case "silence":
      return { kind: "no-result", sentence: null, said: verdict.said };
    case "trouble": {
      const program = programOf(agent);
      const { trouble, until } = verdict;
      const name = program.kind === "program" ? program.name : "";
      return {
        kind: "no-result",
        sentence: noResultSentence({ name: agent.name, program: name, trouble, until, timeZone }),
      };
    }
    default:
      return verdict satisfies never;
  }
}
