import { describe, expect, it } from "vitest";
import { waitFor } from "../../testing/wait-for";
import { createStartPermits } from "./start-permits";

const NEVER_SLOW_MS = 60_000;
const signal = new AbortController().signal;

describe("starts at a time", () => {
  it("[P20] never more than allowed, in the order they came", async () => {
    const permits = createStartPermits(2, NEVER_SLOW_MS);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    for (let start = 0; start < 5; start++) {
      void permits.take(signal).then((end) => {
        begun.push(start);
        ends.push(end);
      });
    }
    await waitFor(() => begun.length === 2, "two starts");
    ends[0]?.();
    ends[0]?.();
    await waitFor(() => begun.length === 3, "one more start");
    expect(begun).toEqual([0, 1, 2]);
    for (const count of [4, 5]) {
      ends[count - 3]?.();
      await waitFor(() => begun.length === count, `${count} starts`);
    }
    for (const end of ends) end();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it("[P20] a start that waits for something slow holds nobody up", async () => {
    const permits = createStartPermits(1, 20);
    const slow = await permits.take(signal);
    const next = await permits.take(signal);
    slow();
    next();
  });

  it("[P17] one that is cancelled while it waits leaves its place", async () => {
    const permits = createStartPermits(1, NEVER_SLOW_MS);
    const end = await permits.take(signal);
    const cancelled = new AbortController();
    const second = permits.take(cancelled.signal);
    const third = permits.take(signal);
    cancelled.abort(new Error("cancelled"));
    await expect(second).rejects.toThrow("cancelled");
    await expect(permits.take(cancelled.signal)).rejects.toThrow("cancelled");
    end();
    (await third)();
  });
});
