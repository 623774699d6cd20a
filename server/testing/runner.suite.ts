/**
 * What every runner kind has to do, whatever machine it drives. Run on the fake runner and on the process runner; a new
 * kind is one folder that passes this file, so all of it stands here.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AttemptRef } from "../core/words";
import type { AgentCommand, Probe, Runner, RunOrder } from "../ports/runner";
import type { AgentStep } from "./agent-steps";
import { waitFor } from "./wait-for";

export interface RunnerHarness {
  readonly runner: Runner;
  /** The same machine after our restart: another runner that knows only what outlived us. */
  restarted(): Runner;
  /** How this kind starts an agent that plays these steps. */
  command(steps: readonly AgentStep[], stdin?: string): AgentCommand;
  /** Absolute path of a folder agents may run in. */
  readonly cwd: string;
  /** Ends the host at once, without a chance to write anything. */
  killHost(run: AttemptRef): Promise<void>;
  /** Ends whatever is left and removes what was made. */
  cleanUp(): Promise<void>;
}

let sessions = 0;

/** An order with nothing special in it, for a session nobody else uses. */
export function orderFor(harness: RunnerHarness, command: AgentCommand, changes: Partial<RunOrder> = {}): RunOrder {
  sessions += 1;
  return {
    sessionId: `s${process.pid}-${sessions}`,
    attempt: 1,
    epoch: 1,
    command,
    setupScript: null,
    cwd: harness.cwd,
    environment: {},
    secrets: [],
    limits: { longestRunMs: 60_000, termGraceMs: 5_000 },
    sandbox: "none",
    ...changes,
  };
}

export async function untilProbe<K extends Probe["kind"]>(
  runner: Runner,
  run: AttemptRef,
  kind: K,
): Promise<Extract<Probe, { kind: K }>> {
  return waitFor(async () => {
    const probe = await runner.probe(run);
    return probe.kind === kind ? (probe as Extract<Probe, { kind: K }>) : null;
  }, `probe of ${run.sessionId} to be ${kind}`);
}

export async function untilWorking(runner: Runner, run: AttemptRef): Promise<number> {
  return waitFor(async () => {
    const probe = await runner.probe(run);
    return probe.kind === "present" ? probe.agentPid : null;
  }, `agent of ${run.sessionId}`);
}

/** Reads as the product does: from `next` to `next`, until nothing follows. */
export async function readToEnd(runner: Runner, run: AttemptRef, limit = 1_000_000): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let offset = 0;
  await waitFor(async () => {
    const chunk = await runner.read(run, offset, limit);
    parts.push(chunk.bytes);
    offset = chunk.next;
    return chunk.complete || null;
  }, `output of ${run.sessionId} to be complete`);
  return Buffer.concat(parts);
}

export function runnerSuite(name: string, makeHarness: () => Promise<RunnerHarness>): void {
  describe(`every runner: ${name}`, () => {
    let harness: RunnerHarness;
    let runner: Runner;
    beforeEach(async () => {
      harness = await makeHarness();
      runner = harness.runner;
    });
    afterEach(() => harness.cleanUp());

    const begin = async (steps: readonly AgentStep[], changes: Partial<RunOrder> = {}, stdin?: string) => {
      const order = orderFor(harness, harness.command(steps, stdin), changes);
      await runner.start(order);
      return order;
    };

    it("[R3][R6] an agent is present while it works, and over with its exit code and its whole output", async () => {
      const order = await begin([
        { do: "print", text: "one\ntwo\n" },
        { do: "exit", code: 3 },
      ]);
      const { ending } = await untilProbe(runner, order, "exited");
      expect(ending).toMatchObject({ cause: "exited", exitCode: 3, signal: null, outputBytes: 8 });
      expect((await readToEnd(runner, order)).toString()).toBe("one\ntwo\n");
    });

    it("[R2] starting the same attempt many times starts one agent", async () => {
      const order = orderFor(harness, harness.command([{ do: "print", text: "here I am\n" }, { do: "wait" }]));
      await Promise.all([runner.start(order), runner.start(order), harness.restarted().start(order)]);
      await untilWorking(runner, order);
      await runner.start(order);
      await waitFor(async () => (await runner.read(order, 0, 100)).next >= 10, "the first output");
      await runner.stop(order);
      await untilProbe(runner, order, "exited");
      expect((await readToEnd(runner, order)).toString()).toBe("here I am\n");
      await runner.start(order);
      expect((await runner.probe(order)).kind).toBe("exited");
    });

    it("[R2] an attempt that was given up first never starts an agent", async () => {
      const order = orderFor(harness, harness.command([{ do: "print", text: "never\n" }]));
      expect((await runner.probe(order)).kind).toBe("unclaimed");
      expect(await runner.giveUp(order)).toBe(true);
      await runner.start(order);
      expect(await harness.restarted().giveUp(order)).toBe(true);
      expect(await runner.probe(order)).toEqual({ kind: "unclaimed", hostPid: null });
      expect(await runner.read(order, 0, 100)).toMatchObject({ next: 0, complete: true });
    });

    it("[R2] an attempt whose host was first cannot be given up", async () => {
      const order = await begin([{ do: "wait" }]);
      await untilWorking(runner, order);
      expect(await runner.giveUp(order)).toBe(false);
      expect((await runner.probe(order)).kind).toBe("present");
    });

    it("[R3] an attempt nobody ever started is unclaimed and has no output", async () => {
      const order = orderFor(harness, harness.command([]));
      expect(await runner.probe(order)).toEqual({ kind: "unclaimed", hostPid: null });
      expect(await runner.read(order, 0, 100)).toMatchObject({ next: 0, complete: false });
      await runner.stop(order);
      await runner.endTree(order);
      await runner.forget(order);
      expect(await runner.list()).toEqual([]);
    });

    it("[R5][R6] after our restart the same agent is present, and its output goes on at the same offset", async () => {
      const order = await begin([{ do: "print", text: "before\n" }, { do: "wait" }]);
      const agentPid = await untilWorking(runner, order);
      await waitFor(async () => (await runner.read(order, 0, 100)).next === 7, "the first line");
      const second = harness.restarted();
      expect(await second.probe(order)).toMatchObject({ kind: "present", agentPid });
      expect(await second.list()).toEqual([{ sessionId: order.sessionId, attempt: 1 }]);
      expect(await second.read(order, 7, 100)).toMatchObject({ next: 7, complete: false });
      await second.stop(order);
      expect((await untilProbe(second, order, "exited")).ending.cause).toBe("stopped");
    });

    it("[R7] stop ends the agent, is harmless twice and harmless when it is over", async () => {
      const order = await begin([{ do: "wait" }]);
      await untilWorking(runner, order);
      await Promise.all([runner.stop(order), runner.stop(order)]);
      const { ending } = await untilProbe(runner, order, "exited");
      expect(ending.cause).toBe("stopped");
      await runner.stop(order);
      expect(await runner.probe(order)).toEqual({ kind: "exited", ending });
    });

    it("[R7] a stop that comes before the agent leaves nothing running", async () => {
      const order = await begin([{ do: "wait" }]);
      await runner.stop(order);
      expect((await untilProbe(runner, order, "exited")).ending.cause).toBe("stopped");
    });

    it("[R3][R7] an agent whose host died is orphaned until its tree is ended, then gone", async () => {
      const order = await begin([{ do: "print", text: "still here\n" }, { do: "wait" }]);
      const agentPid = await untilWorking(runner, order);
      await waitFor(async () => (await runner.read(order, 0, 100)).next > 0, "the first output");
      await harness.killHost(order);
      expect((await untilProbe(runner, order, "orphaned")).pids).toContain(agentPid);
      await expect(runner.forget(order)).rejects.toThrow();
      await runner.endTree(order);
      expect(await runner.probe(order)).toEqual({ kind: "gone" });
      expect((await readToEnd(runner, order)).toString()).toBe("still here\n");
    });

    it("[R6] output is read at any offset, past the end it is empty, and complete only at the end", async () => {
      const order = await begin([{ do: "print", text: "0123456789" }]);
      await untilProbe(runner, order, "exited");
      const middle = await runner.read(order, 3, 4);
      expect(Buffer.from(middle.bytes).toString()).toBe("3456");
      expect(middle).toMatchObject({ next: 7, complete: false });
      expect(await runner.read(order, 7, 100)).toMatchObject({ next: 10, complete: true });
      const past = await runner.read(order, 1_000, 100);
      expect(past.bytes.length).toBe(0);
      expect(past).toMatchObject({ next: 1_000, complete: true });
    });

    it("[R6][R9] how much output there is, and when the last of it came, is known without reading it", async () => {
      const begun = Date.now();
      const order = await begin([{ do: "print", text: "0123456789" }]);
      expect(await runner.extent({ ...order, attempt: 9 })).toEqual({ end: 0, hole: null, lastAt: null });
      await untilProbe(runner, order, "exited");
      const { end, hole, lastAt } = await runner.extent(order);
      expect([end, hole]).toEqual([10, null]);
      // File systems round times down to what they keep.
      expect(lastAt).toBeGreaterThan(begun - 2_000);
      expect(lastAt).toBeLessThanOrEqual(Date.now());
    });

    it("[R8] the agent reads its prompt from stdin and then meets the end of it", async () => {
      const prompt = "--help $(id) \"quoted\" 'and' é≤🦁\nsecond line";
      const order = await begin([{ do: "repeat-stdin" }], {}, prompt);
      expect((await readToEnd(runner, order)).toString()).toBe(prompt);
    });

    it("[R3] an agent that is not installed could not start, and says so in a sentence", async () => {
      const order = await begin([{ do: "be-missing" }]);
      const { ending } = await untilProbe(runner, order, "exited");
      expect(ending).toMatchObject({ cause: "could-not-start", exitCode: null });
      expect(ending.message).toMatch(/not installed.*\.$/);
    });

    it("[R6] the output of the setup script comes before the agent's, and a failing one starts no agent", async () => {
      const good = await begin([{ do: "print", text: "agent\n" }], { setupScript: "echo setup" });
      expect((await readToEnd(runner, good)).toString()).toBe("setup\nagent\n");
      const bad = await begin([{ do: "print", text: "agent\n" }], { setupScript: "exit 7" });
      expect((await untilProbe(runner, bad, "exited")).ending.cause).toBe("could-not-start");
      expect((await readToEnd(runner, bad)).toString()).toBe("");
    });

    it("[R3] watching tells that something changed, and is quiet after it was ended", async () => {
      const order = orderFor(harness, harness.command([{ do: "print", text: "x\n" }, { do: "wait" }]));
      let calls = 0;
      const unwatch = runner.watch(order, () => {
        calls += 1;
      });
      await runner.start(order);
      await waitFor(() => calls > 0, "a first hint");
      await untilWorking(runner, order);
      unwatch();
      const before = calls;
      await runner.stop(order);
      await untilProbe(runner, order, "exited");
      expect(calls).toBe(before);
    });

    it("[R3] watching tells about output, about the ending, and about a host that died", async () => {
      const order = orderFor(harness, harness.command([{ do: "print", text: "x\n" }, { do: "wait" }]));
      let hints = 0;
      let wake = () => {};
      const unwatch = runner.watch(order, () => {
        hints += 1;
        wake();
      });
      // Looks only when it was told to: a hint that is missing lets this test hang.
      const untilHinted = async (isSo: () => Promise<boolean>) => {
        for (let seen = hints; !(await isSo()); seen = hints) {
          if (hints !== seen) continue;
          await new Promise<void>((resume) => {
            wake = resume;
          });
        }
      };
      await runner.start(order);
      await untilHinted(async () => (await runner.read(order, 0, 100)).next === 2);
      await runner.stop(order);
      await untilHinted(async () => (await runner.probe(order)).kind === "exited");
      unwatch();
      const orphan = await begin([{ do: "wait" }]);
      const unwatchOrphan = runner.watch(orphan, () => {
        hints += 1;
        wake();
      });
      await untilWorking(runner, orphan);
      await harness.killHost(orphan);
      await untilHinted(async () => (await runner.probe(orphan)).kind === "orphaned");
      unwatchOrphan();
    });

    it("[R14] a run is listed until it is forgotten, and is not forgotten while it is present", async () => {
      const order = await begin([{ do: "wait" }]);
      await untilWorking(runner, order);
      expect(await runner.list()).toEqual([{ sessionId: order.sessionId, attempt: 1 }]);
      await expect(runner.forget(order)).rejects.toThrow();
      await runner.stop(order);
      await untilProbe(runner, order, "exited");
      await runner.forget(order);
      expect(await runner.list()).toEqual([]);
      await runner.forget(order);
    });
  });
}
