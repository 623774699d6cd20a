/** One run of the fake runner: what is known of it, and how it looks from outside. */
import type { Question } from "../core/session/question";
import type { AttemptRef } from "../core/words";
import type { AgentOrder, Ending, OutputChunk, Probe, RunOrder } from "../ports/runner";

type Life = "unclaimed" | "given-up" | "present" | "orphaned" | "exited" | "gone";

export interface FakeRun {
  readonly ref: AttemptRef;
  order: RunOrder | null;
  life: Life;
  hostPid: number;
  isStopAsked: boolean;
  question: Question | null;
  readonly told: AgentOrder[];
  output: Uint8Array;
  printedAt: number | null;
  ending: Ending | null;
  pretended: Probe | null;
  readonly watchers: Set<() => void>;
}

export function makeRun(ref: AttemptRef): FakeRun {
  return {
    ref: { sessionId: ref.sessionId, attempt: ref.attempt },
    order: null,
    life: "unclaimed",
    hostPid: 0,
    isStopAsked: false,
    question: null,
    told: [],
    output: new Uint8Array(0),
    printedAt: null,
    ending: null,
    pretended: null,
    watchers: new Set(),
  };
}

export function nameOf(ref: AttemptRef): string {
  return `${ref.sessionId}.${ref.attempt}`;
}

export function tell(run: FakeRun): void {
  for (const changed of run.watchers) changed();
}

export function pictureOf(run: FakeRun | undefined): Probe {
  if (!run) return { kind: "unclaimed", hostPid: null };
  switch (run.life) {
    case "unclaimed":
      return { kind: "unclaimed", hostPid: run.order ? run.hostPid : null };
    case "given-up":
      return { kind: "unclaimed", hostPid: null };
    case "present":
      return { kind: "present", hostPid: run.hostPid, agentPid: run.hostPid + 1, isUp: true, question: run.question };
    case "orphaned":
      return { kind: "orphaned", pids: [run.hostPid + 1] };
    case "exited":
      return run.ending ? { kind: "exited", ending: run.ending } : { kind: "gone" };
    case "gone":
      return { kind: "gone" };
    default:
      return run.life satisfies never;
  }
}

export function readFrom(run: FakeRun | undefined, offset: number, limit: number): OutputChunk {
  const output = run?.output ?? new Uint8Array(0);
  const bytes = output.slice(offset, offset + limit);
  const next = offset + bytes.length;
  const isOver = run !== undefined && ["exited", "gone", "given-up"].includes(run.life);
  return { bytes, next, complete: isOver && next >= output.length };
}

/** An answer to the same question, or a message with the same key. */
export function isSameOrder(order: AgentOrder, other: AgentOrder): boolean {
  if (order.kind === "answer") return other.kind === "answer" && other.questionId === order.questionId;
  return order.key !== undefined && other.kind === "message" && other.key === order.key;
}
