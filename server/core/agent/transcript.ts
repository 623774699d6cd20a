/**
 * A session's output as something to read: messages, thoughts, tool calls with what went in and came out, plans, questions and
 * their answers, errors. The same for every agent, and the same however its output was cut. Pure: used by the browser too.
 */
import type { AgentEvent, AgentTrouble, NumberedEvent, PlanStep, ToolKind, ToolStatus } from "./events";

export type TranscriptItem =
  | { readonly kind: "agent"; readonly n: number; readonly text: string }
  /** To be shown folded. */
  | { readonly kind: "thought"; readonly n: number; readonly text: string }
  | { readonly kind: "person"; readonly n: number; readonly text: string }
  | {
      readonly kind: "tool";
      readonly n: number;
      readonly id: string;
      readonly name: string | null;
      readonly toolKind: ToolKind;
      /** For `execute`: the command. */
      readonly title: string;
      readonly input: unknown;
      readonly status: ToolStatus;
      readonly output: string;
    }
  | {
      readonly kind: "question";
      readonly n: number;
      readonly id: string;
      readonly text: string;
      readonly options: readonly string[];
      /** Null: not answered. */
      readonly answer: string | null;
    }
  /** Of what runs in the background, in our words or the agent's program's. */
  | { readonly kind: "note"; readonly n: number; readonly text: string }
  /** The newest state of the agent's plan; it stands where the plan was first told. */
  | { readonly kind: "plan"; readonly n: number; readonly steps: readonly PlanStep[] }
  | {
      readonly kind: "retry";
      readonly n: number;
      readonly attempt: number | null;
      readonly max: number | null;
      readonly trouble: AgentTrouble;
    }
  | { readonly kind: "error"; readonly n: number; readonly trouble: AgentTrouble }
  /** Lines that belong to no message, for example what a program writes beside its protocol; shown on demand. */
  | { readonly kind: "raw"; readonly n: number; readonly text: string };

/** `n` of an item is the number of its first event: a key that stays. */
export interface Transcript {
  readonly items: readonly TranscriptItem[];
  /** The newest event's number; ask for what comes after it. 0: none yet. */
  readonly upTo: number;
  readonly agent: string | null;
  readonly agentVersion: string | null;
  readonly model: string | null;
  /** Pieces are still to come for the item with this key (`kind id`), at this place; or it may be told once more. */
  readonly open: ReadonlyMap<string, number>;
}

export const EMPTY_TRANSCRIPT: Transcript = {
  items: [],
  upTo: 0,
  agent: null,
  agentVersion: null,
  model: null,
  open: new Map(),
};

/** Events that are in it already are passed over, so that an overlap does no harm. */
export function addToTranscript(before: Transcript, events: readonly NumberedEvent[]): Transcript {
  const draft: Draft = { ...before, items: [...before.items], open: new Map(before.open) };
  for (const { n, event } of events) {
    if (n <= draft.upTo) continue;
    draft.upTo = n;
    add(draft, n, event);
  }
  return draft;
}

interface Draft {
  items: TranscriptItem[];
  upTo: number;
  agent: string | null;
  agentVersion: string | null;
  model: string | null;
  open: Map<string, number>;
}

function add(draft: Draft, n: number, event: AgentEvent): void {
  switch (event.kind) {
    case "session":
      draft.agent = event.agent ?? draft.agent;
      draft.agentVersion = event.agentVersion ?? draft.agentVersion;
      draft.model = event.model ?? draft.model;
      return;
    case "begin":
      // A replayed history: it stands in the earlier sessions' transcripts.
      draft.items = draft.items.filter((item) => item.kind === "raw" || item.kind === "error");
      draft.open = new Map();
      return;
    case "text":
      addWords(draft, n, "agent", event);
      return;
    case "thought":
      addWords(draft, n, "thought", event);
      return;
    case "person":
      addPerson(draft, n, event);
      return;
    case "tool":
      addTool(draft, n, event);
      return;
    case "question":
      draft.items.push({ kind: "question", n, id: event.id, text: event.text, options: event.options, answer: null });
      return;
    case "answer":
      addAnswer(draft, event);
      return;
    case "background":
      draft.items.push({ kind: "note", n, text: event.text });
      return;
    case "plan":
      addPlan(draft, n, event.steps);
      return;
    case "retry":
      draft.items.push({ kind: "retry", n, attempt: event.attempt, max: event.max, trouble: event.error });
      return;
    case "error": {
      const { error, status, message } = event;
      if (message !== "") draft.items.push({ kind: "error", n, trouble: { error, status, message } });
      return;
    }
    case "raw":
      draft.items.push({ kind: "raw", n, text: event.text });
      return;
    case "end":
      // What comes next without an id is another message.
      draft.open.delete("agent ");
      draft.open.delete("thought ");
      return;
    case "turn":
    case "usage":
    case "limit":
      return;
    default:
      event satisfies never;
  }
}

/** Pieces of one message are joined while nothing else comes between; the whole message takes their place. */
function addWords(
  draft: Draft,
  n: number,
  kind: "agent" | "thought",
  event: Extract<AgentEvent, { kind: "text" | "thought" }>,
): void {
  const key = `${kind} ${event.id ?? ""}`;
  const place = draft.open.get(key);
  const item = place === undefined ? undefined : draft.items[place];
  const isNext = event.id !== null || place === draft.items.length - 1;
  if (place !== undefined && item?.kind === kind && isNext) {
    draft.items[place] = { ...item, text: event.isWhole ? event.text : item.text + event.text };
  } else if (event.text !== "") {
    draft.open.set(key, draft.items.length);
    draft.items.push({ kind, n, text: event.text });
  }
  if (event.isWhole) draft.open.delete(key);
}

/** What the host passed on, some agents tell once more when they take it up: several messages as one, if they waited. */
function addPerson(draft: Draft, n: number, { text, isOrder }: Extract<AgentEvent, { kind: "person" }>): void {
  if (!isOrder && isToldAgain(draft, text)) return;
  if (isOrder) draft.open.set(`told ${n}`, draft.items.length);
  draft.items.push({ kind: "person", n, text });
}

function isToldAgain(draft: Draft, text: string): boolean {
  const told = [...draft.open].flatMap(([key, place]) => {
    const item = draft.items[place];
    return key.startsWith("told ") && item?.kind === "person" ? [{ key, text: item.text }] : [];
  });
  const one = told.find((order) => order.text === text);
  const meant = one ? [one] : told.map((order) => order.text).join(BETWEEN_ORDERS) === text ? told : [];
  for (const { key } of meant) draft.open.delete(key);
  return meant.length > 0;
}

/** Between messages that become one prompt; as the host's drivers join them. */
const BETWEEN_ORDERS = "\n\n";

function addTool(draft: Draft, n: number, event: Extract<AgentEvent, { kind: "tool" }>): void {
  const key = `tool ${event.id}`;
  const place = draft.open.get(key);
  const item = place === undefined ? undefined : draft.items[place];
  if (place === undefined || item?.kind !== "tool") {
    // A result without its call: of a plan, which is shown as such.
    if (event.name === null && event.title === null) return;
    draft.open.set(key, draft.items.length);
    draft.items.push({
      kind: "tool",
      n,
      id: event.id,
      name: event.name,
      toolKind: event.toolKind ?? "other",
      title: event.title ?? event.name ?? "",
      input: event.input,
      status: event.status ?? "running",
      output: event.output ?? event.more ?? "",
    });
    return;
  }
  draft.items[place] = {
    ...item,
    name: event.name ?? item.name,
    toolKind: event.toolKind ?? item.toolKind,
    title: event.title || item.title,
    input: event.input ?? item.input,
    status: event.status ?? item.status,
    output: event.output ?? (event.more === null ? item.output : item.output + event.more),
  };
}

function addAnswer(draft: Draft, event: Extract<AgentEvent, { kind: "answer" }>): void {
  const place = draft.items.findLastIndex((item) => item.kind === "question" && item.id === event.questionId);
  const item = draft.items[place];
  if (item?.kind === "question") draft.items[place] = { ...item, answer: event.option };
}

function addPlan(draft: Draft, n: number, steps: readonly PlanStep[]): void {
  const place = draft.items.findLastIndex((item) => item.kind === "plan");
  const item = draft.items[place];
  if (item?.kind === "plan") draft.items[place] = { ...item, steps };
  else draft.items.push({ kind: "plan", n, steps });
}
