/**
 * What may be asked of the pool, and how it answers. Each order carries everything that deciding needs (ids, times), so
 * that the same orders on the same rows always decide the same.
 */
import type { Ended } from "../session/lifecycle";
import type { Question } from "../session/question";
import type { AgentId, AttemptRef, Millis, ProjectId, SessionId, SessionPhase, TaskId, UserId } from "../words";
import type { Caps, Hold, LiveRow } from "./rows";

export interface NewSession {
  /**
   * The id it shall have; absent: the pool makes one. Chosen beforehand by a caller that must find the session again
   * although the process dies before the answer (`Idempotency-Key`, P3).
   */
  readonly id?: SessionId;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly mode: "work" | "plan";
  /** Follow-up text (A5); null: the task's prompt. */
  readonly message: string | null;
  /** Held from the start, if something is unusable already (P14). */
  readonly hold?: Hold | null;
}

/** What a session's supervisor tells about a running session. Dropped when the attempt is not held (R1). */
export interface Progress {
  readonly phase?: Exclude<SessionPhase, "stopping">;
  readonly lastAction?: string;
  readonly outputBytes?: number;
  /** When its agent wrote last (R9). */
  readonly lastOutputAt?: Millis;
  /** Its runner outlived our restart and was taken over now. */
  readonly isAdopted?: true;
  /** What the agent waits for an answer to; null: for nothing any more (R12). */
  readonly question?: Question | null;
}

export type CancelAnswer =
  | { readonly kind: "left-the-line" }
  | { readonly kind: "stopping" }
  /** It was over already; nothing changed. */
  | { readonly kind: "over" };

export type ReorderAnswer =
  | { readonly kind: "reordered" }
  /** Not queued, not in this user's line, or `before` is not. */
  | { readonly kind: "refused"; readonly reason: "not-queued" | "not-your-line" | "not-before-that" };

export type RequeueAnswer = "requeued" | "stale" | "tried-too-often";

export interface OrderKinds {
  enqueue: {
    readonly order: { readonly sessionId: SessionId; readonly at: Millis; readonly session: NewSession };
    readonly answer: { readonly sessionId: SessionId; readonly existing: boolean };
  };
  cancel: {
    readonly order: { readonly sessionId: SessionId; readonly by: UserId; readonly at: Millis };
    readonly answer: CancelAnswer;
  };
  reorder: {
    readonly order: { readonly sessionId: SessionId; readonly by: UserId; readonly before: SessionId | null };
    readonly answer: ReorderAnswer;
  };
  "set-caps": { readonly order: { readonly change: Partial<Caps> }; readonly answer: Caps };
  "set-user-cap": { readonly order: { readonly userId: UserId; readonly max: number | null }; readonly answer: null };
  hold: { readonly order: { readonly sessionId: SessionId; readonly hold: Hold | null }; readonly answer: null };
  progress: { readonly order: { readonly run: AttemptRef; readonly progress: Progress }; readonly answer: null };
  /** The answer is whether the slot was still held. */
  release: {
    readonly order: { readonly run: AttemptRef; readonly ended: Ended };
    readonly answer: "released" | "stale";
  };
  requeue: { readonly order: { readonly run: AttemptRef; readonly at: Millis }; readonly answer: RequeueAnswer };
  /** Granted by a server that leaves, nothing was made for it: back to the line, as if it had not been granted (R5). */
  "hand-back": {
    readonly order: { readonly run: AttemptRef; readonly at: Millis };
    readonly answer: "handed-back" | "stale";
  };
  /** A row that somebody else inserted: it takes its place in its line. */
  "take-in": { readonly order: { readonly row: LiveRow }; readonly answer: null };
  /** The boot pass is over: grants may begin (P12). */
  open: { readonly order: object; readonly answer: null };
}

export type OrderKind = keyof OrderKinds;
export type Order<K extends OrderKind = OrderKind> = {
  [Kind in K]: { readonly kind: Kind } & OrderKinds[Kind]["order"];
}[K];
export type AnswerTo<K extends OrderKind> = OrderKinds[K]["answer"];

/** In which order a batch is decided: slots come back first, people's newest wishes last. */
export const ORDER_OF_KINDS = {
  "take-in": 0,
  release: 1,
  requeue: 2,
  "hand-back": 3,
  progress: 4,
  cancel: 5,
  hold: 6,
  reorder: 7,
  "set-caps": 8,
  "set-user-cap": 9,
  enqueue: 10,
  open: 11,
} as const satisfies Record<OrderKind, number>;
