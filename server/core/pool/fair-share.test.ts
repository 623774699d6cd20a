import { expect, test } from "vitest";
import { sessionOf } from "../../testing/pool-world";
import { endedWith } from "../../testing/scripted-waiter";
import { decide, withRealNumbers } from "./index";
import { stateFrom } from "./load";
import type { QueuedRow } from "./rows";

const SEATS = 20;
const OTHERS = 39;

test("[P6] ten thousand of one person who may have every seat, then 39 others: each starts within three session lengths", () => {
  const facts = { projectId: "p", userId: "ann", agentId: "a", attempt: 1, place: null, queuedAt: 0, hold: null };
  const live = Array.from({ length: 10_000 }, (_, i): QueuedRow => {
    return { ...facts, id: `ann ${i}`, taskId: `t${i}`, seq: i + 1, status: "queued" };
  });
  const caps = { globalMax: SEATS, perUserMax: SEATS, paused: false };
  let { state } = decide(stateFrom({ caps, users: [], live }, true), [], { at: 0, epoch: 1 });
  expect(state.lines.get("ann")?.running.size).toBe(SEATS);
  const arrivals = Array.from({ length: OTHERS }, (_, i) => {
    const session = sessionOf(`user ${i}`, `task of ${i}`);
    return { kind: "enqueue", sessionId: `user ${i}`, at: 0, session } as const;
  });
  const numbers = new Map(arrivals.map(({ sessionId }, i) => [sessionId, 20_000 + i]));
  state = withRealNumbers(decide(state, arrivals, { at: 0, epoch: 1 }), numbers);
  const startedIn = new Map<string, number>();
  for (let length = 1; length <= 3; length += 1) {
    for (const [, { id: sessionId }] of [...state.running]) {
      const release = { kind: "release", run: { sessionId, attempt: 1 }, ended: endedWith({}) } as const;
      const decision = decide(state, [release], { at: length, epoch: 1 });
      for (const { userId } of decision.granted) {
        const isSomebodyWithout = [...state.lines].some(([, line]) => line.running.size === 0 && line.line.size > 0);
        if (isSomebodyWithout) expect(state.lines.get(userId)?.running.size).toBe(0);
        startedIn.set(userId, startedIn.get(userId) ?? length);
      }
      state = withRealNumbers(decision, new Map());
    }
  }
  const others = arrivals.map(({ sessionId }) => startedIn.get(sessionId));
  expect(others.every((length) => length !== undefined && length <= Math.ceil(OTHERS / SEATS) + 1)).toBe(true);
  // Nobody of them waited for longer than the seats were there for those before them.
  expect(others.filter((length) => length === 1)).toHaveLength(SEATS);
});
