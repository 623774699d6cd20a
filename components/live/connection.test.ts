/** One tab’s connection through all that can happen to it (L1, L2). In one file, as all of it is played on one socket. */
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PoolPicture } from "@/server/contract/pool";
import { api } from "../api";
import { samplePool, sampleTask } from "../board/sample";
import type { BoardPicture } from "./board-state";
import { serverNow } from "./clock";
import { LiveConnection } from "./connection";
import { liveKeys } from "./keys";
import type { LiveSocket } from "./live-socket";
import type { ConnectionState } from "./standing";

type Handler = (...values: unknown[]) => void;

/** The other end of the wire, played by the test. */
class FakeSocket {
  connected = false;
  active = true;
  readonly io = {
    engine: { close: () => this.hear("disconnect", "forced close") },
    on: (event: string, handler: Handler) => this.handlers.set(event, handler),
    off: (event: string) => this.handlers.delete(event),
  };
  readonly sent: { event: string; values: unknown[] }[] = [];
  readonly handlers = new Map<string, Handler>();

  on(event: string, handler: Handler): void {
    this.handlers.set(event, handler);
  }
  connect(): void {}
  disconnect(): void {}
  removeAllListeners(): void {
    this.handlers.clear();
  }
  emit(event: string, ...values: unknown[]): void {
    this.sent.push({ event, values });
  }
  timeout(): { emitWithAck: () => Promise<never> } {
    return { emitWithAck: () => Promise.reject(new Error("no answer")) };
  }
  hear(event: string, ...values: unknown[]): void {
    if (event === "connect") this.connected = true;
    if (event === "disconnect") this.connected = false;
    this.handlers.get(event)?.(...values);
  }
  /** Answers the oldest question of this kind. */
  answer(event: string, answer: unknown): void {
    const at = this.sent.findIndex((sent) => sent.event === event);
    const [sent] = this.sent.splice(at, 1);
    const reply = sent?.values.at(-1);
    if (typeof reply === "function") reply(answer);
  }
}

let cache: QueryClient;
let socket: FakeSocket;
let connection: LiveConnection;

beforeEach(() => {
  vi.useFakeTimers();
  cache = new QueryClient();
  socket = new FakeSocket();
  connection = new LiveConnection(cache, socket as unknown as LiveSocket);
  connection.start();
});
afterEach(() => {
  connection.stop();
  cache.clear();
  vi.useRealTimers();
});

const pool = () => cache.getQueryData<PoolPicture>(liveKeys.pool);
const board = () => cache.getQueryData<BoardPicture>(liveKeys.board("p"));
const state = (): ConnectionState["kind"] => connection.standing.current().kind;
const snapshot = (change: Partial<PoolPicture> = {}) => ({ kind: "snapshot", ...samplePool(change) });
const questions = (event: string) => socket.sent.filter((sent) => sent.event === event).length;

test("[L2] what is heard goes into the cache; a gap asks once for a snapshot, however many messages follow", () => {
  socket.hear("connect");
  socket.hear("pool", snapshot({ version: 1 }));
  expect(pool()?.version).toBe(1);
  const late = { kind: "delta", epoch: 1, at: "2026-01-01T12:00:00.000Z", set: {}, gone: {} };
  socket.hear("pool", { ...late, from: 3, to: 4 });
  socket.hear("pool", { ...late, from: 4, to: 5 });
  expect(pool()?.version).toBe(1);
  expect(questions("resync")).toBe(1);
  socket.answer("resync", { ok: true });
  socket.hear("pool", snapshot({ version: 5 }));
  expect(pool()?.version).toBe(5);
});

test("[P13] an older snapshot after a reconnect does not replace a newer picture", () => {
  socket.hear("connect");
  socket.hear("pool", snapshot({ epoch: 2, version: 9 }));
  socket.hear("disconnect", "transport close");
  socket.hear("connect");
  socket.hear("pool", snapshot({ epoch: 2, version: 7 }));
  expect(pool()?.version).toBe(9);
  socket.hear("pool", snapshot({ epoch: 3, version: 1 }));
  expect(pool()).toMatchObject({ epoch: 3, version: 1 });
});

test("[B13] what is shown was right until the last beat of a connection on which nothing was new", () => {
  socket.hear("connect");
  vi.advanceTimersByTime(60_000);
  socket.hear("ping");
  const showing = serverNow();
  vi.advanceTimersByTime(4_000);
  socket.hear("disconnect", "transport close");
  vi.advanceTimersByTime(1_000);
  expect(connection.standing.current()).toEqual({ kind: "reconnecting", showing });
});

test("[L2][BRD-2] after every reconnect the board is asked for again, once per board", () => {
  const stop = connection.watchBoard("p");
  connection.watchBoard("p");
  socket.hear("connect");
  expect(questions("watch")).toBe(1);
  socket.hear("disconnect", "transport close");
  socket.hear("connect");
  expect(questions("watch")).toBe(2);
  socket.hear("board", { kind: "snapshot", projectId: "p", epoch: "e", version: 1, tasks: [sampleTask()] });
  expect(Object.keys(board()?.tasks ?? {})).toEqual(["t1"]);
  stop();
  expect(questions("unwatch")).toBe(0);
});

test("[L2] leaving a board and coming back before the server answered watches it again", () => {
  socket.hear("connect");
  connection.watchBoard("p")();
  connection.watchBoard("p");
  expect(socket.sent.map(({ event }) => event)).toEqual(["watch", "unwatch", "watch"]);
});

test("[L4] a board one may not see is closed and empty", () => {
  connection.watchBoard("p");
  socket.hear("connect");
  socket.answer("watch", { code: "NOT_FOUND", message: "There is no such project." });
  expect(board()).toMatchObject({ isClosed: true, tasks: {} });
});

test("[B13] a lost connection is shown after a moment, and is gone when it is back", () => {
  socket.hear("connect");
  socket.hear("disconnect", "transport close");
  expect(state()).toBe("live");
  vi.advanceTimersByTime(1_000);
  expect(state()).toBe("reconnecting");
  socket.hear("connect");
  expect(state()).toBe("live");
});

test("[B13] a page whose first connection does not come up says so: what it shows may be old", () => {
  vi.advanceTimersByTime(3_000);
  expect(state()).toBe("reconnecting");
  socket.hear("connect");
  expect(state()).toBe("live");
});

test("[B13] a short cut is not worth a warning", () => {
  socket.hear("connect");
  socket.hear("disconnect", "transport close");
  vi.advanceTimersByTime(200);
  socket.hear("connect");
  vi.advanceTimersByTime(5_000);
  expect(state()).toBe("live");
});

test("[R5][B13] a server that restarts in order says so, and the tab comes back by itself", () => {
  socket.hear("connect");
  socket.hear("server", { reason: "restarting" });
  expect(state()).toBe("restarting");
  const connect = vi.spyOn(socket, "connect");
  socket.hear("disconnect", "io server disconnect");
  expect(state()).toBe("restarting");
  vi.advanceTimersByTime(1_000);
  expect(connect).toHaveBeenCalled();
  socket.hear("connect");
  expect(state()).toBe("live");
});

test("[B13] a server that said it restarts and stays away is told as any other loss, with when it was last heard", () => {
  socket.hear("connect");
  const showing = serverNow();
  socket.hear("server", { reason: "restarting" });
  socket.hear("disconnect", "io server disconnect");
  for (let tries = 0; tries < 9; tries++) {
    vi.advanceTimersByTime(1_000);
    socket.hear("connect_error", new Error("xhr poll error"));
  }
  expect(state()).toBe("restarting");
  vi.advanceTimersByTime(1_000);
  expect(connection.standing.current()).toEqual({ kind: "reconnecting", showing });
  socket.hear("connect_error", new Error("xhr poll error"));
  expect(state()).toBe("reconnecting");
  socket.hear("connect");
  expect(state()).toBe("live");
});

test("[B13][L1] an expired login is told as such and not as a lost connection", () => {
  socket.hear("connect");
  socket.hear("disconnect", "io server disconnect");
  socket.active = false;
  socket.hear("connect_error", new Error("unauthorized"));
  vi.advanceTimersByTime(10_000);
  expect(state()).toBe("expired");
});

test("[B13] who is shut out asks for nothing again, whatever is still heard, until they are let in", () => {
  socket.hear("connect");
  const key = api.tokens.list.queryKey();
  cache.setQueryData(key, {} as never);
  socket.hear("connect_error", new Error("unauthorized"));
  socket.hear("news", { topics: ["tokens"] });
  socket.hear("database", { answeredAt: null });
  expect(cache.getQueryState(key)?.isInvalidated).toBe(false);
  socket.hear("connect");
  expect(cache.getQueryState(key)?.isInvalidated).toBe(true);
});

test("[B13][S6] a deactivated account is told as such, whatever is refused before or afterwards", () => {
  socket.hear("connect");
  socket.hear("ended", { reason: "deactivated" });
  socket.hear("disconnect", "io server disconnect");
  socket.hear("connect_error", new Error("unauthorized"));
  vi.advanceTimersByTime(10_000);
  expect(state()).toBe("deactivated");
});

test("[BRD-2] a tab that wakes up asks at once, and a silent server counts as lost", async () => {
  socket.hear("connect");
  globalThis.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state()).toBe("reconnecting");
});

test("[L3] output is asked for from the byte the slowest reader stands at", () => {
  connection.outputs.watch("s", { from: () => 70, tail: null, arrived: () => {} });
  connection.outputs.watch("s", { from: () => 40, tail: null, arrived: () => {} });
  socket.hear("connect");
  expect(socket.sent.at(-1)?.values[0]).toEqual({ room: "output", id: "s", offset: 40 });
});

test("[LOG-3] the server may leap only while everybody here follows the end", () => {
  socket.hear("connect");
  const asked = () => socket.sent.at(-1)?.values[0];
  const stop = connection.outputs.watch("s", { from: () => 40, tail: 1_000, arrived: () => {} });
  expect(asked()).toEqual({ room: "output", id: "s", offset: 40, tail: 1_000 });
  stop();
  connection.outputs.watch("s", { from: () => 40, tail: null, arrived: () => {} });
  expect(asked()).toEqual({ room: "output", id: "s", offset: 40 });
});

test("[L1][B11] a picture nobody asked for says that one may see other projects: what came by plain calls is asked for again", () => {
  socket.hear("connect");
  socket.hear("pool", snapshot({ version: 4 }));
  cache.setQueryData(["projects"], []);
  socket.hear("pool", snapshot({ version: 4, paused: true }));
  expect(cache.getQueryState(["projects"])?.isInvalidated).toBe(true);
  expect(pool()?.paused).toBe(true);
});

test("[L2] the first picture and one that was asked for are no such news", () => {
  socket.hear("connect");
  cache.setQueryData(["projects"], []);
  socket.hear("pool", snapshot({ version: 1 }));
  socket.hear("pool", { kind: "delta", epoch: 1, at: "2026-01-01T12:00:00.000Z", set: {}, gone: {}, from: 3, to: 4 });
  socket.hear("pool", snapshot({ version: 4 }));
  expect(cache.getQueryState(["projects"])?.isInvalidated).toBe(false);
});

test("[B13] a database that does not answer is told with the last moment it did; back again, everything is asked for anew", async () => {
  const asked = vi.fn(async () => "fresh");
  socket.hear("connect");
  await cache.fetchQuery({ queryKey: ["tasks"], queryFn: asked });
  socket.hear("database", { answeredAt: "2026-01-01T12:04:31.000Z" });
  expect(connection.standing.current()).toEqual({
    kind: "database-away",
    showing: Date.parse("2026-01-01T12:04:31.000Z"),
  });
  expect(cache.getQueryState(["tasks"])?.isInvalidated).toBe(false);
  socket.hear("database", { answeredAt: null });
  expect(state()).toBe("live");
  expect(cache.getQueryState(["tasks"])?.isInvalidated).toBe(true);
});

test("[B13] a connection that is lost while the database is away is told as such, from when on nothing is new", () => {
  socket.hear("connect");
  socket.hear("database", { answeredAt: "2026-01-01T12:04:31.000Z" });
  socket.hear("disconnect", "transport close");
  vi.advanceTimersByTime(1_000);
  expect(connection.standing.current()).toEqual({
    kind: "reconnecting",
    showing: Date.parse("2026-01-01T12:04:31.000Z"),
  });
  socket.hear("connect");
  expect(state()).toBe("live");
  socket.hear("database", { answeredAt: "2026-01-01T12:04:31.000Z" });
  expect(state()).toBe("database-away");
});

test("[L5] what somebody changed is asked for again, and nothing else", () => {
  const keys = {
    people: api.users.list.key(),
    profile: api.users.get.queryKey({ input: { id: "ben" } }),
    me: api.me.get.queryKey(),
    members: api.projects.members.queryKey({ input: { id: "p" } }),
    projects: api.projects.list.queryKey({ input: {} }),
    agents: api.agents.list.queryKey({ input: {} }),
    tokens: api.tokens.list.queryKey(),
    pool: liveKeys.pool,
  };
  const stale = () =>
    Object.entries(keys)
      .filter(([, key]) => cache.getQueryState(key)?.isInvalidated)
      .map(([name]) => name);
  socket.hear("connect");
  for (const key of Object.values(keys)) cache.setQueryData(key, {} as never);
  expect(stale()).toEqual([]);
  socket.hear("news", { topics: ["users", "a topic of a later version"] });
  expect(stale()).toEqual(["people", "profile", "me", "members"]);
  socket.hear("news", { topics: ["agents", "tokens"] });
  expect(stale()).toEqual(["people", "profile", "me", "members", "agents", "tokens"]);
});
