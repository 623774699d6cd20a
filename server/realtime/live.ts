/**
 * The live channel (L1 to L4): Socket.IO on the server's own port. Everything here is gossip: whatever is lost, a client gets
 * it again by asking. Who may hear what is looked up when a socket comes, when the feed says that something changed, and in
 * a sweep that needs nobody to say so.
 */
import type { Server as HttpServer, IncomingHttpHeaders } from "node:http";
import { Server } from "socket.io";
import { iso } from "../contract/common";
import type { DatabaseMessage } from "../contract/live";
import type { LiveSession } from "../core/pool/picture";
import { reasonOf } from "../core/text/reason";
import type { Millis, SessionId } from "../core/words";
import type { Caller, Rights } from "../ports/access";
import type { Feed } from "../ports/feed";
import type { Runner } from "../ports/runner";
import type { BoardViews, SessionPlaces } from "../ports/views";
import { createBoardRooms } from "./board-rooms";
import { Member } from "./member";
import { createNews, type News } from "./news";
import { createPoolChannel, type PoolPictures } from "./pool-channel";
import { createRightsWatch } from "./rights-watch";
import { cutOff, isDrained, type LiveServer, type LiveSocket, waiting } from "./wire";

/** Longest message of a client in bytes. */
const MESSAGE_MAX_BYTES = 16_384;
/** A socket is cut off (L2) when anything waits this long for it, when much does for a while, or too much at all. */
const WAITING_MAX_MS = 20_000;
const MUCH_BYTES = 8_000_000;
const MUCH_MAX_MS = 3_000;
const WAITING_MAX_BYTES = 64_000_000;
const WAITING_MAX_PACKETS = 1_000;
const SLOW_LOOK_MS = 1_000;
/** How long "restarting" may take to leave, ms. */
const FAREWELL_MS = 300;
const PING_MS = 10_000;

export interface LiveParts {
  readonly http: HttpServer;
  readonly mayConnect: (headers: IncomingHttpHeaders) => boolean;
  readonly whoIs: (headers: Headers) => Promise<Caller | null>;
  readonly rights: Rights;
  readonly pool: PoolPictures;
  readonly views: BoardViews;
  readonly places: SessionPlaces;
  readonly runner: Pick<Runner, "read" | "extent" | "watch">;
  readonly monotonic: () => number;
  readonly warn: (message: string) => void;
}

export interface Live {
  readonly feed: Feed;
  /** What another server told may have been lost: everything that is open is read again (P19). */
  missed(): void;
  /** The last moment at which the database answered, ms; null: it answers, and everything that is open is read again (B13). */
  databaseIs(answeredAt: Millis | null): void;
  sockets(): number;
  /** Tells everybody that the server restarts, then lets them go (R5). */
  close(): Promise<void>;
}

export function startLive(parts: LiveParts): Live {
  const io: LiveServer = new Server(parts.http, {
    serveClient: false,
    destroyUpgrade: false,
    maxHttpBufferSize: MESSAGE_MAX_BYTES,
    pingInterval: PING_MS,
    pingTimeout: PING_MS,
    allowRequest: (request, decide) => decide(null, !isLeaving && parts.mayConnect(request.headers)),
  });
  let isLeaving = false;
  let silence: DatabaseMessage | null = null;
  const members = new Map<string, Member>();
  const boards = createBoardRooms(io, parts.views, parts.warn);
  const pool = createPoolChannel(io, parts.pool);
  const watch = createRightsWatch(parts.rights, members, parts.warn);
  const news = createNews(members);
  const slow = watchSlowness(members, parts.monotonic);
  const live = (sessionId: SessionId): LiveSession | undefined => parts.pool.snapshot().session(sessionId);
  const unsubscribe = parts.pool.subscribe(({ moved, ended }) => {
    for (const { projectId, taskId, sessionId } of [...moved, ...ended]) {
      boards.changed(projectId, [taskId]);
      for (const member of members.values()) member.hint(sessionId);
    }
  });

  io.engine.on("headers", (headers: Record<string, string>) => {
    headers["x-content-type-options"] = "nosniff";
  });
  io.use((socket, next) => void introduce(parts, socket).then(() => next(), next));
  io.on("connection", (socket) => {
    const { runner, places, warn } = parts;
    const may = socket.data.projects;
    const member = new Member(socket, may, { boards, pool, runner, places, live, warn, refresh: watch.refresh });
    members.set(socket.id, member);
    if (silence !== null) socket.emit("database", silence);
    socket.on("disconnect", () => {
      members.delete(socket.id);
      member.leave();
    });
  });

  const missed = () => {
    boards.missed();
    watch.look(() => true);
  };
  return {
    feed: feedOf(members, boards, watch, news),
    missed() {
      missed();
      news.missed();
    },
    databaseIs(answeredAt) {
      silence = answeredAt === null ? null : { answeredAt: iso(answeredAt) };
      if (answeredAt === null) missed();
      io.emit("database", silence ?? { answeredAt: null });
    },
    sockets: () => members.size,
    async close() {
      isLeaving = true;
      io.emit("server", { reason: "restarting" });
      const deadline = parts.monotonic() + FAREWELL_MS;
      const isTold = () => [...members.values()].every(({ socket }) => isDrained(socket));
      while (!isTold() && parts.monotonic() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
      unsubscribe();
      watch.stop();
      slow.stop();
      pool.stop();
      boards.stop();
      news.stop();
      for (const { socket } of members.values()) cutOff(socket);
      await io.close();
    },
  };
}

async function introduce(parts: LiveParts, socket: LiveSocket): Promise<void> {
  const headers = new Headers();
  for (const name of ["cookie", "authorization"] as const) {
    const value = socket.handshake.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  const token: unknown = socket.handshake.auth.token;
  if (typeof token === "string" && /^[\w-]{1,200}$/.test(token)) headers.set("authorization", `Bearer ${token}`);
  const caller = await parts.whoIs(headers).catch((error: unknown) => {
    parts.warn(`a socket's login could not be checked: ${reasonOf(error)}`);
    throw new Error("unavailable");
  });
  // The client knows this word: it shows the expired login instead of coming back again and again.
  if (caller === null) throw new Error("unauthorized");
  socket.data.caller = caller;
  socket.data.projects = (await parts.rights.projectsOf([caller.userId])).get(caller.userId) ?? new Set();
}

function feedOf(
  members: ReadonlyMap<string, Member>,
  boards: ReturnType<typeof createBoardRooms>,
  watch: ReturnType<typeof createRightsWatch>,
  news: News,
): Feed {
  return {
    tasksChanged: (projectId, taskIds) => boards.changed(projectId, taskIds),
    tasksGone: (projectId, taskIds) => boards.changed(projectId, taskIds),
    projectGone: (projectId) => watch.look((member) => member.projects.has(projectId)),
    accessChanged: (userId) => watch.look((member) => member.caller.userId === userId),
    news: news.told,
    loginEnded(loginOrTokenId) {
      for (const { caller, socket } of members.values()) {
        const { via } = caller;
        if ((via.kind === "cookie" ? via.loginId : via.tokenId) === loginOrTokenId) socket.disconnect(true);
      }
    },
    personDeactivated(userId) {
      for (const { caller, socket } of members.values()) {
        if (caller.userId !== userId) continue;
        socket.emit("ended", { reason: "deactivated" });
        socket.disconnect(true);
      }
    },
  };
}

/** Cuts off whoever does not read (L2). */
function watchSlowness(members: ReadonlyMap<string, Member>, monotonic: () => number): { stop(): void } {
  const since = new WeakMap<LiveSocket, number>();
  const timer = setInterval(() => {
    const now = monotonic();
    for (const { socket } of members.values()) {
      if (isDrained(socket)) {
        since.delete(socket);
        continue;
      }
      const start = since.get(socket) ?? now;
      since.set(socket, start);
      const { packets, bytes } = waiting(socket);
      const isTooMuch = bytes > WAITING_MAX_BYTES || packets > WAITING_MAX_PACKETS;
      if (isTooMuch || now - start > (bytes > MUCH_BYTES ? MUCH_MAX_MS : WAITING_MAX_MS)) cutOff(socket);
    }
  }, SLOW_LOOK_MS);
  return { stop: () => clearInterval(timer) };
}
