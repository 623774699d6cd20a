/**
 * The one socket of a tab. It writes what it hears into the query cache (and is the only writer of live keys), asks again
 * after every gap, and always knows how it stands with the server. It never gives up, and no reload by hand is needed.
 * Order not to break: how it stands first (standing.ts), then the picture, so that nothing fresh is shown under an old warning.
 */
import type { QueryClient } from "@tanstack/react-query";
import type { BoardMessage, PoolMessage, WatchAnswer } from "@/server/contract/live";
import type { PoolPicture } from "@/server/contract/pool";
import { askFirstWhile, onAnswer } from "../api";
import { type BoardPicture, stepBoard } from "./board-state";
import { heardServerTime } from "./clock";
import { liveKeys } from "./keys";
import type { LiveSocket } from "./live-socket";
import { readAgain } from "./news";
import { OutputRooms } from "./output-rooms";
import { stepPool } from "./pool-state";
import { Standing } from "./standing";
import { watchTab } from "./watch-tab";

/** How long an answer of the server may take before the connection counts as lost. */
const ANSWER_MS = 2_500;
/** First and longest wait between two attempts to connect. */
const RETRY_MS = { first: 250, longest: 3_000 };
export class LiveConnection {
  readonly outputs: OutputRooms;
  readonly standing: Standing;
  private readonly socket: LiveSocket;
  private readonly cache: QueryClient;
  private readonly boards = new Map<string, number>();
  /** What was asked for and is not answered yet: a burst behind a gap asks once. */
  private readonly asked = new Set<string>();
  private readonly stops: (() => void)[] = [];
  private retry: ReturnType<typeof setTimeout> | null = null;
  private retryMs = RETRY_MS.first;
  private isStopped = false;

  constructor(cache: QueryClient, socket: LiveSocket) {
    this.cache = cache;
    this.socket = socket;
    this.standing = new Standing(() => socket.connected);
    this.outputs = new OutputRooms(socket, (answer) => this.watched(answer));
  }

  start(): void {
    this.isStopped = false;
    this.listen();
    // What it sent before it has come: until then everything on the screen was right, also where nothing changes.
    const pinged = () => this.standing.heard();
    this.socket.io.on("ping", pinged);
    this.stops.push(
      () => this.socket.io.off("ping", pinged),
      watchTab(() => this.tryNow()),
      onAnswer((response) => this.heardAnswer(response)),
      askFirstWhile(() => this.standing.current().kind === "reconnecting"),
    );
    this.standing.begin();
    this.socket.connect();
  }

  stop(): void {
    this.isStopped = true;
    for (const stop of this.stops.splice(0)) stop();
    if (this.retry !== null) clearTimeout(this.retry);
    this.standing.end();
    this.socket.removeAllListeners();
    this.socket.disconnect();
  }

  /** Tries at once instead of waiting for its turn. */
  tryNow(): void {
    this.retryMs = RETRY_MS.first;
    if (this.socket.connected) void this.check();
    else this.socket.connect();
  }

  watchBoard(projectId: string): () => void {
    const watchers = this.boards.get(projectId) ?? 0;
    this.boards.set(projectId, watchers + 1);
    if (watchers === 0) this.askForBoard(projectId);
    return () => {
      const left = (this.boards.get(projectId) ?? 1) - 1;
      if (left > 0) {
        this.boards.set(projectId, left);
        return;
      }
      this.boards.delete(projectId);
      this.asked.delete(`board ${projectId}`);
      if (this.socket.connected) this.socket.emit("unwatch", { room: "board", id: projectId }, () => {});
    };
  }

  private listen(): void {
    this.socket.on("connect", () => this.connected());
    this.socket.on("disconnect", (reason) => this.lost(reason === "io server disconnect"));
    this.socket.on("connect_error", (error) => {
      if (error.message === "unauthorized") this.standing.shutOut();
      else this.lost(!this.socket.active);
    });
    this.socket.on("pool", (message) => this.heardPool(message));
    this.socket.on("board", (message) => this.heardBoard(message));
    this.socket.on("output", (message) => {
      this.standing.heard();
      this.outputs.arrived(message);
    });
    this.socket.on("database", ({ answeredAt }) => this.heardDatabase(answeredAt));
    this.socket.on("news", ({ topics }) => {
      if (!this.standing.isShutOut) readAgain(this.cache, topics);
    });
    this.socket.on("ended", () => this.standing.deactivated());
    this.socket.on("server", () => this.standing.willRestart());
  }

  private connected(): void {
    this.retryMs = RETRY_MS.first;
    this.asked.clear();
    // The server tells the pool's picture first, unasked.
    this.asked.add("pool");
    this.standing.connected();
    for (const projectId of this.boards.keys()) this.askForBoard(projectId);
    this.outputs.askAgain();
    this.askPlainly();
  }

  /** What came by plain calls may have changed while nobody told us. Who is shut out would hear the same no each time. */
  private askPlainly(): void {
    if (this.standing.isShutOut) return;
    void this.cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "live" });
  }

  private lost(isOnUs: boolean): void {
    if (this.isStopped || this.standing.isShutOut) return;
    this.standing.lost();
    if (isOnUs) this.connectLater();
  }

  /** The library does not come back by itself after the server ended the connection. */
  private connectLater(): void {
    if (this.retry !== null) clearTimeout(this.retry);
    this.retry = setTimeout(() => this.socket.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, RETRY_MS.longest);
  }

  private heardDatabase(answeredAt: string | null): void {
    this.standing.databaseIs(answeredAt === null ? null : Date.parse(answeredAt));
    // What was asked meanwhile was answered with an error.
    if (answeredAt === null) this.askPlainly();
  }

  private heardPool(message: PoolMessage): void {
    this.standing.heard(message.at);
    // A whole picture nobody asked for: one may see other projects than before.
    if (message.kind === "snapshot" && !this.asked.delete("pool")) this.askPlainly();
    const step = stepPool(this.cache.getQueryData<PoolPicture>(liveKeys.pool), message);
    if (step.kind === "gap") this.askForPool();
    if (step.kind === "next") this.cache.setQueryData(liveKeys.pool, step.picture);
  }

  private heardBoard(message: BoardMessage): void {
    this.standing.heard();
    const key = liveKeys.board(message.projectId);
    const step = stepBoard(this.cache.getQueryData<BoardPicture>(key), message);
    if (step.kind === "gap") this.askForBoard(message.projectId);
    if (step.kind === "next") this.cache.setQueryData(key, step.picture);
  }

  private askForPool(): void {
    if (!this.isFirstAsk("pool")) return;
    this.socket.emit("resync", (answer) => {
      this.asked.delete("pool");
      this.watched(answer);
    });
  }

  private isFirstAsk(what: string): boolean {
    if (this.asked.has(what)) return false;
    this.asked.add(what);
    return true;
  }

  private askForBoard(projectId: string): void {
    if (!this.socket.connected || !this.isFirstAsk(`board ${projectId}`)) return;
    this.socket.emit("watch", { room: "board", id: projectId }, (answer) => {
      this.asked.delete(`board ${projectId}`);
      if (this.watched(answer) || !("code" in answer)) return;
      if (answer.code === "NOT_FOUND") this.heardBoard({ kind: "closed", projectId });
    });
  }

  private watched(answer: WatchAnswer): boolean {
    this.standing.heard();
    if ("code" in answer && answer.code === "UNAUTHORIZED") this.standing.shutOut();
    return "ok" in answer;
  }

  private heardAnswer(response: Response): void {
    const date = response.headers.get("date");
    if (date !== null) heardServerTime(Date.parse(date));
    if (response.status === 401) this.standing.shutOut();
  }

  private async check(): Promise<void> {
    this.asked.add("pool");
    try {
      await this.socket.timeout(ANSWER_MS).emitWithAck("resync");
      this.standing.heard();
    } catch {
      if (!this.socket.connected) return;
      this.standing.doubted();
      this.socket.io.engine.close();
    } finally {
      this.asked.delete("pool");
    }
  }
}
