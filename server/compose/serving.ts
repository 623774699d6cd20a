/** Everything that answers on the port: guard, accounts, API, pages, health, metrics, and the live channel beside them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createApi } from "../api/create-api";
import type { Auth } from "../auth/auth";
import type { Config } from "../config";
import { freeBytesIn } from "../data-dir";
import type { Door } from "../door";
import { poolPicture } from "../engine/desk/pool-view";
import { DISK_LEAST_BYTES } from "../engine/session/disk-watch";
import { refuse, sendJson, webHeaders } from "../http/answers";
import { createFront } from "../http/front";
import { createGuard, type Guard } from "../http/guard";
import type { Log } from "../log";
import type { Clock } from "../ports/clock";
import type { Feed } from "../ports/feed";
import { type Live, startLive } from "../realtime/live";
import { watchDatabase } from "../vitals/database-watch";
import { readiness } from "../vitals/health";
import { createMetrics } from "../vitals/metrics";
import type { OpenDatabase } from "./database";
import type { Engine } from "./engine";
import type { Pages } from "./pages";

export interface ServingParts {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly engine: Engine;
  readonly auth: Auth;
  readonly pages: Pages;
  /** What is said to open boards of all servers. */
  readonly gossip: Feed;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly isDevelopment: boolean;
}

export interface Serving {
  readonly server: Server;
  readonly feed: Feed;
  readonly missed: () => void;
  /** Sockets are told, calls under way end, nobody new is let in (R5). */
  close(): Promise<void>;
}

/** How long calls under way may take when leaving, ms. */
const LAST_CALLS_MS = 1_000;
/** A whole request has to arrive within this, ms; slow senders hold nothing. */
const REQUEST_MS = 120_000;
/**
 * How long an idle connection is kept, ms: longer than proxies and clients keep theirs (60 s is usual), so that it is they
 * who close it. A server that closes first may do so in the moment the next call is sent, and that call is lost.
 */
const IDLE_CONNECTION_MS = 65_000;

export function openServing(parts: ServingParts): Serving {
  const { config, engine, auth, pages, clock, log, isDevelopment } = parts;
  const guard = createGuard(config.baseUrl, clock.monotonic);
  const server = createServer({ requestTimeout: REQUEST_MS, keepAliveTimeout: IDLE_CONNECTION_MS });
  const health = healthDoors(parts, () => live.sockets());
  const api = apiDoor(parts);
  server.on(
    "request",
    createFront({
      guard,
      isDevelopment,
      auth: auth.handle,
      api,
      pages: pages.handle,
      ...health,
      testHooks: testHooks(engine),
      failed: (error) => log.bug("a request failed", error),
    }),
  );
  const live: Live = startLive({
    http: server,
    mayConnect: guard.mayConnect,
    whoIs: (headers) => auth.whoIs(headers),
    rights: auth.rights,
    pool: engine.pool,
    views: engine.views,
    places: engine.places,
    runner: engine.runner,
    monotonic: clock.monotonic,
    warn: log.warn,
  });
  const { sql } = parts.database;
  const watch = watchDatabase({ pingDatabase: () => sql`select 1`, now: clock.now, told: live.databaseIs });
  passUpgrades(server, guard, pages, isDevelopment);
  return {
    server,
    feed: live.feed,
    missed: live.missed,
    async close() {
      watch.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      // Before the live channel: it waits for all connections of the port, too.
      const late = setTimeout(() => server.closeAllConnections(), LAST_CALLS_MS);
      await live.close();
      server.closeIdleConnections();
      await closed;
      clearTimeout(late);
    },
  };
}

function apiDoor({ engine, auth, gossip, log, version }: ServingParts) {
  // A login that is prolonged by a call goes out with that call's answer.
  const answers = new WeakMap<IncomingMessage, ServerResponse>();
  const answer = createApi({
    standings: engine.access,
    access: engine.access,
    agents: engine.agents,
    projects: engine.projects,
    tokens: auth.tokens,
    invitations: auth.invitations,
    passwords: auth.passwords,
    feed: gossip,
    desks: engine.desks,
    pool: engine.pool,
    history: engine.history,
    whoIs: (request) =>
      auth.whoIs(webHeaders(request), (cookie) => answers.get(request)?.appendHeader("set-cookie", cookie)),
    logBug: (error, call) => log.bug(call, error),
    version,
  });
  return async (request: IncomingMessage, response: ServerResponse) => {
    answers.set(request, response);
    await answer(request, response);
  };
}

function healthDoors({ database, engine, config }: ServingParts, sockets: () => number) {
  const metrics = createMetrics({
    pool: () => engine.pool.vitals(),
    global: () => engine.pool.snapshot().global,
    sockets,
  });
  const parts = {
    pingDatabase: () => database.sql`select 1`,
    pool: () => engine.pool.vitals(),
    freeBytes: () => freeBytesIn(config.dataDir),
    diskLeastBytes: config.test.diskLeastBytes ?? DISK_LEAST_BYTES,
  };
  return {
    healthz: (_request: IncomingMessage, response: ServerResponse) => sendJson(response, 200, { isAlive: true }),
    readyz: async (_request: IncomingMessage, response: ServerResponse) => {
      const found = await readiness(parts);
      sendJson(response, found.isReady ? 200 : 503, found);
    },
    metrics: async (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { "content-type": metrics.contentType, "cache-control": "no-store" });
      response.end(await metrics.text());
    },
  };
}

/** `POST /api/test/crash-pool`: the pool's loop throws at its next batch. The pool has the verb only when hooks were asked for. */
function testHooks({ pool }: Engine) {
  const { crashNext } = pool;
  if (!crashNext) return null;
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "POST" || request.url !== "/api/test/crash-pool") {
      refuse(response, "NOT_FOUND", "There is no such hook.");
      return;
    }
    crashNext();
    sendJson(response, 200, { crashes: true });
  };
}

/** The live channel takes its own upgrades; all others are Next's in development and nobody's in production. */
function passUpgrades(server: Server, guard: Guard, pages: Pages, isDevelopment: boolean): void {
  server.on("upgrade", (request, socket, head) => {
    if ((request.url ?? "").startsWith("/socket.io/")) return;
    if (isDevelopment && guard.mayConnect(request.headers)) pages.upgrade(request, socket, head);
    else socket.destroy();
  });
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
  });
}

/** What pages may ask (see door.ts), answered from the same desks as the API. */
export function openDoor({ config, engine, auth }: Pick<ServingParts, "config" | "engine" | "auth">): Door {
  const { desks, access, pool, views } = engine;
  return {
    async visitor(headers) {
      const caller = await auth.whoIs(headers);
      if (caller === null) return null;
      const { userId } = caller;
      return {
        me: desks.people.me(caller).me,
        projects: async () => (await desks.projects.list(userId, null)).items,
        pool: async () => poolPicture(pool.snapshot(), new Set(await access.projectsOf(userId))),
        async people() {
          const { items, next } = await desks.people.list(caller, null);
          return next === null ? items : null;
        },
        async board(projectId) {
          const role = await access.roleIn(userId, projectId);
          if (role === null) return null;
          const [project, tasks, agents] = await Promise.all([
            desks.projects.project(projectId, role),
            views.board(projectId),
            desks.agents.list(userId, projectId, null),
          ]);
          return "code" in project ? null : { project, tasks, agents };
        },
      };
    },
    invitation: (secret) => auth.invitations.look(secret),
    async registration() {
      const people = await engine.people.people(null, 1);
      return { policy: config.registration, isFirst: people.length === 0 };
    },
  };
}
