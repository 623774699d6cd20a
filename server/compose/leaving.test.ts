import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLeaving, type Leavable, type LeavingParts } from "./leaving";

const NOBODY = { stopped: 0, left: [] };
const never = new Promise<never>(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that is leaving, with `running` agents on its machine; notes the order in which things happen. */
function world(change: Partial<LeavingParts> & { running?: number; house?: Partial<Leavable> } = {}) {
  const happened: string[] = [];
  let running = change.running ?? 0;
  const house: Leavable = {
    follows: () => false,
    standDown: async () => void happened.push("nothing starts"),
    leave: async () => void happened.push("left"),
    ...change.house,
  };
  const leaving = createLeaving({
    opening: Promise.resolve(house),
    countAgents: async () => running,
    stopAgents: async () => {
      const stopped = running;
      running = 0;
      return { stopped, left: [] };
    },
    hasFollower: async () => false,
    hasSuccessor: async () => false,
    clock: { monotonic: () => performance.now() },
    say: (sentence) => happened.push(sentence.split(";")[0] ?? ""),
    log: { error: (line) => happened.push(line), bug: (where) => happened.push(`bug: ${where}`) },
    exit: (code) => happened.push(`exit ${code}`),
    ...change,
  });
  return { leaving, happened };
}

describe("an ordinary stop", () => {
  it("[R5] nothing is started any more before the agents are counted; then it is left, with code 0", async () => {
    const { leaving, happened } = world({ running: 2 });
    leaving.signal("SIGTERM");
    await vi.advanceTimersByTimeAsync(0);
    expect(happened).toEqual(["nothing starts", "2 agents go on", "left", "exit 0"]);
  });

  it("[R5] without agents nothing is said and a second Ctrl-C is not waited for", async () => {
    const { leaving, happened } = world();
    leaving.signal("SIGINT");
    await vi.advanceTimersByTimeAsync(0);
    expect(happened).toEqual(["nothing starts", "left", "exit 0"]);
  });

  it("[R5] agents of before are told of although the server never came up", async () => {
    const { leaving, happened } = world({ running: 1, opening: Promise.reject(new Error("no database")) });
    leaving.signal("SIGTERM");
    await vi.advanceTimersByTimeAsync(0);
    expect(happened).toEqual(["1 agent goes on", "exit 0"]);
  });

  it("[R5] what hangs or goes wrong is not waited for any longer", async () => {
    const hanging = world({ house: { leave: () => never } });
    hanging.leaving.signal("SIGTERM");
    await vi.advanceTimersByTimeAsync(4_999);
    const late = "Something did not end in time; leaving without it.";
    expect(hanging.happened).toEqual(["nothing starts", late, "exit 1"]);
    const broken = world({ house: { leave: async () => Promise.reject(new Error("broken")) } });
    broken.leaving.signal("SIGTERM");
    await vi.advanceTimersByTimeAsync(0);
    expect(broken.happened).toEqual(["nothing starts", "bug: leaving", late, "exit 1"]);
  });
});

describe("a second Ctrl-C", () => {
  it("[R5] is waited for after everything is left, and ends the agents", async () => {
    const { leaving, happened } = world({ running: 1 });
    leaving.signal("SIGINT");
    await vi.advanceTimersByTimeAsync(1_500);
    expect(happened).toEqual(["nothing starts", "1 agent goes on", "left"]);
    leaving.signal("SIGINT");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(happened.slice(3)).toEqual(["1 agent ended.", "exit 0"]);
  });

  it("[R5] may come before the first has counted, and then ends what was still being started as well", async () => {
    let running = 3;
    const standDown = async () => {
      running += 1;
    };
    const house = { standDown };
    const { leaving, happened } = world({ house, stopAgents: async () => ({ stopped: running, left: [] }) });
    leaving.signal("SIGINT");
    leaving.signal("SIGINT");
    leaving.signal("SIGINT");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(happened).toEqual(["left", "4 agents ended.", "exit 0"]);
  });

  it("[R5][R7] agents that take their time to end are waited for, longer than a leave may take", async () => {
    const stopAgents = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      return { stopped: 1, left: [] };
    };
    const { leaving, happened } = world({ running: 1, stopAgents });
    leaving.signal("SIGINT");
    leaving.signal("SIGINT");
    await vi.advanceTimersByTimeAsync(19_000);
    expect(happened).toEqual(["nothing starts", "left"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(happened.slice(2)).toEqual(["1 agent ended.", "exit 0"]);
  });

  it("[R5][P19] a server that follows leaves the agents to the one that writes, however often Ctrl-C is pressed", async () => {
    for (const presses of [1, 2, 3]) {
      const { leaving, happened } = world({ running: 4, house: { follows: () => true } });
      for (let i = 0; i < presses; i += 1) leaving.signal("SIGINT");
      await vi.advanceTimersByTimeAsync(0);
      expect(happened).toEqual(["nothing starts", "4 agents go on", "left", "exit 0"]);
    }
  });

  it("[R5][P19] a writer that another server follows says so, and Ctrl-C again ends nothing", async () => {
    const said: string[] = [];
    const { leaving, happened } = world({ running: 2, hasFollower: async () => true, say: (line) => said.push(line) });
    for (let presses = 0; presses < 2; presses += 1) leaving.signal("SIGINT");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(said).toEqual([expect.stringContaining("2 agents go on; another server looks after them.")]);
    expect(happened).toEqual(["nothing starts", "left", "exit 0"]);
  });

  it("[R5][P19] nor does it end what a successor took over from the writer that left", async () => {
    const { leaving, happened } = world({ running: 1, hasSuccessor: async () => true });
    leaving.signal("SIGINT");
    await vi.advanceTimersByTimeAsync(1_000);
    leaving.signal("SIGINT");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(happened).toEqual(["nothing starts", "1 agent goes on", "left", "1 agent goes on", "exit 0"]);
  });

  it("[R5] one agent that cannot be ended, or an ending that fails, is code 1", async () => {
    const left = [{ sessionId: "s", attempt: 1 }];
    const stubborn = world({ running: 1, stopAgents: async () => ({ ...NOBODY, left }) });
    const failing = world({ running: 1, stopAgents: () => Promise.reject(new Error("no")) });
    for (const { leaving } of [stubborn, failing]) {
      leaving.signal("SIGINT");
      leaving.signal("SIGINT");
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(stubborn.happened.at(-1)).toBe("exit 1");
    expect(failing.happened).toEqual(expect.arrayContaining(["bug: ending the agents", "exit 1"]));
  });
});
