/** R7 with real families of processes: at every ending nothing an agent started is left, and nobody else is touched. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunOrder } from "../../ports/runner";
import { freePort, isPortFree } from "../../system/free-port";
import { identify, isAlive, signal } from "../../system/process-identity";
import { readToEnd, untilProbe, untilWorking } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { describeTreeEnding } from "../host/cgroup";
import { listProcesses } from "../host/process-table";
import { endTree, findTree } from "../host/tree";
import { type ProcessHarness, withProcessHarness } from "./process-harness";
import { countAgents, stopAllAgents } from "./stop-all";

let harness: ProcessHarness;
withProcessHarness((fresh) => {
  harness = fresh;
});

/** A plain child that listens on a port, one in its own session, one forked twice and deaf to hang-ups. */
const family = (port: number) => `
"${process.execPath}" -e "require('http').createServer((q,r)=>r.end('alive')).listen(${port},'127.0.0.1',()=>console.log('listening'))" &
setsid sleep 3601 >/dev/null 2>&1 &
( nohup bash -c 'trap "" HUP; while :; do sleep 5; done' >/dev/null 2>&1 & )
`;

async function membersOf(order: RunOrder): Promise<number[]> {
  const mark = await harness.markOf(order);
  return (await listProcesses()).filter((row) => row.mark === mark).map((row) => row.pid);
}

async function beginFamily(then: string): Promise<{ order: RunOrder; port: number }> {
  const port = await freePort();
  const order = await harness.begin(`${family(port)}\n${then}`);
  await waitFor(async () => (await harness.runner.read(order, 0, 100)).next >= 10, "the port to be open");
  await waitFor(async () => (await membersOf(order)).length >= 4, "the family to be complete");
  return { order, port };
}

async function expectNobodyLeft(order: RunOrder, port: number): Promise<void> {
  expect(await membersOf(order)).toEqual([]);
  expect(await isPortFree(port)).toBe(true);
  expect((await listProcesses()).filter((row) => row.mark?.startsWith(order.sessionId))).toEqual([]);
}

it("[R7][PRC-1] a stop takes down the whole family, and no neighbour", async () => {
  const neighbour = await harness.begin("sleep 600");
  const neighbourPid = await untilWorking(harness.runner, neighbour);
  const { order, port } = await beginFamily("while :; do sleep 1; done");
  await harness.runner.stop(order);
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "stopped", signal: "SIGTERM" });
  await expectNobodyLeft(order, port);
  expect(await harness.runner.probe(neighbour)).toMatchObject({ kind: "present", agentPid: neighbourPid });
});

it("[R7][PRC-1][QUE-1] an agent killed from outside leaves nobody behind, and its ending names the signal", async () => {
  const { order, port } = await beginFamily("while :; do sleep 1; done");
  process.kill(await untilWorking(harness.runner, order), "SIGKILL");
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "exited", exitCode: null, signal: "SIGKILL" });
  await expectNobodyLeft(order, port);
});

it("[R7] an agent that ended but whose child holds the output is over, and the child ends", async () => {
  const { order, port } = await beginFamily(`(trap '' TERM; while :; do sleep 1; echo tick; done) &
    while [ ! -e go ]; do sleep 0.05; done; echo last line; exit 4`);
  writeFileSync(join(harness.cwd, "go"), "");
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "exited", exitCode: 4 });
  expect((await readToEnd(harness.runner, order)).toString()).toContain("last line\n");
  await expectNobodyLeft(order, port);
});

it("[R7] when the host was killed the server ends the family itself", async () => {
  const { order, port } = await beginFamily("while :; do sleep 1; done");
  await harness.killHost(order);
  const { pids } = await untilProbe(harness.runner, order, "orphaned");
  expect(pids.length).toBeGreaterThanOrEqual(4);
  await harness.restarted().endTree(order);
  expect(await harness.runner.probe(order)).toEqual({ kind: "gone" });
  await expectNobodyLeft(order, port);
});

it("[R7][PRC-2] an agent that ignores every polite signal is gone after the grace", async () => {
  const script = `trap 'echo "got TERM, ignoring"' TERM; trap 'echo "got INT, ignoring"' INT; trap '' HUP; echo up
    while :; do sleep 0.2; done`;
  const limits = { longestRunMs: 60_000, termGraceMs: 600 };
  const order = await harness.begin(script, { limits });
  await waitFor(async () => (await harness.runner.read(order, 0, 10)).next >= 3, "the agent to be up");
  const stopped = performance.now();
  for (let presses = 0; presses < 3; presses++) await harness.runner.stop(order);
  const { ending } = await untilProbe(harness.restarted(), order, "exited");
  expect(performance.now() - stopped).toBeGreaterThan(500);
  expect(ending).toMatchObject({ cause: "stopped", signal: "SIGKILL" });
  expect((await readToEnd(harness.runner, order)).toString().match(/got TERM/g)).toHaveLength(1);
  expect(await membersOf(order)).toEqual([]);
});

it("[R7] an agent that cleans up when asked to stop has the time for it, and its exit code is kept", async () => {
  const order = await harness.begin(
    "trap 'sleep 0.5; echo cleaned; exit 9' TERM; echo up; while :; do sleep 0.1; done",
  );
  await waitFor(async () => (await harness.runner.read(order, 0, 10)).next >= 3, "the agent to be up");
  await harness.runner.stop(order);
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "stopped", exitCode: 9, signal: null });
  expect((await readToEnd(harness.runner, order)).toString()).toMatch(/^up\n(Terminated\n)?cleaned\n$/);
});

it("[R7] SIGTERM to the host stops its agent politely; SIGHUP and SIGINT are not meant for it", async () => {
  const order = await harness.begin("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done");
  await waitFor(async () => (await harness.runner.read(order, 0, 10)).next >= 3, "the agent to be up");
  const { hostPid } = await untilProbe(harness.runner, order, "present");
  process.kill(hostPid, "SIGHUP");
  process.kill(hostPid, "SIGINT");
  process.kill(hostPid, "SIGTERM");
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "stopped", exitCode: 0 });
  expect((await readToEnd(harness.runner, order)).toString()).toMatch(/^up\n(Terminated\n)?bye\n$/);
});

it("[R7] a process that left the session and lost the mark but still descends from the agent is found", async () => {
  const order = await harness.begin("env -i /usr/bin/env setsid sleep 3602 & echo up; while :; do sleep 0.1; done");
  const sleeper = await waitFor(async () => {
    const agentPid = await untilWorking(harness.runner, order);
    const rows = (await listProcesses()).filter((row) => row.parent === agentPid && row.mark === null);
    return rows.find((row) => row.session === row.pid)?.pid;
  }, "the sleeper");
  await harness.runner.stop(order);
  await untilProbe(harness.runner, order, "exited");
  expect(identify(sleeper)).toBeNull();
});

it("[R7] without a control group the scan alone finds and ends the whole family", async () => {
  const { order, port } = await beginFamily("while :; do sleep 1; done");
  const agent = identify(await untilWorking(harness.runner, order));
  if (!agent) throw new Error("the agent is working");
  const members = await membersOf(order);
  await harness.killHost(order);
  const tree = { mark: await harness.markOf(order), roots: [agent], group: null, trustsEndedRoots: false };
  const found = (await findTree(tree)).map((member) => member.pid);
  expect(found).toEqual(expect.arrayContaining(members));
  expect(await endTree(tree, { graceMs: 1_000 })).toEqual([]);
  await expectNobodyLeft(order, port);
});

it("[R7] the machine says truly how trees end: nothing leaves a control group, but a scan may miss who sheds every trace", async () => {
  const order = await harness.begin(
    "(env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec /bin/sleep 3603' &) ; sleep 600",
  );
  const escaped = await waitFor(async () => {
    const { bytes } = await harness.runner.read(order, 0, 100);
    const row = (await listProcesses()).find(({ pid }) => pid === Number(Buffer.from(bytes).toString()));
    return row?.mark === null && row.session === row.pid ? identify(row.pid) : null;
  }, "the one that left the session, the group and its environment");
  await harness.runner.stop(order);
  await untilProbe(harness.runner, order, "exited");
  // A scan finds it only if it was seen before it shed them.
  if (describeTreeEnding() !== "scan") expect(isAlive(escaped)).toBe(false);
  signal(escaped, "SIGKILL");
});

it("[R7] what the setup script left running lives as long as the agent, and ends with it", async () => {
  const order = await harness.begin("sleep 0.3; echo agent", {
    setupScript: "(while :; do sleep 1; done) & echo setup",
  });
  expect((await readToEnd(harness.runner, order)).toString()).toBe("setup\nagent\n");
  expect(await membersOf(order)).toEqual([]);
});

it("[R7] processes that only look like ours are left alone", async () => {
  const order = await harness.begin("sleep 600");
  await untilWorking(harness.runner, order);
  const mark = await harness.markOf(order);
  const strangers = [`${mark}0`, mark.replace(/^./, "x"), ""].map((value) =>
    spawn("sleep", ["60"], { env: { ...process.env, CAMELOT_RUN: value }, detached: true, stdio: "ignore" }),
  );
  await harness.runner.stop(order);
  await untilProbe(harness.runner, order, "exited");
  await harness.runner.endTree(order);
  for (const stranger of strangers) {
    expect(identify(stranger.pid ?? 0)).not.toBeNull();
    stranger.kill("SIGKILL");
  }
});

it("[R5] stopping all agents ends what runs and what lost its host, and tells how many", async () => {
  const orders = await Promise.all([
    harness.begin("sleep 600"),
    harness.begin("sleep 600"),
    harness.begin("sleep 600"),
  ]);
  for (const order of orders) await untilWorking(harness.runner, order);
  const [first, second, third] = orders;
  const over = await harness.begin("true");
  await untilProbe(harness.runner, over, "exited");
  if (!first || !second || !third) throw new Error("three orders were begun");
  await harness.killHost(third);
  expect(await countAgents(harness.dataDir)).toBe(3);
  expect(await stopAllAgents(harness.dataDir)).toEqual({ stopped: 3, left: [] });
  const { ending } = await untilProbe(harness.runner, first, "exited");
  expect(ending).toMatchObject({ cause: "stopped", stoppedBy: "operator" });
  expect((await harness.runner.probe(third)).kind).toBe("gone");
  expect(await countAgents(harness.dataDir)).toBe(0);
  expect(await stopAllAgents(harness.dataDir)).toEqual({ stopped: 0, left: [] });
});
