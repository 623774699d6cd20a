/**
 * What servers on one database have to say to each other about the pool (P19). The writer tells of which version the rows are;
 * the others read the rows of exactly that version, insert queued sessions and write down what they ask; the writer looks for
 * both. Rows carry all of it, words only make somebody look sooner: a lost one costs a second, never more.
 * This port is the seam between servers: nothing behind it has to be on one machine.
 */
import type { AnswerTo, Order } from "../core/pool/events";
import type { LiveRow, PoolRows, UserRow } from "../core/pool/rows";
import type { AgentId, EndedStatus, Epoch, Millis, ProjectId, SessionId, TaskId, UserId } from "../core/words";

export type WishOrder = Order<"cancel" | "reorder" | "set-caps" | "set-user-cap" | "hold">;

/** What a server that is not the writer may ask for: people's wishes. What runs is told by the writer's own side. */
export type Wish =
  | WishOrder
  /** Memory is read again from rows (P18). */
  | { readonly kind: "rebuild" }
  /** An administrator gives up a runner that cannot be found out about (R3). */
  | { readonly kind: "declare-lost"; readonly sessionId: SessionId; readonly attempt: number };

export interface Asked {
  readonly id: string;
  readonly wish: Wish;
}

export type WishAnswer =
  | { readonly kind: "done"; readonly answer: AnswerTo<Wish["kind"] & Order["kind"]> }
  /** The rows refuse it; the same again would be refused. */
  | { readonly kind: "refused"; readonly message: string };

/** What the writer finds when it looks. */
export interface Found {
  /** Queued rows that no writer has taken in, oldest first. */
  readonly newcomers: readonly LiveRow[];
  /** Not answered yet, oldest first. */
  readonly asked: readonly Asked[];
  /** Somebody wants to be told. */
  readonly isFollowed: boolean;
}

/** Which rows a version changed, by id. */
export interface Changes {
  readonly sessions: readonly SessionId[];
  /** Of these, the ones whose card looks different. */
  readonly moved: readonly SessionId[];
  /** People whose limit or last grant changed. */
  readonly users: readonly UserId[];
  /** People whose counts, line, positions or reasons may differ. */
  readonly touched: readonly UserId[];
  /** Settings changed: everybody's reasons may differ. */
  readonly isAll: boolean;
}

/** What the rows are after a commit: facts that memory has and rows have not, and of which version they are. */
export interface Told {
  readonly version: number;
  /** The version told before it; null: everything has to be read again. */
  readonly since: number | null;
  readonly at: Millis;
  readonly isOpen: boolean;
  readonly isDiskShort: boolean;
  readonly changes: Changes;
}

/** What goes with a commit of the writer into the same statement. */
export interface Beside {
  /** Newcomers that memory holds from now on; none of them is changed or ended by the same commit. */
  readonly takenIn: readonly SessionId[];
  readonly answers: readonly { readonly id: string; readonly answer: WishAnswer }[];
  /** Null: nobody follows. */
  readonly told: Told | null;
}

/** A session named by a change that is over by now. */
export interface GoneRow {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly agentId: AgentId;
  readonly status: EndedStatus;
  /** The grant; null: it never held a slot. */
  readonly startedAt: Millis | null;
  readonly endedAt: Millis;
}

interface Version {
  readonly epoch: Epoch;
  readonly version: number;
  readonly at: Millis;
  readonly isOpen: boolean;
  readonly isDiskShort: boolean;
}

/** What is new for a server that follows. All of one answer was read in one moment, so it is the rows of its version. */
export type News =
  /** The writer of now has told nothing yet. */
  | { readonly kind: "untold" }
  | { readonly kind: "same" }
  | ({ readonly kind: "whole"; readonly rows: PoolRows } & Version)
  | ({
      readonly kind: "changes";
      readonly caps: PoolRows["caps"];
      readonly live: readonly LiveRow[];
      readonly gone: readonly GoneRow[];
      readonly users: readonly UserRow[];
      readonly moved: ReadonlySet<SessionId>;
      readonly touched: ReadonlySet<UserId> | "all";
    } & Version);

/** Words between servers; everybody hears all of them, their own too. */
export type PoolWord =
  /** There is a newcomer, a wish or a follower. */
  | "asked"
  /** The writer has committed something that others wait for. */
  | "told"
  /** The lease is free. */
  | "resigned";

export interface PoolLink {
  /** Told of every word, and of all three when some may have been missed. Answers how to stop. */
  hear(listener: (word: PoolWord) => void): () => void;
  /** Never waited for. */
  say(word: PoolWord): void;
  /** For the writer: `isFollowed` leaves its own holder out. */
  look(holder: string): Promise<Found>;
  /** Written down beside a commit: what could not go with one. */
  answer(id: string, answer: WishAnswer): Promise<void>;
  /** Forgets what nobody needs any more: changes long told, wishes long answered, followers long gone. */
  clear(epoch: Epoch, version: number): Promise<void>;
  ask(asked: Asked): Promise<void>;
  /** Of these, the ones that have been answered. */
  answers(ids: readonly string[]): Promise<ReadonlyMap<string, WishAnswer>>;
  /** Says that this server wants to be told; to be said again every few seconds. */
  follow(holder: string): Promise<void>;
  unfollow(holder: string): Promise<void>;
  /** What is new since a version; null: since nothing. */
  news(since: { readonly epoch: Epoch; readonly version: number } | null): Promise<News>;
  close(): Promise<void>;
}
