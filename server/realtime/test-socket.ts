/** For tests: a client of the live channel that keeps the pictures as the contract says. */
import { io, type Socket } from "socket.io-client";
import type {
  BoardMessage,
  ClientToServer,
  NewsTopic,
  OutputMessage,
  PoolMessage,
  ServerToClient,
  WatchAnswer,
} from "../contract/live";
import type { PoolPicture } from "../contract/pool";
import type { Task } from "../contract/tasks";
import { waitFor } from "../testing/wait-for";

/** Notes a gap whenever a delta does not fit. */
export class TestSocket {
  readonly socket: Socket<ServerToClient, ClientToServer>;
  readonly poolMessages: PoolMessage[] = [];
  readonly boardMessages: BoardMessage[] = [];
  readonly outputMessages: OutputMessage[] = [];
  /** Topics as they were told, one message after the other. */
  readonly news: NewsTopic[][] = [];
  readonly ends: string[] = [];
  readonly gaps: string[] = [];
  pool: PoolPicture | null = null;
  board: { epoch: string; version: number; tasks: Map<string, Task> } | null = null;
  isToldOfRestart = false;

  constructor(url: string, cookie: string, options: object = {}) {
    this.socket = io(url, {
      transports: ["websocket"],
      reconnection: false,
      forceNew: true,
      extraHeaders: { cookie },
      ...options,
    });
    this.socket.on("pool", (message) => this.#heardPool(message));
    this.socket.on("board", (message) => this.#heardBoard(message));
    this.socket.on("output", (message) => this.outputMessages.push(message));
    this.socket.on("news", ({ topics }) => this.news.push(topics));
    this.socket.on("server", () => {
      this.isToldOfRestart = true;
    });
    this.socket.on("connect_error", (error) => this.ends.push(error.message));
    this.socket.on("disconnect", (reason) => this.ends.push(reason));
  }

  watch(room: "board" | "output", id: string, offset?: number, tail?: number): Promise<WatchAnswer> {
    const from = offset === undefined ? {} : { offset };
    return this.socket.emitWithAck("watch", { room, id, ...from, ...(tail === undefined ? {} : { tail }) });
  }

  poolAt(version: number): Promise<PoolPicture> {
    return waitFor(() => this.pool && this.pool.version >= version && this.pool, `version ${version} of the pool`);
  }

  #heardPool(message: PoolMessage): void {
    this.poolMessages.push(message);
    if (message.kind === "snapshot") {
      const { kind: _, ...picture } = message;
      this.pool = picture;
      return;
    }
    const { pool } = this;
    if (!pool || pool.epoch !== message.epoch || pool.version !== message.from) {
      this.gaps.push(`pool: had ${pool?.version}, delta from ${message.from}`);
      return;
    }
    const { set, gone } = message;
    this.pool = {
      ...pool,
      ...set,
      version: message.to,
      at: message.at,
      users: without({ ...pool.users, ...set.users }, gone.users),
      held: without({ ...pool.held, ...set.held }, gone.held),
      seats: without({ ...pool.seats, ...set.seats }, gone.seats),
      sessions: without({ ...pool.sessions, ...set.sessions }, gone.sessions),
    };
  }

  #heardBoard(message: BoardMessage): void {
    this.boardMessages.push(message);
    if (message.kind === "closed") {
      this.board = null;
      return;
    }
    if (message.kind === "snapshot") {
      const { epoch, version, tasks } = message;
      this.board = { epoch, version, tasks: new Map(tasks.map((task) => [task.id, task])) };
      return;
    }
    const { board } = this;
    if (!board || board.epoch !== message.epoch || board.version !== message.from) {
      this.gaps.push(`board: had ${board?.version}, delta from ${message.from}`);
      return;
    }
    board.version = message.to;
    for (const task of message.set) board.tasks.set(task.id, task);
    for (const id of message.gone) board.tasks.delete(id);
  }
}

function without<Value>(record: Record<string, Value>, keys: readonly string[] = []): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
