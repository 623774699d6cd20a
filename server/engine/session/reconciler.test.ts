import { describe, expect, it } from "vitest";
import type { AttemptRef } from "../../core/words";
import type { RunOrder } from "../../ports/runner";
import { createFakeRunner } from "../../testing/fake-runner";
import { waitFor } from "../../testing/wait-for";
import { startReconciler } from "./reconciler";

const orderOf = (run: AttemptRef): RunOrder => ({
  ...run,
  epoch: 1,
  command: { argv: ["wait"], stdin: null },
  cwd: "/",
  environment: {},
  secrets: [],
  limits: { longestRunMs: 1_000, termGraceMs: 1_000 },
  sandbox: "none",
});

function setting(held: AttemptRef[]) {
  const runner = createFakeRunner();
  let areRowsAway = false;
  const record = {
    runningAttempts: async () => {
      if (areRowsAway) throw new Error("the database is away");
      return held;
    },
  };
  return {
    runner,
    reconcile: () => startReconciler({ runner, record, log: { warn: () => {} }, sweepEveryMs: 3_600_000 }),
    loseRows: (away: boolean) => {
      areRowsAway = away;
    },
  };
}

describe("runners without a row", () => {
  const held = { sessionId: "held", attempt: 2 };
  const stray = { sessionId: "stray", attempt: 1 };

  it("[R3] what no running row holds is stopped and keeps its folder; what holds a slot goes on", async () => {
    const { runner, reconcile } = setting([held]);
    await runner.start(orderOf(held));
    await runner.start(orderOf(stray));
    await waitFor(() => runner.started.length === 2, "both agents");
    const reconciler = reconcile();
    expect(await reconciler.sweep()).toBe(1);
    expect((await runner.probe(held)).kind).toBe("present");
    expect((await runner.probe(stray)).kind).toBe("exited");
    expect(await runner.list()).toHaveLength(2);
    expect(await reconciler.sweep()).toBe(0);
    await reconciler.stop();
  });

  it("[R2][R3] an older attempt of a session that runs again holds nothing, and its host can claim no more", async () => {
    const { runner, reconcile } = setting([held]);
    runner.holdHosts = true;
    await runner.start(orderOf({ ...held, attempt: 1 }));
    await runner.start(orderOf(held));
    const reconciler = reconcile();
    await reconciler.sweep();
    runner.holdHosts = false;
    expect(runner.started.map(({ attempt }) => attempt)).toEqual([2]);
    await reconciler.stop();
  });

  it("[R3] nothing is stopped while the rows cannot be read", async () => {
    const { runner, reconcile, loseRows } = setting([]);
    await runner.start(orderOf(stray));
    await waitFor(() => runner.started.length === 1, "the agent");
    loseRows(true);
    const reconciler = reconcile();
    expect(await reconciler.sweep()).toBe(0);
    expect((await runner.probe(stray)).kind).toBe("present");
    loseRows(false);
    expect(await reconciler.sweep()).toBe(1);
    await reconciler.stop();
  });
});
