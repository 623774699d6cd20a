/**
 * Moving a card. The decision is made while the project's other cards cannot move (`TaskStore.place`), so of two people who
 * move one card one wins and the other is told where it is (B3). The card is put on its shelf first and its session ended
 * after: it is never seen somewhere in between, and a stop that fails leaves it where the pool has it.
 */
import type { Task } from "../../contract/tasks";
import type { PoolSnapshot } from "../../core/pool/picture";
import { type CardState, decideMove, type MoveDecision, type MoveRefusal } from "../../core/task/board";
import type { Column, TaskId, UserId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { Feed } from "../../ports/feed";
import type { TaskStore } from "../../ports/task-store";
import type { Pool } from "../pool";
import { NOT_THERE, REOPEN_FIRST, type Refusal, refuse, refusedOrder } from "./refusal";
import type { SessionDesk } from "./session-desk";

/** A card as one snapshot shows it. */
export interface SeenTask {
  readonly kind: "task";
  readonly task: Task;
  readonly snapshot: PoolSnapshot;
}

export interface MoverParts {
  readonly tasks: Pick<TaskStore, "card" | "place">;
  readonly pool: Pick<Pool, "snapshot" | "cancel" | "reorder">;
  readonly dispatch: SessionDesk["dispatch"];
  readonly seen: (id: TaskId) => Promise<SeenTask | Refusal>;
  readonly feed: Feed;
  readonly clock: Clock;
}

export interface MoveWish {
  readonly column: Column;
  /** The card it shall stand before; null or undefined: at the end. */
  readonly before?: TaskId | null | undefined;
  readonly from?: Column | undefined;
  readonly isConfirmed: boolean;
}

export function createMover(parts: MoverParts) {
  const { tasks, pool, seen } = parts;

  /** What the pool says of the session goes before what the row says: the row may be a moment older. */
  function asThePoolSees(id: TaskId, card: CardState): CardState {
    const live = pool.snapshot().ofTask(id);
    if (live === undefined) return card;
    return { ...card, live: live.status };
  }

  async function place(userId: UserId, id: TaskId, wish: MoveWish, projectId: string): Promise<MoveDecision | "gone"> {
    let decision: MoveDecision | null = null;
    const placed = await tasks.place({
      taskId: id,
      projectId,
      before: wish.before ?? null,
      by: userId,
      at: parts.clock.now(),
      shelfFor(card) {
        decision = decideMove(asThePoolSees(id, card), wish);
        return decision.kind === "shelve" ? decision.shelf : null;
      },
    });
    return placed === "gone" || decision === null ? "gone" : decision;
  }

  return {
    async move(userId: UserId, id: TaskId, wish: MoveWish): Promise<SeenTask | Refusal> {
      const card = await tasks.card(id);
      if (card === null) return NOT_THERE;
      const { projectId } = card.task;
      const decision = await place(userId, id, wish, projectId);
      if (decision === "gone") return NOT_THERE;
      switch (decision.kind) {
        case "refused":
          return refusedMove(decision.reason, await seen(id));
        case "dispatch": {
          const dispatched = await parts.dispatch(userId, id, {}, null);
          return dispatched.kind === "refused" ? dispatched : seen(id);
        }
        case "reorder-line":
          return reorder(parts, userId, id, wish.before);
        case "shelve": {
          parts.feed.tasksChanged(projectId, [id]);
          if (decision.ends !== null) await endSession(parts, userId, id);
          return seen(id);
        }
        default:
          return decision satisfies never;
      }
    },
  };
}

/** The row knows a session a moment before the snapshot does. */
async function endSession({ pool, tasks }: MoverParts, userId: UserId, id: TaskId): Promise<void> {
  const sessionId = pool.snapshot().ofTask(id)?.id ?? (await tasks.card(id))?.newest?.id;
  if (sessionId !== undefined) await pool.cancel(sessionId, userId);
}

/** `before` names a card; the line is of sessions. Not named at all: it stays where it is. */
async function reorder(parts: MoverParts, userId: UserId, id: TaskId, before: TaskId | null | undefined) {
  if (before === undefined) return parts.seen(id);
  const snapshot = parts.pool.snapshot();
  const own = snapshot.ofTask(id);
  const next = before === null ? null : snapshot.ofTask(before);
  if (own === undefined || next === undefined)
    return refuse("CONFLICT", "One of the two cards does not wait any more.");
  const answer = await parts.pool.reorder(own.id, userId, next?.id ?? null);
  if (answer.kind === "refused") return refusedOrder(answer.reason);
  return parts.seen(id);
}

function refusedMove(reason: MoveRefusal, where: SeenTask | Refusal): Refusal {
  if (where.kind === "refused") return where;
  const { column, session } = where.task;
  switch (reason) {
    case "moved":
      return refuse("MOVED", `Somebody else moved this card: it is in ${COLUMN_NAMES[column]} now.`, { column });
    case "only-the-pool":
      return refuse("CONFLICT", "A card goes to Running by itself, when its session gets a seat.", { column });
    case "already-running":
      return refuse("CONFLICT", "It is running already.", { column });
    case "nothing-to-review":
      return refuse("CONFLICT", "There is nothing to review yet: no session of this task has run.", { column });
    case "reopen-first":
      return { ...REOPEN_FIRST, details: { column } };
    case "would-stop":
      return refuse(
        "CONFIRM",
        "An agent works on it: moving the card stops it. The work so far is kept on its branch.",
        {
          column,
          sessionId: session?.id ?? null,
          stops: "running",
        },
      );
    default:
      return reason satisfies never;
  }
}

const COLUMN_NAMES: Record<Column, string> = {
  backlog: "Backlog",
  waiting: "Waiting",
  running: "Running",
  review: "Review",
  done: "Done",
};
