import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunOrder } from "../ports/runner";
import { waitFor } from "../testing/wait-for";
import { type House, memoryPool, openHouse } from "./test-house";
import type { TestSocket } from "./test-socket";

let house: House;
let pool: ReturnType<typeof memoryPool>;
let cookie: string;
beforeEach(async () => {
  pool = memoryPool();
  house = await openHouse(pool);
  cookie = house.signUp("ada", "p1");
});
afterEach(() => house.stop());

const run = (attempt = 1) => ({ sessionId: "s1", attempt });

/** A session that holds a slot, with an agent that says what the test makes it say. */
async function startSession(attempt = 1): Promise<void> {
  if (attempt === 1) pool.enqueue("s1", "ada", "p1");
  house.rows.places.set("s1", { projectId: "p1", run: run(attempt), isOver: false });
  const order = { ...run(attempt), command: { argv: ["agent"], stdin: null } } as unknown as RunOrder;
  await house.runner.start(order);
  await waitFor(async () => (await house.runner.probe(run(attempt))).kind === "present", "the agent");
}

function received(socket: TestSocket): Buffer {
  return Buffer.concat(socket.outputMessages.map(({ bytes }) => Buffer.from(bytes)));
}

function expectNoGap(socket: TestSocket, from: number): void {
  let at = from;
  for (const { offset, next, bytes } of socket.outputMessages) {
    expect(offset).toBe(at);
    expect(next - offset).toBe(bytes.byteLength);
    at = next;
  }
}

const isComplete = (socket: TestSocket) => socket.outputMessages.at(-1)?.complete === true;

test("[L3][R6] output streams as it grows, byte for byte, and ends with the last byte", async () => {
  await startSession();
  house.runner.print(run(), "before anybody looks\n");
  const socket = house.connect(cookie);
  expect(await socket.watch("output", "s1", 0)).toEqual({ ok: true });
  const odd = Buffer.from([0, 255, 0xf0, 0x9f, 10, 13, 0]);
  await waitFor(() => received(socket).length > 0, "the first bytes");
  house.runner.print(run(), odd);
  for (let n = 0; n < 200; n += 1) house.runner.print(run(), `line ${n}\n`);
  await waitFor(() => received(socket).includes("line 0"), "the first lines");
  house.runner.print(run(), "last words");
  house.runner.end(run());
  await waitFor(() => isComplete(socket), "the end");
  const lines = Array.from({ length: 200 }, (_, n) => `line ${n}\n`).join("");
  const whole = Buffer.concat([Buffer.from("before anybody looks\n"), odd, Buffer.from(`${lines}last words`)]);
  expect(received(socket).equals(whole)).toBe(true);
  expectNoGap(socket, 0);
  expect(socket.outputMessages.filter(({ complete }) => complete)).toHaveLength(1);
});

test("[L3][R6] a reader that comes back goes on at its offset: no gap and no double", async () => {
  await startSession();
  house.runner.print(run(), "0123456789");
  const first = house.connect(cookie);
  await first.watch("output", "s1", 0);
  await waitFor(() => received(first).length === 10, "ten bytes");
  first.socket.disconnect();
  house.runner.print(run(), "abcdef");
  const second = house.connect(cookie);
  await second.watch("output", "s1", 10);
  house.runner.print(run(), "ghi");
  house.runner.end(run());
  await waitFor(() => isComplete(second), "the end");
  expect(received(second).toString()).toBe("abcdefghi");
  expectNoGap(second, 10);
  // Asking again on the same socket starts again where asked, also behind the end.
  const before = second.outputMessages.length;
  await second.watch("output", "s1", 19);
  await waitFor(() => second.outputMessages.length > before, "the answer");
  expect(second.outputMessages.at(-1)).toMatchObject({ offset: 19, next: 19, complete: true });
});

test("[LOG-3] who follows the end begins near it, leaps when a flood comes, and has the last byte first of all", async () => {
  await startSession();
  const TAIL = 1_000;
  house.runner.print(run(), "x".repeat(50_000));
  const socket = house.connect(cookie);
  expect(await socket.watch("output", "s1", 0, TAIL)).toEqual({ ok: true });
  await waitFor(() => received(socket).length > 0, "the first bytes");
  expect(socket.outputMessages).toMatchObject([{ offset: 49_000, next: 50_000, complete: false }]);
  house.runner.print(run(), "a little");
  await waitFor(() => socket.outputMessages.length === 2, "a little");
  expect(socket.outputMessages[1]).toMatchObject({ offset: 50_000, next: 50_008 });
  house.runner.print(run(), Buffer.alloc(30_000_000, "y"));
  house.runner.print(run(), "last words");
  house.runner.end(run());
  await waitFor(() => isComplete(socket), "the end");
  expect(socket.outputMessages).toHaveLength(3);
  expect(socket.outputMessages[2]).toMatchObject({ offset: 30_050_018 - TAIL, next: 30_050_018, complete: true });
  expect(
    received(socket)
      .toString()
      .endsWith(`${"y".repeat(990)}last words`),
  ).toBe(true);
});

test("[LOG-3] one cannot ask to lie further behind than a message may be long", async () => {
  await startSession();
  const socket = house.connect(cookie);
  for (const tail of [0, -1, 1.5, 50_000_000]) {
    expect(await socket.watch("output", "s1", 0, tail)).toMatchObject({ code: "BAD_REQUEST" });
  }
});

test("[L3] watching a queued session shows its output once it runs, of whichever attempt acted", async () => {
  pool.order({ kind: "set-caps", change: { paused: true } });
  pool.enqueue("s1", "ada", "p1");
  house.rows.places.set("s1", { projectId: "p1", run: run(), isOver: false });
  const socket = house.connect(cookie);
  expect(await socket.watch("output", "s1", 0)).toEqual({ ok: true });
  pool.order({ kind: "set-caps", change: { paused: false } });
  pool.order({ kind: "requeue", run: run(1), at: Date.now() });
  await startSession(2);
  house.runner.print(run(2), "second try\n");
  house.runner.end(run(2));
  await waitFor(() => isComplete(socket), "the end");
  expect(received(socket).toString()).toBe("second try\n");
});

test("[L3] a session withdrawn before it ran is complete and empty", async () => {
  house.rows.places.set("s1", { projectId: "p1", run: run(), isOver: true });
  const socket = house.connect(cookie);
  await socket.watch("output", "s1");
  await waitFor(() => isComplete(socket), "the end");
  expect(socket.outputMessages).toMatchObject([{ offset: 0, next: 0, complete: true }]);
});

test("[L2][R6] a reader that does not read holds one piece, not the whole output, and gets the rest when it reads", async () => {
  await startSession();
  const socket = house.connect(cookie);
  await waitFor(() => socket.pool, "the pool");
  const raw = rawSocketOf(socket);
  raw.pause();
  let asked = 0;
  const read = house.runner.read;
  house.runner.read = (...given) => {
    asked += 1;
    return read(...given);
  };
  const size = 40_000_000;
  house.runner.print(run(), Buffer.alloc(size, "x"));
  house.runner.end(run());
  const answer = socket.watch("output", "s1", 0);
  await waitFor(() => asked > 0, "the stream to begin");
  // A reader that reads has it all by now; the other one what the network's own buffers took, and one piece.
  const witness = house.connect(cookie);
  await witness.watch("output", "s1", 0);
  await waitFor(() => isComplete(witness), "the witness to have it all");
  expect(received(witness).length).toBe(size);
  expect(asked * 128 * 1024).toBeLessThan(1.5 * size);
  raw.resume();
  await answer;
  await waitFor(() => isComplete(socket), "the end");
  expect(received(socket).length).toBe(size);
  expectNoGap(socket, 0);
});

interface Pausable {
  pause(): void;
  resume(): void;
}

/** The connection below a client, so that the test can stop reading. */
function rawSocketOf(socket: TestSocket): Pausable {
  const transport = socket.socket.io.engine.transport as unknown as { ws: Pausable };
  return transport.ws;
}
