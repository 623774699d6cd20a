/**
 * For tests of the live channel: a real server with real sockets, around a pool that lives in memory only (the core's own
 * decisions without rows), boards and rights the test sets, and the runner in memory.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Task } from "../contract/tasks";
import { decide } from "../core/pool";
import type { Order } from "../core/pool/events";
import type { Forecast } from "../core/pool/forecast";
import { stateFrom } from "../core/pool/load";
import type { PoolChange, StartsIn } from "../core/pool/picture";
import { pictureOf } from "../core/pool/snapshot";
import type { ProjectId, SessionId, UserId } from "../core/words";
import type { Caller } from "../ports/access";
import type { SessionPlace } from "../ports/views";
import { createFakeRunner } from "../testing/fake-runner";
import { type Live, startLive } from "./live";
import type { PoolPictures } from "./pool-channel";
import { TestSocket } from "./test-socket";

export interface MemoryPool extends PoolPictures {
  order(...orders: Order[]): void;
  enqueue(sessionId: SessionId, userId: UserId, projectId: ProjectId): void;
  /** Another picture of the same version, with these estimates. */
  foresee(...foreseen: (readonly [SessionId, StartsIn])[]): void;
}

export function memoryPool(caps = { globalMax: 20, perUserMax: 2, paused: false }, epoch = 1): MemoryPool {
  let state = stateFrom({ caps, users: [], live: [] }, true);
  let version = 1;
  let foreseen: Forecast = new Map();
  let snapshot = pictureOf(state, epoch, version, Date.now());
  const listeners = new Set<(change: PoolChange) => void>();
  const pool: MemoryPool = {
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    order(...orders) {
      const before = snapshot;
      const decision = decide(state, orders, { at: Date.now(), epoch });
      state = decision.state;
      version += 1;
      snapshot = pictureOf(state, epoch, version, Date.now(), foreseen);
      const ids = [...decision.touched].flatMap((userId) => [...before.line(userId), ...snapshot.line(userId)]);
      const told = (session: (typeof ids)[number]) => ({ ...session, sessionId: session.id });
      const over = ids.filter(({ id }) => !snapshot.session(id));
      const ended = over.map((session) => ({ ...told(session), endedAt: Date.now(), status: "succeeded" as const }));
      const moved = ids.filter(({ id, phase, status }) => {
        const old = before.session(id);
        return snapshot.session(id) && (old?.phase !== phase || old?.status !== status);
      });
      const isForAll = orders.some(({ kind }) => kind === "set-caps");
      const touched = isForAll ? "all" : decision.touched;
      for (const listener of listeners) listener({ snapshot, touched, ended, moved: moved.map(told) });
    },
    enqueue(sessionId, userId, projectId) {
      const facts = { taskId: `task of ${sessionId}`, agentId: "shell", mode: "work", message: null } as const;
      pool.order({ kind: "enqueue", sessionId, at: Date.now(), session: { ...facts, projectId, userId } });
    },
    foresee(...told) {
      foreseen = new Map(told);
      snapshot = pictureOf(state, epoch, version, Date.now(), foreseen);
      for (const listener of listeners) listener({ snapshot, touched: new Set(), ended: [], moved: [] });
    },
  };
  return pool;
}

/** What the rows would say, for the test to change. */
interface Rows {
  /** Cookie or token → who that is. */
  readonly callers: Map<string, Caller>;
  readonly projects: Map<UserId, Set<ProjectId>>;
  readonly cards: Map<ProjectId, Map<string, Task>>;
  readonly places: Map<SessionId, SessionPlace>;
  /** While set, reads of boards wait for it. */
  slowly: Promise<void> | null;
  boardReads: number;
}

export interface House {
  readonly live: Live;
  readonly url: string;
  readonly rows: Rows;
  readonly runner: ReturnType<typeof createFakeRunner>;
  readonly warnings: string[];
  signUp(userId: UserId, ...projects: ProjectId[]): string;
  connect(cookie: string, options?: object): TestSocket;
  stop(): Promise<void>;
}

export async function openHouse(pool: PoolPictures): Promise<House> {
  const http = createServer();
  const rows: Rows = {
    callers: new Map(),
    projects: new Map(),
    cards: new Map(),
    places: new Map(),
    slowly: null,
    boardReads: 0,
  };
  const runner = createFakeRunner();
  const warnings: string[] = [];
  const sockets: TestSocket[] = [];
  const live = startLive({
    http,
    mayConnect: (headers) => headers.origin === undefined || headers.origin === `http://${headers.host}`,
    whoIs: async (headers) => rows.callers.get(headers.get("authorization") ?? headers.get("cookie") ?? "") ?? null,
    rights: {
      async alive({ loginIds, tokenIds }) {
        const ids = [...rows.callers.values()].map(({ via }) => (via.kind === "cookie" ? via.loginId : via.tokenId));
        return new Set([...loginIds, ...tokenIds].filter((id) => ids.includes(id)));
      },
      projectsOf: async (ids) => new Map(ids.map((id) => [id, new Set(rows.projects.get(id))])),
    },
    pool,
    views: {
      async board(projectId) {
        rows.boardReads += 1;
        const tasks = [...(rows.cards.get(projectId)?.values() ?? [])];
        await rows.slowly;
        return tasks;
      },
      async cards(projectId, ids) {
        const tasks = ids.flatMap((id) => rows.cards.get(projectId)?.get(id) ?? []);
        await rows.slowly;
        return tasks;
      },
    },
    places: { placeOf: async (id) => rows.places.get(id) ?? null },
    runner,
    monotonic: () => performance.now(),
    warn: (message) => warnings.push(message),
  });
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    live,
    url,
    rows,
    runner,
    warnings,
    signUp(userId, ...projects) {
      const cookie = `login=${userId}`;
      const via = { kind: "cookie", loginId: `login of ${userId}` } as const;
      rows.callers.set(cookie, {
        userId,
        name: userId,
        email: `${userId}@example.com`,
        role: "member",
        via,
        scope: "admin",
      });
      rows.projects.set(userId, new Set(projects));
      return cookie;
    },
    connect(cookie, options) {
      const socket = new TestSocket(url, cookie, options);
      sockets.push(socket);
      return socket;
    },
    async stop() {
      for (const { socket } of sockets) socket.disconnect();
      await live.close();
      http.closeAllConnections();
    },
  };
}
