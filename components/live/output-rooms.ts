/**
 * Which sessions' output this tab listens to. A session is asked for once however many look at it, from the byte its slowest
 * listener stands at; after a gap or a cut it is asked for again from there, so nothing is missed and nothing comes twice.
 * Only when all of them follow the end may the server leap for them.
 */
import type { OutputMessage, WatchAnswer } from "@/server/contract/live";
import type { LiveSocket } from "./live-socket";

export interface OutputListener {
  /** The first byte it does not have. */
  readonly from: () => number;
  /** How many bytes it may lie behind before it is shown the end instead; null: it wants every byte. */
  readonly tail: number | null;
  readonly arrived: (message: OutputMessage) => void;
}

export class OutputRooms {
  private readonly socket: LiveSocket;
  private readonly answered: (answer: WatchAnswer) => void;
  private readonly listeners = new Map<string, Set<OutputListener>>();
  /** What was asked for and is not answered yet: a burst behind a gap asks once. */
  private readonly asked = new Set<string>();

  constructor(socket: LiveSocket, answered: (answer: WatchAnswer) => void) {
    this.socket = socket;
    this.answered = answered;
  }

  watch(sessionId: string, listener: OutputListener): () => void {
    const watchers = this.listeners.get(sessionId) ?? new Set();
    watchers.add(listener);
    this.listeners.set(sessionId, watchers);
    this.ask(sessionId);
    return () => {
      if (!watchers.delete(listener) || watchers.size > 0) return;
      this.listeners.delete(sessionId);
      this.asked.delete(sessionId);
      if (this.socket.connected) this.socket.emit("unwatch", { room: "output", id: sessionId }, () => {});
    };
  }

  ask(sessionId: string): void {
    const watchers = this.listeners.get(sessionId);
    if (watchers === undefined || !this.socket.connected || this.asked.has(sessionId)) return;
    this.asked.add(sessionId);
    const offset = Math.min(...[...watchers].map((watcher) => watcher.from()));
    const tails = [...watchers].flatMap(({ tail }) => tail ?? []);
    const follows = tails.length === watchers.size ? { tail: Math.max(...tails) } : {};
    this.socket.emit("watch", { room: "output", id: sessionId, offset, ...follows }, (answer) => {
      this.asked.delete(sessionId);
      this.answered(answer);
    });
  }

  /** After a new connection, which knows nothing of what was asked before. */
  askAgain(): void {
    this.asked.clear();
    for (const sessionId of this.listeners.keys()) this.ask(sessionId);
  }

  arrived(message: OutputMessage): void {
    for (const listener of this.listeners.get(message.sessionId) ?? []) listener.arrived(message);
  }
}
