/** The live channel's sockets as types, and how full one is. */
import type { DefaultEventsMap, Server, Socket } from "socket.io";
import type { ClientToServer, ServerToClient } from "../contract/live";
import type { ProjectId } from "../core/words";
import type { Caller } from "../ports/access";

interface SocketData {
  caller: Caller;
  /** As they were when it came; from then on the member knows. */
  projects: ReadonlySet<ProjectId>;
}
export type LiveServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
export type LiveSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;

/** How often a full socket is looked at again when no event says that it emptied, ms. */
const LOOK_AGAIN_MS = 100;

/** Bytes and packets that wait for the other end to read. */
export function waiting(socket: LiveSocket): { packets: number; bytes: number } {
  const packets = queueOf(socket);
  let bytes = webSocketOf(socket.conn.transport)?.bufferedAmount ?? 0;
  for (const { data } of packets) {
    bytes += typeof data === "string" || data instanceof Uint8Array ? data.length : 0;
  }
  return { packets: packets.length, bytes };
}

/** True once everything sent so far has left for the network. */
export function isDrained(socket: LiveSocket): boolean {
  return queueOf(socket).length === 0 && socket.conn.transport.writable;
}

/** Resolves when the socket is drained or closed. */
export async function drained(socket: LiveSocket): Promise<void> {
  while (socket.connected && !isDrained(socket)) {
    const { transport } = socket.conn;
    await new Promise<void>((resolve) => {
      const look = () => {
        clearTimeout(timer);
        transport.off("drain", soon);
        resolve();
      };
      // "drain" is told just before the transport is writable again.
      const soon = () => setImmediate(look);
      const timer = setTimeout(look, LOOK_AGAIN_MS);
      transport.once("drain", soon);
    });
  }
}

/** Ends the connection without waiting for an end that does not read; the client comes back by itself. */
export function cutOff(socket: LiveSocket): void {
  const webSocket = webSocketOf(socket.conn.transport);
  if (webSocket?.terminate) webSocket.terminate();
  else socket.conn.close(true);
}

/** What lies below a transport; polling has none. Not part of the library's types. */
function webSocketOf(transport: unknown): { bufferedAmount?: number; terminate?(): void } | undefined {
  return (transport as { socket?: { bufferedAmount?: number; terminate?(): void } }).socket;
}

/** Packets that the transport has not taken yet. Not part of the library's types either. */
function queueOf(socket: LiveSocket): readonly { data?: unknown }[] {
  return (socket.conn as unknown as { writeBuffer: { data?: unknown }[] }).writeBuffer;
}
