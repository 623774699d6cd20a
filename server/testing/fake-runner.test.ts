import { expect, it } from "vitest";
import { createFakeRunner } from "./fake-runner";
import { orderFor, type RunnerHarness, runnerSuite, untilProbe } from "./runner.suite";

async function makeFakeHarness(): Promise<RunnerHarness & { runner: ReturnType<typeof createFakeRunner> }> {
  const runner = createFakeRunner();
  return {
    runner,
    restarted: () => runner,
    command: (steps, stdin) => ({ argv: ["script", JSON.stringify(steps)], stdin: stdin ?? null }),
    cwd: "/",
    killHost: async (run) => runner.killHost(run),
    cleanUp: async () => {},
  };
}

runnerSuite("fake", makeFakeHarness);

it("[R2] the fake's host claims when it is let, and is then told by name what to do", async () => {
  const harness = await makeFakeHarness();
  const { runner } = harness;
  runner.holdHosts = true;
  const order = orderFor(harness, { argv: ["anything"], stdin: null });
  await runner.start(order);
  expect(await runner.probe(order)).toMatchObject({ kind: "unclaimed", hostPid: expect.any(Number) });
  runner.holdHosts = false;
  await untilProbe(runner, order, "present");
  expect(runner.started).toEqual([order]);
  runner.print(order, "hi");
  runner.end(order, { exitCode: 9 });
  expect(await runner.probe(order)).toMatchObject({ kind: "exited", ending: { exitCode: 9, outputBytes: 2 } });
});

it("[R3] the fake can vanish, and can pretend not to know", async () => {
  const harness = await makeFakeHarness();
  const { runner } = harness;
  const order = orderFor(harness, { argv: ["anything"], stdin: null });
  await runner.start(order);
  await untilProbe(runner, order, "present");
  runner.pretend(order, { kind: "unknown", reason: "engine unreachable" });
  expect((await runner.probe(order)).kind).toBe("unknown");
  runner.pretend(order, null);
  runner.vanish(order);
  expect((await runner.probe(order)).kind).toBe("gone");
});
