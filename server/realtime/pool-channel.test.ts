/** What sockets hear of the pool (L2, L4). In one file, as all of it is read against one picture. */
import { isDeepStrictEqual } from "node:util";
import { afterEach, expect, test } from "vitest";
import type { PoolPicture, PoolSession } from "../contract/pool";
import { poolHead, poolSessionView, seatView } from "../contract/pool-view";
import { NOTHING_LEFT } from "../core/session/lifecycle";
import { waitFor } from "../testing/wait-for";
import type { PoolPictures } from "./pool-channel";
import { type House, memoryPool, openHouse } from "./test-house";
import type { TestSocket } from "./test-socket";

let house: House | null = null;
afterEach(async () => {
  await house?.stop();
  house = null;
});

/** What somebody in these projects should see, worked out from the snapshot alone. */
function expected(pool: PoolPictures, projects: readonly string[]) {
  const snapshot = pool.snapshot();
  const { at: _, ...head } = poolHead(snapshot);
  const all = snapshot.sessions(1_000_000);
  const mine = all.filter((session) => projects.includes(session.projectId));
  const seats = all.flatMap((session) => (session.seat === null ? [] : [[String(session.seat), seatView(session)]]));
  return {
    ...head,
    limits: Object.fromEntries(snapshot.limits),
    users: Object.fromEntries([...snapshot.users()].map(([id, counts]) => [id, { ...counts }])),
    held: Object.fromEntries(snapshot.held()),
    seats: Object.fromEntries(seats),
    sessions: Object.fromEntries(mine.map((session) => [session.id, poolSessionView(session)])),
  };
}

/** At rest: the newest version, and within a second more the places in the order of grants (L2, P13). */
async function untilRight(socket: TestSocket, pool: PoolPictures, projects: readonly string[]): Promise<PoolPicture> {
  await socket.poolAt(pool.snapshot().version);
  const right = expected(pool, projects);
  return waitFor(() => {
    const { at: _, truncated: __, ...picture } = socket.pool ?? {};
    return isDeepStrictEqual(picture, right) && socket.pool;
  }, "the very picture of the pool");
}

const succeeded = (sessionId: string, attempt = 1) =>
  ({ kind: "release", run: { sessionId, attempt }, ended: endedWell() }) as const;
const endedWell = () => ({ ...NOTHING_LEFT, status: "succeeded", finishedAt: Date.now(), exitCode: 0 }) as never;

test("[L2] a snapshot first, then deltas that fit without a gap and end in the very picture of the pool", async () => {
  const pool = memoryPool({ globalMax: 5, perUserMax: 2, paused: false });
  house = await openHouse(pool);
  const socket = house.connect(house.signUp("ada", "p1", "p2"));
  await socket.poolAt(1);
  expect(socket.poolMessages[0]?.kind).toBe("snapshot");
  const people = ["ada", "ben", "cleo", "dan"];
  const running: string[] = [];
  for (let step = 0; step < 300; step += 1) {
    const userId = people[(step * 7) % people.length] ?? "ada";
    pool.enqueue(`s${step}`, userId, `p${1 + (step % 3)}`);
    running.push(`s${step}`);
    if (step % 3 === 0) pool.order({ kind: "cancel", sessionId: `s${step >> 1}`, by: "ada", at: Date.now() });
    if (step % 5 === 0) {
      const next = pool.snapshot().sessions(1)[0];
      if (next)
        pool.order({ kind: "progress", run: { sessionId: next.id, attempt: 1 }, progress: { phase: "working" } });
      if (next) pool.order(succeeded(next.id));
    }
    if (step === 100) pool.order({ kind: "set-user-cap", userId: "ben", max: 1 });
    if (step === 150) pool.order({ kind: "set-user-cap", userId: "cleo", max: 3 });
    if (step === 250) pool.order({ kind: "set-user-cap", userId: "ben", max: null });
    if (step === 200) pool.order({ kind: "set-caps", change: { globalMax: 3, paused: true } });
    if (step % 40 === 0) await new Promise((resolve) => setTimeout(resolve, 25));
  }
  expect((await untilRight(socket, pool, ["p1", "p2"])).truncated).toBe(false);
  expect(socket.gaps).toEqual([]);
  expect(socket.poolMessages.slice(1).every(({ kind }) => kind === "delta")).toBe(true);
});

test("[L2] the first change goes at once, later ones are joined: at most ten a second", async () => {
  const pool = memoryPool();
  house = await openHouse(pool);
  const socket = house.connect(house.signUp("ada", "p1"));
  await socket.poolAt(1);
  const before = pool.snapshot().version;
  const heard = socket.poolMessages.length;
  const start = performance.now();
  while (performance.now() - start < 600) {
    pool.enqueue(`s${pool.snapshot().version}`, "ada", "p1");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await socket.poolAt(pool.snapshot().version);
  const [first, ...later] = socket.poolMessages.slice(heard);
  // Alone, so it waited for no other; those after it came together.
  expect(first).toMatchObject({ kind: "delta", from: before, to: before + 1 });
  expect(later.length).toBeLessThanOrEqual(Math.ceil((performance.now() - start) / 100));
  expect(later.length).toBeGreaterThanOrEqual(1);
  expect(socket.gaps).toEqual([]);
});

test("[P14][L4] how many of somebody's sessions are held is told to everybody, and told again when it changes", async () => {
  const pool = memoryPool({ globalMax: 5, perUserMax: 2, paused: false });
  house = await openHouse(pool);
  const socket = house.connect(house.signUp("ada", "p1"));
  const hold = { reason: "agent-unusable", detail: "Codex is not logged in.", until: null } as const;
  const holds = (sessionId: string, to: typeof hold | null) => pool.order({ kind: "hold", sessionId, hold: to });
  for (const id of ["b1", "b2", "b3", "b4"]) pool.enqueue(id, "ben", "foreign");
  holds("b3", hold);
  holds("b4", hold);
  expect(await socket.poolAt(7)).toMatchObject({ users: { ben: { queued: 2 } }, held: { ben: 2 }, sessions: {} });
  holds("b3", null);
  expect((await socket.poolAt(8)).held).toEqual({ ben: 1 });
  holds("b4", null);
  expect((await socket.poolAt(9)).held).toEqual({});
  expect((await untilRight(socket, pool, ["p1"])).held).toEqual({});
});

test("[L2] a delta for one change is small", async () => {
  const pool = memoryPool({ globalMax: 50, perUserMax: 50, paused: false });
  house = await openHouse(pool);
  for (let n = 0; n < 40; n += 1) pool.enqueue(`old${n}`, `user${n % 8}`, "p1");
  const socket = house.connect(house.signUp("ada", "p1"));
  await socket.poolAt(pool.snapshot().version);
  pool.enqueue("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7", "p1");
  await socket.poolAt(pool.snapshot().version);
  const message = socket.poolMessages.at(-1);
  expect(message?.kind).toBe("delta");
  expect(JSON.stringify(message).length).toBeLessThan(1_000);
});

test("[P13][L2] somebody with nothing in the pool hears of a changed limit too: everybody's, and of single people", async () => {
  const pool = memoryPool({ globalMax: 5, perUserMax: 2, paused: false });
  house = await openHouse(pool);
  const socket = house.connect(house.signUp("ada", "p1"));
  await socket.poolAt(1);
  pool.order({ kind: "set-caps", change: { perUserMax: 3 } });
  expect(await socket.poolAt(2)).toMatchObject({ perUserMax: 3, limits: {}, users: {} });
  pool.order({ kind: "set-user-cap", userId: "ada", max: 0 });
  pool.order({ kind: "set-user-cap", userId: "ben", max: 7 });
  expect(await socket.poolAt(4)).toMatchObject({ perUserMax: 3, limits: { ada: 0, ben: 7 }, users: {} });
  pool.order({ kind: "set-user-cap", userId: "ada", max: null });
  expect((await socket.poolAt(5)).limits).toEqual({ ben: 7 });
  pool.enqueue("s1", "ada", "p1");
  await socket.poolAt(6);
  expect(socket.poolMessages.at(-1)).toMatchObject({ kind: "delta", set: { users: { ada: { max: 3 } } } });
  // What did not change is not told again.
  expect(JSON.stringify(socket.poolMessages.at(-1))).not.toMatch(/limits|perUserMax/);
  expect(socket.poolMessages.slice(1).every(({ kind }) => kind === "delta")).toBe(true);
});

test("[L4] sessions of foreign projects are not told, but everybody's counts and seats are", async () => {
  const pool = memoryPool();
  house = await openHouse(pool);
  pool.enqueue("secret1", "ben", "hidden");
  const ada = house.connect(house.signUp("ada", "p1"));
  const ben = house.connect(house.signUp("ben", "p1", "hidden"));
  await Promise.all([ada.poolAt(2), ben.poolAt(2)]);
  pool.enqueue("secret2", "ben", "hidden");
  pool.enqueue("secret3", "ben", "hidden");
  pool.enqueue("open1", "ben", "p1");
  const version = pool.snapshot().version;
  const seen = await ada.poolAt(version);
  expect(Object.keys(seen.sessions)).toEqual(["open1"]);
  expect(seen.users).toEqual({ ben: { running: 2, max: 2, queued: 2 } });
  expect(Object.values(seen.seats)).toEqual(Array(2).fill({ userId: "ben", isStarting: true }));
  expect(Object.keys((await ben.poolAt(version)).sessions)).toHaveLength(4);
  pool.order({ kind: "cancel", sessionId: "secret3", by: "ben", at: Date.now() });
  await ada.poolAt(version + 1);
  const said = JSON.stringify(ada.poolMessages);
  expect(said).not.toContain("hidden");
  // Not even the ids, but for those that block one's own session by name (P14 `your-limit`).
  expect(JSON.stringify(ada.poolMessages.map((message) => Object.keys(sessionsOf(message))))).not.toContain("secret");
});

function sessionsOf(message: {
  kind: string;
  sessions?: unknown;
  set?: { sessions?: unknown };
}): Record<string, PoolSession> {
  return ((message.kind === "snapshot" ? message.sessions : message.set?.sessions) ?? {}) as Record<
    string,
    PoolSession
  >;
}

test("[L2] whoever asks after a gap gets a snapshot again; a joiner in between misses nothing", async () => {
  const pool = memoryPool();
  house = await openHouse(pool);
  const cookie = house.signUp("ada", "p1");
  const early = house.connect(cookie);
  await early.poolAt(1);
  const late: ReturnType<House["connect"]>[] = [];
  for (let n = 0; n < 20; n += 1) {
    pool.enqueue(`s${n}`, `user${n % 4}`, "p1");
    if (n % 4 === 0) late.push(house.connect(cookie));
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  const version = pool.snapshot().version;
  for (const socket of [early, ...late]) {
    await untilRight(socket, pool, ["p1"]);
    expect(socket.gaps).toEqual([]);
  }
  const before = early.poolMessages.length;
  expect(await early.socket.emitWithAck("resync")).toEqual({ ok: true });
  await waitFor(() => early.poolMessages.length > before, "the snapshot");
  expect(early.poolMessages.at(-1)).toMatchObject({ kind: "snapshot", version });
});

test("[L2][P13] a version in which nothing changed for a socket reaches it too, within a second", async () => {
  const pool = memoryPool();
  house = await openHouse(pool);
  pool.enqueue("s1", "ada", "p1");
  const socket = house.connect(house.signUp("ada", "p1"));
  await socket.poolAt(2);
  const run = { sessionId: "s1", attempt: 1 };
  pool.order({ kind: "progress", run, progress: { lastAction: "reads a file" } });
  const version = pool.snapshot().version;
  await waitFor(() => socket.pool?.version === version, "the version", 1_000);
  expect(JSON.stringify(socket.poolMessages.at(-1)).length).toBeLessThan(200);
});

test("[P15][L2] places in the order of grants reach those for whom nothing else changed, at most once a second", async () => {
  const pool = memoryPool({ globalMax: 1, perUserMax: 5, paused: false });
  house = await openHouse(pool);
  for (const user of ["zoe", "ada", "ben", "cleo"]) pool.enqueue(`of ${user}`, user, "p1");
  const socket = house.connect(house.signUp("ada", "p1"));
  const aheadOf = (user: string) => socket.pool?.sessions[`of ${user}`]?.ahead;
  await untilRight(socket, pool, ["p1"]);
  expect(["ada", "ben", "cleo"].map(aheadOf)).toEqual([0, 1, 2]);
  const before = socket.poolMessages.length;
  const start = performance.now();
  let told = 0;
  for (let step = 0; performance.now() - start < 1_500; step += 1) {
    const [running] = pool.snapshot().sessions(1);
    if (running) pool.order(succeeded(running.id));
    pool.enqueue(`again ${step}`, running?.userId ?? "ada", "p1");
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  await untilRight(socket, pool, ["p1"]);
  const since = socket.poolMessages.slice(before);
  for (const message of since) if (message.kind === "delta" && message.from === message.to) told += 1;
  expect(since.length).toBeLessThanOrEqual(Math.ceil((performance.now() - start) / 100) + 1);
  expect(told).toBeLessThanOrEqual(Math.floor((performance.now() - start) / 1_000) + 1);
  expect(socket.gaps).toEqual([]);
});

test("[P15][L2][P13] estimates are told without another version, also to whoever stands behind their own limit", async () => {
  const pool = memoryPool({ globalMax: 2, perUserMax: 1, paused: false });
  house = await openHouse(pool);
  for (const user of ["ada", "ben", "cleo", "ada"]) pool.enqueue(`of ${user} ${pool.snapshot().version}`, user, "p1");
  const socket = house.connect(house.signUp("cleo", "p1"));
  const version = pool.snapshot().version;
  await untilRight(socket, pool, ["p1"]);
  pool.foresee(["of cleo 3", { p50: 60, p80: 120 }], ["of ada 4", { p50: 300, p80: 600 }]);
  const told = await untilRight(socket, pool, ["p1"]);
  expect(told.version).toBe(version);
  expect(told.sessions["of cleo 3"]).toMatchObject({ ahead: 0, startsIn: { p50: 60, p80: 120 } });
  expect(told.sessions["of ada 4"]).toMatchObject({ ahead: null, startsIn: { p50: 300, p80: 600 } });
  // A moved p80 is news as well, and so is an estimate that nobody can give any more.
  pool.foresee(["of cleo 3", { p50: 60, p80: 180 }]);
  const then = await untilRight(socket, pool, ["p1"]);
  expect(then.sessions["of cleo 3"]?.startsIn).toEqual({ p50: 60, p80: 180 });
  expect(then.sessions["of ada 4"]?.startsIn).toBeNull();
  expect(socket.gaps).toEqual([]);
});

test("[L2] another term of the writer is told as a snapshot", async () => {
  const first = memoryPool();
  const listeners = new Set<Parameters<PoolPictures["subscribe"]>[0]>();
  let current = first.snapshot();
  house = await openHouse({
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const socket = house.connect(house.signUp("ada", "p1"));
  await socket.poolAt(1);
  const second = memoryPool({ globalMax: 7, perUserMax: 1, paused: false }, 2);
  second.enqueue("s1", "ada", "p1");
  current = second.snapshot();
  for (const listener of listeners) listener({ snapshot: current, touched: "all", ended: [], moved: [] });
  await waitFor(() => socket.pool?.epoch === 2, "the new term");
  expect(socket.poolMessages.at(-1)).toMatchObject({ kind: "snapshot", epoch: 2, global: { max: 7, running: 1 } });
});

test("[L2] more sessions than a picture holds: cut, said so, running ones always in, and still right as it drains", async () => {
  const pool = memoryPool({ globalMax: 3, perUserMax: 3, paused: false });
  house = await openHouse(pool);
  for (let n = 0; n < 2_100; n += 1) pool.enqueue(`s${n}`, `user${n % 300}`, "p1");
  const socket = house.connect(house.signUp("ada", "p1"));
  const full = await socket.poolAt(pool.snapshot().version);
  expect(Object.keys(full.sessions)).toHaveLength(2_000);
  expect(full.truncated).toBe(true);
  for (let n = 0; n < 160; n += 1) pool.order(succeeded(pool.snapshot().sessions(1)[0]?.id ?? ""));
  expect((await untilRight(socket, pool, ["p1"])).truncated).toBe(false);
  expect(socket.gaps).toEqual([]);
}, 120_000);

test("[L2] a thousand sockets hear of one change", async () => {
  const pool = memoryPool();
  house = await openHouse(pool);
  const cookie = house.signUp("ada", "p1");
  const sockets = Array.from({ length: 1_000 }, () => house?.connect(cookie));
  for (const socket of sockets) await socket?.poolAt(1);
  pool.enqueue("s1", "ada", "p1");
  for (const socket of sockets) await socket?.poolAt(2);
  expect(sockets.map((socket) => socket?.poolMessages.length)).toEqual(Array.from({ length: 1_000 }, () => 2));
}, 40_000);
