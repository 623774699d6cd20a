/** The tab's socket as the rooms and the connection know it: the contract's messages and nothing else. */
import type { Socket } from "socket.io-client";
import type { ClientToServer, ServerToClient } from "@/server/contract/live";

export type LiveSocket = Socket<ServerToClient, ClientToServer>;
