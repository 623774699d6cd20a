import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Task } from "../contract/tasks";
import { waitFor } from "../testing/wait-for";
import { type House, memoryPool, openHouse } from "./test-house";
import type { TestSocket } from "./test-socket";

/** L1's limit. */
const WITHIN_MS = 5_000;

let house: House;
let pool: ReturnType<typeof memoryPool>;
beforeEach(async () => {
  pool = memoryPool();
  house = await openHouse(pool);
});
afterEach(() => house.stop());

async function watching(cookie: string, ...projects: string[]): Promise<TestSocket> {
  const socket = house.connect(cookie);
  await waitFor(() => socket.pool, "the pool");
  for (const project of projects) {
    expect(await socket.watch("board", project)).toEqual({ ok: true });
    await waitFor(() => socket.boardMessages.length > 0, "the board");
  }
  return socket;
}

function makeCard(projectId: string, id: string): void {
  house.rows.cards.set(projectId, new Map([[id, { id, projectId, title: "secret" } as Task]]));
  house.live.feed.tasksChanged(projectId, [id]);
}

describe("who may connect", () => {
  test("[L1] nobody without a login, nobody with an ended one; a token will do", async () => {
    const stranger = house.connect("login=nobody");
    await waitFor(() => stranger.ends.length > 0, "the refusal");
    expect(stranger.ends).toEqual(["unauthorized"]);
    expect(stranger.poolMessages).toEqual([]);

    house.signUp("ada", "p1");
    const caller = house.rows.callers.get("login=ada");
    if (caller) house.rows.callers.set("Bearer token1", { ...caller, via: { kind: "token", tokenId: "t1" } });
    const script = house.connect("", { auth: { token: "token1" } });
    await waitFor(() => script.pool, "the pool");
    const wrong = house.connect("login=ada", { auth: { token: "token2" } });
    await waitFor(() => wrong.ends.length > 0, "the refusal");
    expect(wrong.ends).toEqual(["unauthorized"]);
  });

  test("[L1][S3] a page of another site cannot open one, by no transport", async () => {
    const cookie = house.signUp("ada", "p1");
    for (const transports of [["websocket"], ["polling"]]) {
      const extraHeaders = { cookie, origin: "http://evil.example.com" };
      const socket = house.connect(cookie, { transports, extraHeaders });
      await waitFor(() => socket.ends.length > 0, "the refusal");
      expect(socket.pool).toBeNull();
    }
    const own = house.connect(cookie, { transports: ["polling"], extraHeaders: { cookie, origin: house.url } });
    await waitFor(() => own.pool, "the pool");
  });
});

describe("sockets end when the right ends", () => {
  test("[L1][SEC-1] a logout ends the sockets of that login at once, and of no other", async () => {
    const cookie = house.signUp("ada", "p1");
    const elsewhere = house.signUp("ben", "p1");
    const [mine, tab, other] = [await watching(cookie, "p1"), await watching(cookie), await watching(elsewhere, "p1")];
    house.rows.callers.delete(cookie);
    house.live.feed.loginEnded("login of ada");
    await waitFor(() => mine.ends.length > 0 && tab.ends.length > 0, "the end", 1_000);
    expect(mine.ends).toEqual(["io server disconnect"]);
    expect(other.ends).toEqual([]);
    const again = house.connect(cookie);
    await waitFor(() => again.ends.length > 0, "the refusal");
  });

  test("[L1][SEC-1] whoever is deactivated hears it as the last word, on every tab; nobody else does", async () => {
    const cookie = house.signUp("ada", "p1");
    const [mine, other] = [await watching(cookie, "p1"), await watching(house.signUp("ben", "p1"), "p1")];
    const words: unknown[] = [];
    for (const { socket } of [mine, other]) socket.on("ended", (word) => words.push(word));
    house.rows.callers.delete(cookie);
    house.live.feed.personDeactivated("ada");
    await waitFor(() => mine.ends.length > 0, "the end", 1_000);
    expect([words, mine.ends, other.ends]).toEqual([[{ reason: "deactivated" }], ["io server disconnect"], []]);
  });

  test("[L1][SEC-1] an expired login, a revoked token or a deactivated person ends within 5 s though nobody says so", async () => {
    const socket = await watching(house.signUp("ada", "p1"), "p1");
    house.rows.callers.delete("login=ada");
    await waitFor(() => socket.ends.length > 0, "the end", WITHIN_MS);
    const witness = await watching(house.signUp("cleo", "p1"), "p1");
    const heard = socket.poolMessages.length + socket.boardMessages.length;
    makeCard("p1", "t1");
    pool.enqueue("s1", "ben", "p1");
    await waitFor(() => witness.board?.tasks.size === 1 && witness.pool?.sessions.s1, "the witness to hear of both");
    expect(socket.poolMessages.length + socket.boardMessages.length).toBe(heard);
  });

  test.each([
    ["at once when told", true],
    ["within 5 s though nobody says so", false],
  ])(
    "[L1][L4][SEC-1] whoever is taken off a project hears no more of it, %s",
    async (_when, isTold) => {
      const socket = await watching(house.signUp("ada", "p1", "p2"), "p1");
      const colleague = await watching(house.signUp("ben", "p1"), "p1");
      pool.enqueue("s1", "ben", "p1");
      pool.enqueue("s2", "ben", "p2");
      house.rows.places.set("s1", { projectId: "p1", run: { sessionId: "s1", attempt: 1 }, isOver: false });
      await house.runner.start({ sessionId: "s1", attempt: 1, command: { argv: ["agent"], stdin: null } } as never);
      for (const one of [socket, colleague]) expect(await one.watch("output", "s1", 0)).toEqual({ ok: true });
      await waitFor(() => Object.keys(socket.pool?.sessions ?? {}).length === 2, "both sessions");

      house.rows.projects.set("ada", new Set(["p2"]));
      if (isTold) house.live.feed.accessChanged("ada");
      await waitFor(() => socket.boardMessages.at(-1)?.kind === "closed", "the board to close", WITHIN_MS);
      await waitFor(
        () => Object.keys(socket.pool?.sessions ?? {}).join() === "s2",
        "the pool's picture without it",
        WITHIN_MS,
      );
      const messages = socket.outputMessages.length;
      house.runner.print({ sessionId: "s1", attempt: 1 }, "secret");
      makeCard("p1", "t1");
      await waitFor(() => colleague.board?.tasks.size === 1, "the colleague's board");
      await waitFor(() => colleague.outputMessages.length > 0, "the colleague's output");
      // The colleague has heard both; these answers come after whatever was sent to this socket.
      expect(await socket.watch("board", "p1")).toMatchObject({ code: "NOT_FOUND" });
      expect(await socket.watch("output", "s1", 0)).toMatchObject({ code: "NOT_FOUND" });
      expect(socket.board).toBeNull();
      expect(socket.outputMessages.length).toBe(messages);
      expect(socket.ends).toEqual([]);
    },
    20_000,
  );

  test("[L1] a new member may watch at once, without a word from anybody", async () => {
    const socket = await watching(house.signUp("ada"));
    expect(await socket.watch("board", "p1")).toMatchObject({ code: "NOT_FOUND" });
    house.rows.projects.set("ada", new Set(["p1"]));
    expect(await socket.watch("board", "p1")).toEqual({ ok: true });
  });

  test("[L1] a removed project closes its board", async () => {
    const socket = await watching(house.signUp("ada", "p1"), "p1");
    house.rows.projects.set("ada", new Set());
    house.live.feed.projectGone("p1");
    await waitFor(() => socket.boardMessages.at(-1)?.kind === "closed", "the board to close", 1_000);
  });
});

describe("whatever a client sends", () => {
  test("[L4] rooms of others and of nothing answer alike", async () => {
    house.rows.places.set("s1", { projectId: "p9", run: { sessionId: "s1", attempt: 1 }, isOver: true });
    const socket = await watching(house.signUp("ada", "p1"));
    const answers = [
      await socket.watch("board", "p9"),
      await socket.watch("board", "nothing"),
      await socket.watch("output", "s1", 0),
      await socket.watch("output", "nothing", 0),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: "NOT_FOUND" });
  });

  test.each([
    ["nothing", []],
    ["null", [null]],
    ["text", ["board"]],
    ["an unknown room", [{ room: "kitchen", id: "p1" }]],
    ["an id with a NUL", [{ room: "board", id: "p\u00001" }]],
    ["an id of 5,000 letters", [{ room: "board", id: "x".repeat(5_000) }]],
    ["a negative offset", [{ room: "output", id: "s1", offset: -1 }]],
    ["half a byte", [{ room: "output", id: "s1", offset: 0.5 }]],
    ["an offset that is text", [{ room: "output", id: "s1", offset: "a" }]],
  ])("[L2] junk is answered with a code: %s", async (_what, given) => {
    const socket = await watching(house.signUp("ada", "p1"));
    const junk = given[0] as never;
    expect(await socket.socket.emitWithAck("watch", junk)).toMatchObject({ code: "BAD_REQUEST" });
    expect(await socket.socket.emitWithAck("unwatch", junk)).toMatchObject({ code: "BAD_REQUEST" });
    // Without a function to answer with, and events nobody knows: the socket lives on.
    socket.socket.emit("watch", junk, null as never);
    (socket.socket as { emit(event: string, given: unknown): unknown }).emit("launch", junk);
    expect(await socket.watch("board", "p1")).toEqual({ ok: true });
  });

  test("[L2] whoever does not read is cut off before much waits for it, and others notice nothing", async () => {
    const cookie = house.signUp("ada", "p1");
    const [reader, sleeper] = [await watching(cookie, "p1"), await watching(cookie, "p1")];
    const transport = sleeper.socket.io.engine.transport as unknown as { ws: { pause(): void } };
    transport.ws.pause();
    const cards = Array.from({ length: 400 }, (_, n) => ({ id: `t${n}`, title: "x".repeat(60_000) }) as Task);
    house.rows.cards.set("p1", new Map(cards.map((card) => [card.id, card])));
    house.live.feed.tasksChanged(
      "p1",
      cards.map(({ id }) => id),
    );
    await waitFor(() => house.live.sockets() === 1, "the cut");
    await waitFor(() => reader.board?.tasks.size === 400, "the reader's board");
    expect(reader.ends).toEqual([]);
  });

  test("[L2] a message that is too long ends the connection, a flood of questions is turned away, rooms are counted", async () => {
    const cookie = house.signUp("ada", ...Array.from({ length: 40 }, (_, n) => `p${n}`));
    const socket = await watching(cookie);
    const flood = await Promise.all(Array.from({ length: 300 }, () => socket.watch("output", "nothing")));
    expect(flood.some((answer) => "code" in answer && answer.code === "TOO_MANY_REQUESTS")).toBe(true);
    expect(flood[0]).toMatchObject({ code: "NOT_FOUND" });
    const rooms = [];
    for (let n = 0; n < 40; n += 1) rooms.push(await socket.watch("board", `p${n}`));
    expect(rooms.filter((answer) => "ok" in answer)).toHaveLength(32);
    socket.watch("board", "x".repeat(100_000)).catch(() => {});
    await waitFor(() => socket.ends.length > 0, "the end");
  });
});

test("[R5] when the server leaves, every socket is told that it restarts", async () => {
  const sockets = [await watching(house.signUp("ada", "p1"), "p1"), await watching(house.signUp("ben"))];
  await house.live.close();
  await waitFor(() => sockets.every(({ ends }) => ends.length > 0), "the end");
  expect(sockets.map(({ isToldOfRestart }) => isToldOfRestart)).toEqual([true, true]);
  expect(house.live.sockets()).toBe(0);
});
