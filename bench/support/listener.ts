/** A socket of the live channel that notes when it heard what, and how many bytes that took. */
import { io, type Socket } from "socket.io-client";
import type { ClientToServer, PoolMessage, ServerToClient } from "../../server/contract/live";

export class Listener {
  readonly socket: Socket<ServerToClient, ClientToServer>;
  /** Bytes of the pool's deltas, as they travelled, and what each was. */
  readonly deltas: { readonly atMs: number; readonly bytes: number; readonly message: PoolMessage }[] = [];
  readonly #picture: Promise<void>;

  constructor(url: string, cookie: string) {
    const options = { transports: ["websocket"], reconnection: false, forceNew: true, extraHeaders: { cookie } };
    this.socket = io(url, options);
    this.#picture = new Promise((resolve, reject) => {
      this.socket.once("pool", () => resolve());
      this.socket.once("connect_error", reject);
    });
    let bytes = 0;
    this.socket.io.on("open", () => {
      this.socket.io.engine.on("data", (data: unknown) => {
        bytes = typeof data === "string" ? Buffer.byteLength(data) : 0;
      });
    });
    this.socket.on("pool", (message) => {
      if (message.kind === "delta") this.deltas.push({ atMs: performance.now(), bytes, message });
    });
  }

  /** Resolves once it has been told the picture. */
  ready(): Promise<void> {
    return this.#picture;
  }

  close(): void {
    this.socket.disconnect();
  }
}
