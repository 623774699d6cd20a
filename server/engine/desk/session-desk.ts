/**
 * What people do with sessions: dispatch, withdraw or stop, reorder their own line, read output. Everything that changes a
 * session goes through the pool's door (P21).
 *
 * A dispatch with an `Idempotency-Key` goes in an order that must not be broken: the key is reserved with the id the session
 * will have, the session is enqueued under that id, and only then the answer is given. Wherever the process dies, a replay
 * finds the key and either the session or the room for it; it never makes a second one (P3).
 */
import { createHash } from "node:crypto";
import { OUTPUT_READ_MAX_BYTES } from "../../contract/common";
import type { Session } from "../../contract/sessions";
import type { PoolSnapshot } from "../../core/pool/picture";
import { columnOf } from "../../core/task/board";
import { isLive, type SessionId, type TaskId, type UserId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { DispatchKeys, KeyName } from "../../ports/dispatch-keys";
import type { Feed } from "../../ports/feed";
import type { Standings } from "../../ports/project-store";
import type { Runner } from "../../ports/runner";
import type { SessionStore } from "../../ports/session-store";
import { cardState, type StoredCard, type TaskStore } from "../../ports/task-store";
import { oneByOne, type UnderWay } from "../../system/one-by-one";
import type { Enqueued, Pool } from "../pool";
import { agreedSession } from "./card-views";
import { createDispatchChecks, type DispatchCheckParts, type DispatchWish } from "./dispatch-checks";
import { readBefore } from "./earlier-output";
import { createRate } from "./rate";
import { NOT_THERE, REOPEN_FIRST, type Refusal, refuse, refusedOrder } from "./refusal";
import { sessionView } from "./session-view";

/** Dispatches of one person in a minute: far above any honest use (P1). */
const DISPATCHES_PER_MINUTE = 6_000;

export interface SessionDeskParts extends DispatchCheckParts {
  readonly pool: Pick<Pool, "enqueue" | "cancel" | "reorder" | "snapshot">;
  readonly sessions: Pick<SessionStore, "session">;
  readonly tasks: Pick<TaskStore, "card" | "keepDone">;
  readonly feed: Feed;
  readonly keys: DispatchKeys;
  readonly standings: Pick<Standings, "mayDispatch">;
  readonly runner: Pick<Runner, "read" | "extent">;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly dispatchesPerMinute?: number;
}

/** A session as one snapshot shows it. */
export interface SeenSession {
  readonly kind: "session";
  readonly session: Session;
  readonly snapshot: PoolSnapshot;
}

export interface Dispatch extends Omit<SeenSession, "kind"> {
  readonly kind: "dispatched";
  readonly position: number | null;
  /** The session was there before this call: it was live already, or this is a replay of its key. */
  readonly existing: boolean;
}

/** Bytes from an offset on, or those that end at one. */
export type OutputWish = { readonly offset: number } | { readonly before: number };

export interface OutputPiece {
  readonly kind: "output";
  readonly bytes: Uint8Array;
  /** Where they begin. */
  readonly offset: number;
  readonly next: number;
  /** The agent is over and nothing follows. */
  readonly complete: boolean;
}

export type SessionDesk = ReturnType<typeof createSessionDesk>;

export function createSessionDesk(parts: SessionDeskParts) {
  const { pool, sessions, keys } = parts;
  const checks = createDispatchChecks(parts);
  const rate = createRate(parts.clock, parts.dispatchesPerMinute ?? DISPATCHES_PER_MINUTE);
  /** Calls with the same key go one after the other here; between servers the rows decide. */
  const underWay: UnderWay = new Map();

  async function seen(id: SessionId): Promise<SeenSession | null> {
    const found = await agreedSession(pool, sessions, id);
    return found && { kind: "session", session: sessionView(found.row, found.snapshot), snapshot: found.snapshot };
  }

  async function answered(id: SessionId, existing: boolean, enqueued: Enqueued | null): Promise<Dispatch> {
    const found = await seen(id);
    if (found === null) throw new Error(`the session ${id} was enqueued and is not there`);
    // Over before we looked, or no picture of it yet: the place it got is still the answer (P2).
    const position = found.session.position ?? enqueued?.position ?? null;
    return { ...found, kind: "dispatched", position, existing };
  }

  async function enqueue(
    userId: UserId,
    card: StoredCard,
    wish: DispatchWish,
    id: SessionId,
  ): Promise<Enqueued | Refusal> {
    const { task } = card;
    const live = pool.snapshot().ofTask(task.id);
    if (live === undefined && columnOf(cardState(card)) === "done") return REOPEN_FIRST;
    const checked = live
      ? { kind: "fine" as const, agentId: live.agentId, hold: null }
      : await checks.check(task, wish);
    if (checked.kind === "refused") return checked;
    const { id: taskId, projectId } = task;
    const { mode = "work", message = null } = wish;
    const { agentId, hold } = checked;
    const enqueued = await pool.enqueue({ id, taskId, projectId, userId, agentId, mode, message, hold });
    const answer = enqueued.existing ? "yes" : await parts.standings.mayDispatch(userId, taskId);
    if (answer === "yes") return enqueued;
    // The right ended, or the card was put into Done, in this moment: whoever did it looked for what lives before this was
    // there (S6, B3).
    await pool.cancel(enqueued.sessionId, userId);
    if (answer === "no") return NOT_THERE;
    await parts.tasks.keepDone(taskId);
    parts.feed.tasksChanged(projectId, [taskId]);
    return REOPEN_FIRST;
  }

  async function dispatchOnce(userId: UserId, taskId: TaskId, wish: DispatchWish): Promise<Dispatch | Refusal> {
    const card = await parts.tasks.card(taskId);
    if (card === null) return NOT_THERE;
    const enqueued = await enqueue(userId, card, wish, parts.newId());
    return "kind" in enqueued ? enqueued : answered(enqueued.sessionId, enqueued.existing, enqueued);
  }

  async function dispatchKeyed(name: KeyName, taskId: TaskId, wish: DispatchWish): Promise<Dispatch | Refusal> {
    const bodyHash = hashOf(wish);
    const entry = await keys.reserve(name, { bodyHash, sessionId: parts.newId() });
    if (entry.bodyHash !== bodyHash) {
      return refuse("KEY_REUSED", "This Idempotency-Key was used with another body in the last 24 hours.");
    }
    if ((await sessions.session(entry.sessionId)) !== null) return answered(entry.sessionId, true, null);
    const card = await parts.tasks.card(taskId);
    if (card === null) return NOT_THERE;
    let enqueued: Enqueued | Refusal;
    try {
      enqueued = await enqueue(name.userId, card, wish, entry.sessionId);
    } catch (error) {
      // Another server was asked the same in the same moment and has made it.
      if ((await sessions.session(entry.sessionId)) === null) throw error;
      return answered(entry.sessionId, true, null);
    }
    if ("kind" in enqueued) return enqueued;
    if (enqueued.sessionId !== entry.sessionId) await keys.pointTo(name, enqueued.sessionId);
    return answered(enqueued.sessionId, enqueued.existing, enqueued);
  }

  return {
    async dispatch(
      userId: UserId,
      taskId: TaskId,
      wish: DispatchWish,
      key: string | null,
    ): Promise<Dispatch | Refusal> {
      if (!rate.admits(userId)) {
        return refuse(
          "TOO_MANY_REQUESTS",
          "That is more dispatches in a minute than anybody means to make. Try again soon.",
        );
      }
      if (key === null) return dispatchOnce(userId, taskId, wish);
      const name = { userId, route: `tasks/${taskId}/dispatch`, key };
      return oneByOne(underWay, JSON.stringify(name), () => dispatchKeyed(name, taskId, wish));
    },
    async session(id: SessionId): Promise<SeenSession | Refusal> {
      return (await seen(id)) ?? NOT_THERE;
    },
    async cancel(userId: UserId, id: SessionId): Promise<SeenSession | Refusal> {
      await pool.cancel(id, userId);
      return (await seen(id)) ?? NOT_THERE;
    },
    async reorder(userId: UserId, id: SessionId, before: SessionId | null): Promise<SeenSession | Refusal> {
      const answer = await pool.reorder(id, userId, before);
      if (answer.kind === "refused") return refusedOrder(answer.reason);
      return (await seen(id)) ?? NOT_THERE;
    },
    async output(id: SessionId, wish: OutputWish, limit: number): Promise<OutputPiece | Refusal> {
      // The row first: once it says that the session is over, its last byte is there to be read (R6).
      const row = await sessions.session(id);
      if (row === null) return NOT_THERE;
      const isOver = !isLive(row.status);
      const offset = "offset" in wish ? wish.offset : 0;
      if (row.startedAt === null && row.attempt === 1)
        return { kind: "output", bytes: new Uint8Array(), offset, next: offset, complete: isOver };
      if (row.outputRemoved) return removedOutput(offset, row.outputBytes ?? 0);
      const run = { sessionId: id, attempt: row.attempt };
      const most = Math.min(limit, OUTPUT_READ_MAX_BYTES);
      if ("before" in wish) {
        const earlier = await readBefore(parts.runner, run, wish.before, most);
        return { kind: "output", ...earlier, complete: false };
      }
      const { bytes, next, complete } = await parts.runner.read(run, offset, most);
      // An attempt that was given up before it acted reads as complete and empty while the next one is on its way.
      const isEnd = (complete && (isOver || next > 0)) || (isOver && most > 0 && bytes.length === 0);
      return { kind: "output", bytes, offset, next, complete: isEnd };
    },
  };
}

/** Said in the output's own place, as the hole in the middle of a long one is: a line that takes no offsets (R6, R14). */
function removedOutput(offset: number, outputBytes: number): OutputPiece {
  const line = offset === 0 ? "[… output removed …]\n" : "";
  return {
    kind: "output",
    bytes: new TextEncoder().encode(line),
    offset,
    next: Math.max(offset, outputBytes),
    complete: true,
  };
}

function hashOf({ message, agentId, mode }: DispatchWish): string {
  const body = JSON.stringify([message ?? null, agentId ?? null, mode ?? "work"]);
  return createHash("sha256").update(body).digest("hex");
}
