/**
 * What the server keeps of a session's events while it runs: its conversation, its last action, what it used, and whether it
 * came to a good end. Small whatever the length of the output; the same events always give the same summary.
 */
import type { Millis } from "../words";
import type { AgentEvent, AgentTrouble } from "./events";
import { lastLineOf } from "./last-line";
import { quirksOf } from "./quirks";
import { limitUntil, spokenMessage, troubleOf } from "./trouble";
import { addUsage, NOTHING_USED, type Usage, type UsageSum, usageOf } from "./usage";

export interface Summary {
  /** The agent's own id of the conversation, by which a follow-up continues it (A5). */
  readonly conversation: string | null;
  /** False: its agent takes up no conversation again. Null: it does not say. */
  readonly canContinue: boolean | null;
  readonly agent: string | null;
  readonly model: string | null;
  /** What it did last, in one line; null: nothing yet. */
  readonly lastAction: string | null;
  readonly used: UsageSum;
  /** How the last turn ended; null: none did. */
  readonly end: Extract<AgentEvent, { kind: "end" }>["reason"] | null;
  /** The newest error of this turn. */
  readonly trouble: AgentTrouble | null;
  /** The newest error that is being tried again. */
  readonly retrying: AgentTrouble | null;
  /** Until when a service takes no more. */
  readonly limitUntil: Millis | null;
  /** The last thing the agent said, cut to its beginning. */
  readonly lastText: string;
  readonly lastTextId: string | null;
  /** The next piece of a text without an id belongs to it. */
  readonly isTextOpen: boolean;
  /** The last line that belongs to no protocol: what a program says that gives up before it speaks it. */
  readonly lastRaw: string | null;
}

/** Of the last text only its beginning counts: whether it is an error. In characters. */
const LAST_TEXT_MAX = 2_000;

export const NOTHING_SAID: Summary = {
  conversation: null,
  canContinue: null,
  agent: null,
  model: null,
  lastAction: null,
  used: NOTHING_USED,
  end: null,
  trouble: null,
  retrying: null,
  limitUntil: null,
  lastText: "",
  lastTextId: null,
  isTextOpen: false,
  lastRaw: null,
};

export function summarize(before: Summary, event: AgentEvent): Summary {
  const summary = { ...before, used: addUsage(before.used, event) };
  switch (event.kind) {
    case "session":
      return {
        ...summary,
        conversation: event.id ?? summary.conversation,
        canContinue: event.canContinue ?? summary.canContinue,
        agent: event.agent ?? summary.agent,
        model: event.model ?? summary.model,
      };
    case "begin": {
      const { agent, model, canContinue } = summary;
      const conversation = event.conversation ?? summary.conversation;
      return { ...NOTHING_SAID, used: summary.used, agent, model, conversation, canContinue };
    }
    case "text":
      return saysMore(summary, event);
    case "tool":
      return {
        ...resumed(summary),
        lastText: "",
        lastTextId: null,
        isTextOpen: false,
        lastAction: actionOf(event.title) ?? summary.lastAction,
      };
    case "thought":
      return resumed(summary);
    case "person":
      return { ...summary, isTextOpen: false };
    case "question":
      return { ...summary, lastAction: actionOf(event.text) ?? summary.lastAction };
    case "background":
      // A helper that works on after the turn has not begun another one.
      return {
        ...summary,
        lastAction: actionOf(event.text) ?? summary.lastAction,
        end: event.state === "ended" ? (summary.end ?? "done") : summary.end,
      };
    case "retry":
      return { ...summary, retrying: event.error };
    case "raw":
      return { ...summary, lastRaw: lastLineOf(event.text) ?? summary.lastRaw };
    case "limit":
      return { ...summary, limitUntil: event.until };
    case "error":
      // One without words: those that follow are meant.
      return event.message === ""
        ? { ...summary, trouble: event, lastText: "", lastTextId: null }
        : { ...summary, trouble: event };
    case "end":
      return { ...endTurn(summary, event.reason), isTextOpen: false };
    default:
      return summary;
  }
}

/** A new turn has begun, or the one before goes on: what was wrong is over. */
function resumed(summary: Summary): Summary {
  return { ...summary, end: null, trouble: null, retrying: null };
}

function saysMore(summary: Summary, event: Extract<AgentEvent, { kind: "text" }>): Summary {
  const isSame = summary.isTextOpen && event.id === summary.lastTextId && !event.isWhole;
  const text = `${isSame ? summary.lastText : ""}${event.text}`.slice(0, LAST_TEXT_MAX);
  const lastAction = actionOf(event.isWhole ? event.text : text) ?? summary.lastAction;
  const isAboutTrouble = summary.trouble?.message === "";
  const whole = isAboutTrouble ? `${summary.lastText}${event.text}`.slice(0, LAST_TEXT_MAX) : text;
  return {
    ...(isAboutTrouble ? summary : resumed(summary)),
    lastText: whole,
    lastTextId: event.id,
    isTextOpen: true,
    lastAction,
  };
}

function actionOf(text: string | null): string | null {
  return text === null ? null : lastLineOf(text);
}

/** Some agents end well and say only in words that they failed. */
function endTurn(summary: Summary, reason: NonNullable<Summary["end"]>): Summary {
  const { agent, lastText, trouble } = summary;
  if (reason !== "done") return { ...summary, end: reason };
  const isSaid = quirksOf(agent).saysErrors && lastText.startsWith("Error: ");
  if (trouble === null && !isSaid) return { ...summary, end: "done" };
  const message = spokenMessage(trouble?.message || lastText);
  return { ...summary, end: "error", trouble: troubleOf(message, trouble?.status ?? null) };
}

/** How the session came out, by what its agent told. */
export type Verdict =
  | { readonly kind: "success" }
  | { readonly kind: "trouble"; readonly trouble: AgentTrouble; readonly until: Millis | null }
  /** It ended without telling anything about how; `said`: its last words. */
  | { readonly kind: "silence"; readonly said: string | null };

/** `endedAt`: when the agent was over, for limits that hold "for 2 hours". */
export function verdictOf(summary: Summary, endedAt: Millis): Verdict {
  if (summary.end === "done") return { kind: "success" };
  const trouble = summary.trouble ?? summary.retrying;
  if (trouble === null) return { kind: "silence", said: summary.lastRaw };
  const until = trouble.error === "usage-limit" ? (limitUntil(trouble.message, endedAt) ?? summary.limitUntil) : null;
  return { kind: "trouble", trouble, until };
}

/** Usage for the session's row, see `usageOf`. */
export function usageOfSession(summary: Summary, earlierCostUsd: number | null): Usage | null {
  return usageOf(summary.used, summary.end === null || summary.end === "cancelled", earlierCostUsd);
}
