/** Makes the tab's socket. Alone in its file, so that the library is fetched after the page and not with it. */
import { io } from "socket.io-client";
import type { LiveSocket } from "./live-socket";

/** First and longest wait between two attempts to connect, and how long one attempt may take, in milliseconds. */
const RETRY_MS = { first: 250, longest: 3_000 };
const ATTEMPT_MS = 5_000;

export function newSocket(): LiveSocket {
  return io({
    autoConnect: false,
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    reconnectionDelay: RETRY_MS.first,
    reconnectionDelayMax: RETRY_MS.longest,
    timeout: ATTEMPT_MS,
  });
}
