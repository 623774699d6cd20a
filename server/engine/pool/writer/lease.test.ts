import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import type { LeaseStore } from "../../../ports/pool-store";
import { isProvablyDead, selfAsHolder } from "../../../system/holder";
import { fakeClock } from "../../../testing/fake-clock";
import { memoryDatabase } from "../../../testing/memory-pool-store";
import { waitFor } from "../../../testing/wait-for";
import { LEASE_TTL_MS, Lease } from "./lease";

function world() {
  const clock = fakeClock();
  const { lease: store } = memoryDatabase(clock);
  const dead = new Set<string>();
  const leaseOf = (holder: string, on: LeaseStore = store) =>
    new Lease({ store: on, holder, isProvablyDead: (other) => dead.has(other), clock });
  return { clock, store, dead, leaseOf };
}

test("[P19] one holder at a time; every term has a higher epoch", async () => {
  const { clock, leaseOf } = world();
  const [a, b] = [leaseOf("a"), leaseOf("b")];
  expect(await a.take()).toEqual({ kind: "taken", epoch: 1 });
  expect(await b.take()).toEqual({ kind: "held", holder: "a", expiresInMs: LEASE_TTL_MS });
  expect([a.isTrusted, b.isTrusted]).toEqual([true, false]);
  clock.forward(LEASE_TTL_MS + 1);
  expect(await b.take()).toEqual({ kind: "taken", epoch: 2 });
  expect([a.isTrusted, b.isTrusted]).toEqual([false, true]);
});

test("[P19] trust ends a second before the lease could expire, counted from before the question was sent", async () => {
  const { clock, store, leaseOf } = world();
  const slow: LeaseStore = {
    ...store,
    take: async (...args) => {
      const taken = await store.take(...args);
      clock.forward(4_000);
      return taken;
    },
  };
  const lease = leaseOf("a", slow);
  await lease.take();
  clock.forward(LEASE_TTL_MS - 1_000 - 4_000 - 1);
  expect(lease.isTrusted).toBe(true);
  clock.forward(1);
  expect(lease.isTrusted).toBe(false);
});

test("[P19] renewed in time it stays trusted; taken by another it is lost, once", async () => {
  vi.useFakeTimers();
  try {
    const { clock, store, leaseOf } = world();
    const lease = leaseOf("a");
    const lost = vi.fn();
    lease.onLost = lost;
    await lease.take();
    for (let i = 0; i < 6; i += 1) {
      clock.forward(5_000);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(lease.isTrusted).toBe(true);
    }
    await store.take("b", LEASE_TTL_MS, "a");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(lost).toHaveBeenCalledTimes(1);
    expect(lease.isTrusted).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test("[P19][R5] given up, it is free at once; a holder proved dead need not be waited for", async () => {
  const { clock, dead, leaseOf } = world();
  const [a, b, c] = [leaseOf("a"), leaseOf("b"), leaseOf("c")];
  await a.take();
  await a.giveUp();
  clock.forward(1);
  expect(await b.take()).toEqual({ kind: "taken", epoch: 2 });
  await a.giveUp();
  expect(await c.take()).toMatchObject({ kind: "held", holder: "b" });
  dead.add("b");
  expect(await c.take()).toEqual({ kind: "taken", epoch: 3 });
});

test("[P19][R4] a holder is proved dead by its process, never by a bare pid or from another machine", async () => {
  const self = selfAsHolder();
  const [place = "", pid = "", start = "", id = ""] = self.split(" ");
  expect(isProvablyDead(self)).toBe(false);
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(child, "spawn");
  const ofChild = (started: string) => [place, child.pid, started, id].join(" ");
  // Alive, but somebody else's start time: the pid was used again.
  expect(isProvablyDead(ofChild("1"))).toBe(process.platform === "linux");
  expect(isProvablyDead(["elsewhere", pid, "1", id].join(" "))).toBe(false);
  expect(isProvablyDead(["elsewhere", child.pid, start, id].join(" "))).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  await waitFor(() => isProvablyDead(ofChild(start)), "the child to be gone");
  expect(isProvablyDead("nonsense")).toBe(false);
});
