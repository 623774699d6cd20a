/**
 * The live channel (Socket.IO, default path): what travels and in which shapes. Everything carries absolute values, so a
 * message that is lost or comes twice does no harm; a gap is answered by asking for a snapshot (L2).
 */
import type { PoolPicture, PoolSeat, PoolSession } from "./pool";
import type { Task } from "./tasks";

export type PoolMessage =
  | ({ kind: "snapshot" } & PoolPicture)
  | {
      kind: "delta";
      epoch: number;
      /** The version this socket got last. */
      from: number;
      /** The same as `from`, when only places in the order of grants are told that its version did not tell yet. */
      to: number;
      at: string;
      set: {
        paused?: boolean;
        isReady?: boolean;
        isDiskShort?: boolean;
        truncated?: boolean;
        global?: PoolPicture["global"];
        perUserMax?: number;
        /** The whole, when one of them changed. */
        limits?: PoolPicture["limits"];
        users?: PoolPicture["users"];
        held?: PoolPicture["held"];
        seats?: Record<string, PoolSeat>;
        sessions?: Record<string, PoolSession>;
      };
      gone: { users?: string[]; held?: string[]; seats?: string[]; sessions?: string[] };
    };

export type BoardMessage =
  | { kind: "snapshot"; projectId: string; epoch: string; version: number; tasks: Task[] }
  | {
      kind: "delta";
      projectId: string;
      epoch: string;
      from: number;
      to: number;
      set: Task[];
      gone: string[];
    }
  /** The project was removed, or one may no longer see it. */
  | { kind: "closed"; projectId: string };

/**
 * Bytes [offset, next) of a session's output. Where the hole of a long output begins, a line stands for what is left out;
 * it takes no offsets. To a reader who follows the end (`tail`), `offset` may lie behind the former `next`: what is between
 * was leapt over and is read by the API.
 */
export interface OutputMessage {
  sessionId: string;
  offset: number;
  next: number;
  bytes: Uint8Array;
  /** The agent is over and nothing follows. */
  complete: boolean;
}

/** Told to every socket when the server leaves in an orderly way (R5). */
export interface RestartMessage {
  reason: "restarting";
}

/** Whether the database answers: told when it stops and when it is back, and at once to whoever comes meanwhile (B13). */
export interface DatabaseMessage {
  /** The last moment at which it did; null: it answers. */
  answeredAt: string | null;
}

/** What is read by plain calls, by the part of the contract that changes it; cards, sessions and the pool's picture come by themselves. */
export const NEWS_TOPICS = ["users", "projects", "agents", "settings", "pool", "tokens", "invitations"] as const;
export type NewsTopic = (typeof NEWS_TOPICS)[number];

/** Somebody changed something of these: whoever shows it reads it again (L5). Says neither what nor whose. */
export interface NewsMessage {
  topics: NewsTopic[];
}

/** The last word to a socket whose person was deactivated; whose login only ended hears none. */
export interface EndedMessage {
  reason: "deactivated";
}

/** What one asks to hear; the pool comes to everybody who is signed in, as far as they may see it. */
export const ROOMS = ["board", "output"] as const;

export interface WatchRequest {
  room: (typeof ROOMS)[number];
  /** A project's, or a session's. */
  id: string;
  /** Output only: the offset from which bytes are wanted. */
  offset?: number;
  /** Output only: one follows its end. Whoever lies more bytes behind than this is shown the last ones and not all others. */
  tail?: number;
}
export type WatchAnswer = { ok: true } | { code: string; message: string };

export interface ServerToClient {
  pool(message: PoolMessage): void;
  board(message: BoardMessage): void;
  output(message: OutputMessage): void;
  server(message: RestartMessage): void;
  database(message: DatabaseMessage): void;
  news(message: NewsMessage): void;
  ended(message: EndedMessage): void;
}
export interface ClientToServer {
  watch(request: WatchRequest, answer: (answer: WatchAnswer) => void): void;
  unwatch(request: Pick<WatchRequest, "room" | "id">, answer: (answer: WatchAnswer) => void): void;
  /** Asks for a full picture of the pool after a gap. */
  resync(answer: (answer: WatchAnswer) => void): void;
}
