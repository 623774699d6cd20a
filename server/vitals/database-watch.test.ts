import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchDatabase } from "./database-watch";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A database that answers as the test says. */
function database() {
  const told: (number | null)[] = [];
  let answers: "at once" | "refused" | "never" = "at once";
  let asked = 0;
  let hanging: (() => void)[] = [];
  const pingDatabase = () => {
    asked += 1;
    if (answers === "at once") return Promise.resolve();
    if (answers === "refused") return Promise.reject(new Error("connection refused"));
    return new Promise<void>((resolve) => hanging.push(resolve));
  };
  const watch = watchDatabase({ pingDatabase, now: Date.now, told: (at) => told.push(at) });
  return {
    told,
    asked: () => asked,
    become(next: typeof answers) {
      answers = next;
      for (const answer of next === "at once" ? hanging : []) answer();
      if (next === "at once") hanging = [];
    },
    stop: watch.stop,
  };
}

test("[B13] a database that is gone is told within two looks, with the last moment it answered, and once", async () => {
  const { told, become, stop } = database();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([]);
  become("refused");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told).toEqual([5_000]);
  await vi.advanceTimersByTimeAsync(60_000);
  become("at once");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual([5_000, null]);
  stop();
});

test("[B13] one that hangs is told within a few seconds, and asked one question at a time", async () => {
  const { told, asked, become, stop } = database();
  await vi.advanceTimersByTimeAsync(3_000);
  become("never");
  const before = asked();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(told).toEqual([3_000]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(before + 1);
  become("at once");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(told).toEqual([3_000, null]);
  stop();
});

test("[B13] a connection that is cut once is no news; stopped, it looks no more", async () => {
  const { told, asked, become, stop } = database();
  await vi.advanceTimersByTimeAsync(1_000);
  become("refused");
  await vi.advanceTimersByTimeAsync(1_000);
  become("at once");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([]);
  stop();
  const before = asked();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBe(before);
});
