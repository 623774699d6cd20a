/**
 * The one socket of a tab. It writes what it hears into the query cache (and is the only writer of live keys), asks again
 * after every gap, and always knows how it stands with the server. It never gives up, and no reload by hand is needed.
 * Order not to break: state first, then the picture, so that nothing fresh is shown under an old warning.
 * Long because whatever the socket says changes three things in one step: the state, what was asked, and the cache.
 */
import type { QueryClient } from "@tanstack/react-query";
import type { BoardMessage, PoolMessage, WatchAnswer } from "@/server/contract/live";
import type { PoolPicture } from "@/server/contract/pool";
import { onAnswer } from "../api";
import { type BoardPicture, stepBoard } from "./board-state";
import { heardServerTime, serverNow } from "./clock";
import { liveKeys } from "./keys";
import type { LiveSocket } from "./live-socket";
import { OutputRooms } from "./output-rooms";
import { stepPool } from "./pool-state";
import { watchTab } from "./watch-tab";

/** How long an answer of the server may take before the connection counts as lost. */
const ANSWER_MS = 2_500;
/** First and longest wait between two attempts to connect. */
const RETRY_MS = { first: 250, longest: 3_000 };
/** How long a server that said it restarts may be away before it counts as any other that is lost. */
const RESTART_MS = 10_000;
/** When a warning is due: a short cut is no news, a slow first connection means that the page may be old. */
const WARN_MS = { cut: 600, first: 2_500 };

export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** `showing`: the last moment at which everything on the screen was known to be right (server time). */
  | { readonly kind: "reconnecting"; readonly showing: number }
  | { readonly kind: "restarting"; readonly showing: number }
  | { readonly kind: "expired" }
  /** The account was deactivated: nothing of what was on the screen may be seen any more. */
  | { readonly kind: "deactivated" };

export class LiveConnection {
  readonly outputs: OutputRooms;
  private readonly socket: LiveSocket;
  private readonly cache: QueryClient;
  private readonly boards = new Map<string, number>();
  /** What was asked for and is not answered yet: a burst behind a gap asks once. */
  private readonly asked = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private readonly stops: (() => void)[] = [];
  private state: ConnectionState = { kind: "connecting" };
  private lastHeard = 0;
  private isRestarting = false;
  private restart: ReturnType<typeof setTimeout> | null = null;
  private warning: ReturnType<typeof setTimeout> | null = null;
  private retry: ReturnType<typeof setTimeout> | null = null;
  private retryMs = RETRY_MS.first;
  private isStopped = false;

  constructor(cache: QueryClient, socket: LiveSocket) {
    this.cache = cache;
    this.socket = socket;
    this.outputs = new OutputRooms(socket, (answer) => this.watched(answer));
  }

  start(): void {
    this.isStopped = false;
    this.listen();
    this.stops.push(
      watchTab(() => this.tryNow()),
      onAnswer((response) => this.heardAnswer(response)),
    );
    this.lastHeard = serverNow();
    this.warnAfter(WARN_MS.first);
    this.socket.connect();
  }

  stop(): void {
    this.isStopped = true;
    for (const stop of this.stops.splice(0)) stop();
    if (this.retry !== null) clearTimeout(this.retry);
    this.clearWarning();
    this.restartIsOver();
    this.socket.removeAllListeners();
    this.socket.disconnect();
  }

  readonly current = (): ConnectionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

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
      if (error.message === "unauthorized") this.shutOut();
      else this.lost(!this.socket.active);
    });
    this.socket.on("pool", (message) => this.heardPool(message));
    this.socket.on("board", (message) => this.heardBoard(message));
    this.socket.on("output", (message) => {
      this.heard();
      this.outputs.arrived(message);
    });
    this.socket.on("ended", () => this.become({ kind: "deactivated" }));
    this.socket.on("server", () => {
      this.isRestarting = true;
      this.become({ kind: "restarting", showing: serverNow() });
    });
  }

  private isShutOut(): boolean {
    return this.state.kind === "expired" || this.state.kind === "deactivated";
  }

  /** A refused call does not say why; the server's last word, when there was one, did. */
  private shutOut(): void {
    if (!this.isShutOut()) this.become({ kind: "expired" });
  }

  private connected(): void {
    this.restartIsOver();
    this.retryMs = RETRY_MS.first;
    this.asked.clear();
    // The server tells the pool's picture first, unasked.
    this.asked.add("pool");
    this.heard();
    this.become({ kind: "live" });
    for (const projectId of this.boards.keys()) this.askForBoard(projectId);
    this.outputs.askAgain();
    this.askPlainly();
  }

  /** What came by plain calls may have changed while nobody told us. */
  private askPlainly(): void {
    void this.cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "live" });
  }

  private lost(isOnUs: boolean): void {
    if (this.isStopped || this.isShutOut()) return;
    if (this.isRestarting) this.awaitRestart();
    else if (this.state.kind === "live") this.warnAfter(WARN_MS.cut);
    if (isOnUs) this.connectLater();
  }

  private awaitRestart(): void {
    this.become({ kind: "restarting", showing: this.lastHeard });
    this.restart ??= setTimeout(() => {
      this.restartIsOver();
      if (this.state.kind === "restarting") this.become({ kind: "reconnecting", showing: this.lastHeard });
    }, RESTART_MS);
  }

  private restartIsOver(): void {
    this.isRestarting = false;
    if (this.restart !== null) clearTimeout(this.restart);
    this.restart = null;
  }

  private warnAfter(delayMs: number): void {
    if (this.warning !== null) return;
    this.warning = setTimeout(() => {
      this.warning = null;
      const isUnwarned = this.state.kind === "live" || this.state.kind === "connecting";
      if (!this.socket.connected && isUnwarned) this.become({ kind: "reconnecting", showing: this.lastHeard });
    }, delayMs);
  }

  /** The library does not come back by itself after the server ended the connection. */
  private connectLater(): void {
    if (this.retry !== null) clearTimeout(this.retry);
    this.retry = setTimeout(() => this.socket.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, RETRY_MS.longest);
  }

  private heardPool(message: PoolMessage): void {
    this.heard(message.at);
    // A whole picture nobody asked for: one may see other projects than before.
    if (message.kind === "snapshot" && !this.asked.delete("pool")) this.askPlainly();
    const step = stepPool(this.cache.getQueryData<PoolPicture>(liveKeys.pool), message);
    if (step.kind === "gap") this.askForPool();
    if (step.kind === "next") this.cache.setQueryData(liveKeys.pool, step.picture);
  }

  private heardBoard(message: BoardMessage): void {
    this.heard();
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
    this.heard();
    if ("code" in answer && answer.code === "UNAUTHORIZED") this.shutOut();
    return "ok" in answer;
  }

  private heard(at?: string): void {
    if (at !== undefined) heardServerTime(Date.parse(at));
    this.lastHeard = serverNow();
  }

  private heardAnswer(response: Response): void {
    const date = response.headers.get("date");
    if (date !== null) heardServerTime(Date.parse(date));
    if (response.status === 401) this.shutOut();
  }

  private async check(): Promise<void> {
    this.asked.add("pool");
    try {
      await this.socket.timeout(ANSWER_MS).emitWithAck("resync");
      this.heard();
    } catch {
      if (!this.socket.connected) return;
      this.warnAfter(WARN_MS.cut);
      this.socket.io.engine.close();
    } finally {
      this.asked.delete("pool");
    }
  }

  private become(state: ConnectionState): void {
    if (state.kind === "live") this.clearWarning();
    if (state.kind === this.state.kind) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private clearWarning(): void {
    if (this.warning !== null) clearTimeout(this.warning);
    this.warning = null;
  }
}
