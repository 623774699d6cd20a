/** For tests of rights: real logins, tokens and sockets around the API's world. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { type Auth, createAuth } from "../auth/auth";
import { isLive } from "../core/words";
import type { Clock } from "../ports/clock";
import type { Feed } from "../ports/feed";
import type { SessionStore } from "../ports/session-store";
import type { BoardViews } from "../ports/views";
import { startLive } from "../realtime/live";
import type { PoolPictures } from "../realtime/pool-channel";
import { TestSocket } from "../realtime/test-socket";
import type { createFakeRunner } from "./fake-runner";

const BASE_URL = "http://127.0.0.1";
const PASSWORD = "correct horse battery";

export interface TestPerson {
  readonly id: string;
  /** What a browser that is signed in sends. */
  readonly headers: { readonly cookie: string };
}

/** Remembers what was told, and passes it on. */
export function tellingFeed(told: { kind: string; about: string }[], live: () => Feed): Feed {
  const tell = (kind: string, about: string) => void told.push({ kind, about });
  return {
    tasksChanged(projectId, taskIds) {
      tell("tasksChanged", projectId);
      live().tasksChanged(projectId, taskIds);
    },
    tasksGone(projectId, taskIds) {
      tell("tasksGone", projectId);
      live().tasksGone(projectId, taskIds);
    },
    projectGone(projectId) {
      tell("projectGone", projectId);
      live().projectGone(projectId);
    },
    personDeactivated(userId) {
      tell("personDeactivated", userId);
      live().personDeactivated(userId);
    },
    accessChanged(userId) {
      tell("accessChanged", userId);
      live().accessChanged(userId);
    },
    loginEnded(loginId) {
      tell("loginEnded", loginId);
      live().loginEnded(loginId);
    },
    // Of every call that changes something, so not noted: sockets hear it.
    news: (topic, audience) => live().news(topic, audience),
  };
}

export function realAuth(db: PostgresJsDatabase, { loginEnded, news }: Pick<Feed, "loginEnded" | "news">): Auth {
  return createAuth({
    db,
    secret: "a secret of at least thirty-two characters",
    baseUrl: BASE_URL,
    registration: "open",
    clock: { now: Date.now, monotonic: () => performance.now() },
    relaxedLimits: true,
    loginEnded,
    news,
    warn: () => {},
  });
}

/** Signs up, or in: each call is a device of its own. */
export async function enter(auth: Auth, how: "sign-up" | "sign-in", name: string): Promise<TestPerson> {
  const request = new Request(`${BASE_URL}/api/auth/${how}/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, email: `${name}@example.test`, password: PASSWORD }),
  });
  const answer = await auth.handle(request, "127.0.0.1");
  if (!answer.ok) throw new Error(`${name} cannot ${how}: ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  const { user } = (await answer.json()) as { user: { id: string } };
  return { id: user.id, headers: { cookie: cookie.join("; ") } };
}

export interface SocketParts {
  readonly server: Server;
  readonly auth: Auth;
  readonly pool: PoolPictures;
  readonly board: BoardViews;
  readonly sessions: Pick<SessionStore, "session">;
  readonly runner: ReturnType<typeof createFakeRunner>;
  readonly clock: Clock;
}

export function openSockets({ server, auth, pool, board, sessions, runner, clock }: SocketParts) {
  const sockets: TestSocket[] = [];
  const live = startLive({
    http: server,
    mayConnect: () => true,
    whoIs: auth.whoIs,
    rights: auth.rights,
    pool,
    views: board,
    places: {
      async placeOf(sessionId) {
        const row = await sessions.session(sessionId);
        if (row === null) return null;
        const { projectId, attempt, status } = row;
        return { projectId, run: { sessionId, attempt }, isOver: !isLive(status) };
      },
    },
    runner,
    monotonic: clock.monotonic,
    warn: () => {},
  });
  return {
    feed: live.feed,
    connect(headers: Readonly<Record<string, string>>): TestSocket {
      const { port } = server.address() as AddressInfo;
      const socket = new TestSocket(`http://127.0.0.1:${port}`, "", { extraHeaders: headers });
      sockets.push(socket);
      return socket;
    },
    async close(): Promise<void> {
      for (const { socket } of sockets) socket.disconnect();
      await live.close();
    },
  };
}
