import { afterEach, beforeEach, expect, test } from "vitest";
import type { Task } from "../contract/tasks";
import { waitFor } from "../testing/wait-for";
import { type House, memoryPool, openHouse } from "./test-house";

let house: House;
let pool: ReturnType<typeof memoryPool>;
beforeEach(async () => {
  pool = memoryPool();
  house = await openHouse(pool);
});
afterEach(() => house.stop());

function card(id: string, title: string): Task {
  const at = "2026-01-01T00:00:00.000Z";
  const nobody = { agentId: null, session: null, branch: null, createdBy: null, shelfAt: null, shelfBy: null };
  const nothing = {
    outcome: null,
    pullRequest: null,
    issue: null,
    pushedAt: null,
    pushedBranch: null,
    unsavedIn: null,
  };
  const facts = { projectId: "p1", number: 1, prompt: "", column: "backlog", sessionCount: 0, orderKey: "a" } as const;
  return { id, title, createdAt: at, updatedAt: at, ...facts, ...nobody, ...nothing };
}

/** Writes the row and tells the feed, as a desk does. */
function write(id: string, title: string | null): void {
  const cards = house.rows.cards.get("p1") ?? new Map<string, Task>();
  house.rows.cards.set("p1", cards);
  if (title === null) cards.delete(id);
  else cards.set(id, card(id, title));
  if (title === null) house.live.feed.tasksGone("p1", [id]);
  else house.live.feed.tasksChanged("p1", [id]);
}

const titlesOf = (socket: { board: { tasks: Map<string, Task> } | null }) =>
  [...(socket.board?.tasks.values() ?? [])].map(({ id, title }) => `${id} ${title}`).sort();
const rowsNow = () => [...(house.rows.cards.get("p1")?.values() ?? [])].map(({ id, title }) => `${id} ${title}`).sort();

test("[L3] a board's snapshot, then made, edited and deleted cards as deltas", async () => {
  write("t1", "first");
  const socket = house.connect(house.signUp("ada", "p1"));
  expect(await socket.watch("board", "p1")).toEqual({ ok: true });
  await waitFor(() => socket.board, "the board");
  write("t2", "second");
  write("t1", "first, edited");
  await waitFor(() => titlesOf(socket).join() === rowsNow().join(), "the edits");
  write("t2", null);
  await waitFor(() => titlesOf(socket).join() === "t1 first, edited", "the deletion");
  expect(socket.gaps).toEqual([]);
});

test("[L3] changes made while the first picture is read are not missed, however late that read is", async () => {
  write("t1", "old");
  let goOn = () => {};
  house.rows.slowly = new Promise((resolve) => {
    goOn = resolve;
  });
  const socket = house.connect(house.signUp("ada", "p1"));
  const answer = socket.watch("board", "p1");
  await waitFor(() => house.rows.boardReads === 1, "the read");
  write("t1", "new");
  write("t2", "made meanwhile");
  house.rows.slowly = null;
  goOn();
  expect(await answer).toEqual({ ok: true });
  await waitFor(() => titlesOf(socket).join() === rowsNow().join(), "what changed meanwhile");
  expect(socket.boardMessages.map(({ kind }) => kind)).toEqual(["snapshot", "delta"]);
  expect(socket.gaps).toEqual([]);
});

test("[L3] under a storm of edits every board that comes and goes ends right, with ten messages a second at most", async () => {
  const cookie = house.signUp("ada", "p1");
  const start = performance.now();
  const sockets: ReturnType<House["connect"]>[] = [];
  for (let n = 0; n < 120; n += 1) {
    write(`t${n % 10}`, n % 13 === 0 ? null : `edit ${n}`);
    if (n % 20 === 0) {
      const socket = house.connect(cookie);
      sockets.push(socket);
      void socket.watch("board", "p1");
    }
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  for (const socket of sockets) {
    await waitFor(() => titlesOf(socket).join() === rowsNow().join(), "the last edit");
    expect(socket.gaps).toEqual([]);
    const seconds = (performance.now() - start) / 1_000;
    expect(socket.boardMessages.length).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 2);
  }
});

test("[L3] many who come at once share one reading of the board", async () => {
  write("t1", "first");
  const cookie = house.signUp("ada", "p1");
  const sockets = Array.from({ length: 30 }, () => house.connect(cookie));
  for (const socket of sockets) await waitFor(() => socket.pool, "the pool");
  await Promise.all(sockets.map((socket) => socket.watch("board", "p1")));
  for (const socket of sockets) await waitFor(() => titlesOf(socket).length === 1, "the board");
  expect(house.rows.boardReads).toBeLessThan(10);
});

test("[L3][P13] a card whose session moves in the pool is told again", async () => {
  house.rows.cards.set("p1", new Map([["task of s1", card("task of s1", "mine")]]));
  const socket = house.connect(house.signUp("ada", "p1"));
  await socket.watch("board", "p1");
  await waitFor(() => socket.board, "the board");
  pool.enqueue("s1", "ada", "p1");
  await waitFor(() => socket.boardMessages.some(({ kind }) => kind === "delta"), "the card");
  expect(socket.boardMessages.at(-1)).toMatchObject({ kind: "delta", set: [{ id: "task of s1" }] });
});

test("[L3] a board that cannot be read answers so, and is right once it can", async () => {
  write("t1", "first");
  const socket = house.connect(house.signUp("ada", "p1"));
  await waitFor(() => socket.pool, "the pool");
  house.rows.slowly = Promise.reject(new Error("the database is away"));
  house.rows.slowly.catch(() => {});
  expect(await socket.watch("board", "p1")).toMatchObject({ code: "UNAVAILABLE" });
  house.rows.slowly = null;
  expect(await socket.watch("board", "p1")).toEqual({ ok: true });
  await waitFor(() => titlesOf(socket).join() === "t1 first", "the board");

  house.rows.slowly = Promise.reject(new Error("the database is away"));
  house.rows.slowly.catch(() => {});
  write("t1", "edited while it was away");
  await waitFor(() => house.warnings.length >= 2, "the failed read");
  house.rows.slowly = null;
  await waitFor(() => titlesOf(socket).join() === "t1 edited while it was away", "the edit");
  expect(socket.gaps).toEqual([]);
});
