/**
 * Hosts and a server that dies: a small program stands for the server. It starts agents with the process runner, as a process
 * of its own with its own environment, so that it can be looked at from inside an agent, and killed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { openSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { RunOrder } from "../../ports/runner";
import { bundleHost } from "../../testing/host-bundle";
import { orderFor, readToEnd, untilProbe, untilWorking } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { makeProcessHarness, type ProcessHarness } from "./process-harness";

let bundle: Awaited<ReturnType<typeof bundleHost>>;
let programs: string;
let harness: ProcessHarness;
const servers: ChildProcess[] = [];

beforeAll(async () => {
  bundle = await bundleHost();
  programs = await mkdtemp(join(tmpdir(), "camelot-server-"));
  const runner = fileURLToPath(new URL("./process-runner.ts", import.meta.url));
  await build({
    stdin: {
      contents: `
        import { readFileSync } from "node:fs";
        import { createProcessRunner } from ${JSON.stringify(runner)};
        const [, , dataDir, hostBundle, orders] = process.argv;
        const runner = createProcessRunner({ dataDir, hostBundle });
        for (const order of JSON.parse(readFileSync(orders, "utf8"))) await runner.start(order);
        console.log("started");
        setInterval(() => {}, 1000);`,
      resolveDir: programs,
    },
    outfile: join(programs, "server.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
});
afterAll(async () => {
  await bundle.remove();
  await rm(programs, { recursive: true });
});
beforeEach(async () => {
  harness = await makeProcessHarness(bundle.path);
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.kill("SIGKILL");
  await harness.cleanUp();
});

async function startServer(
  orders: readonly RunOrder[],
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  const file = join(harness.dataDir, "orders-of-the-test.json");
  writeFileSync(file, JSON.stringify(orders));
  // Files left open for us by whoever starts the server: an agent must not see them.
  const extra = openSync(file, "r");
  const server = spawn(process.execPath, [join(programs, "server.mjs"), harness.dataDir, bundle.path, file], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit", ...Array.from({ length: 60 }, () => extra)],
    detached: true,
  });
  servers.push(server);
  await new Promise((started) => server.stdout?.once("data", started));
  return server;
}

function bash(script: string, changes: Partial<RunOrder> = {}): RunOrder {
  return orderFor(harness, { argv: ["bash", "-c", script], stdin: null }, changes);
}

const COUNTER = "for i in $(seq 1 60); do echo LINE $i; sleep 0.02; done; echo END";
const COUNTED = `${Array.from({ length: 60 }, (_, index) => `LINE ${index + 1}`).join("\n")}\nEND\n`;

it("[RST-1][R5] kill -9 of the server: the same agent goes on and its output has no gap and no double", async () => {
  const order = bash(COUNTER);
  const server = await startServer([order]);
  const agentPid = await untilWorking(harness.runner, order);
  await waitFor(async () => (await harness.runner.read(order, 0, 100)).next > 0, "the first line");
  server.kill("SIGKILL");
  expect(await harness.restarted().probe(order)).toMatchObject({ kind: "present", agentPid });
  const { ending } = await untilProbe(harness.restarted(), order, "exited");
  expect(ending).toMatchObject({ cause: "exited", exitCode: 0 });
  expect((await readToEnd(harness.restarted(), order)).toString()).toBe(COUNTED);
});

it("[RST-3][R5] ending the server's whole process group, as Ctrl-C and service managers do, spares the agents", async () => {
  const orders = [bash(COUNTER), bash(COUNTER)];
  const server = await startServer(orders);
  const before = await Promise.all(orders.map((order) => untilWorking(harness.runner, order)));
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const) {
    try {
      process.kill(-(server.pid ?? 0), name);
    } catch {
      // The group is gone after the first one that counted.
    }
  }
  await waitFor(() => server.exitCode !== null || server.signalCode !== null, "the server to be gone");
  const after = await Promise.all(orders.map((order) => untilWorking(harness.restarted(), order)));
  expect(after).toEqual(before);
  for (const order of orders) expect((await readToEnd(harness.runner, order)).toString()).toBe(COUNTED);
});

it("[RST-2][R2] a server that dies right after it started a host leaves one agent or an attempt that can be given up", async () => {
  for (let round = 0; round < 6; round++) {
    const order = bash("echo acted; sleep 600");
    const server = await startServer([order]);
    server.kill("SIGKILL");
    const next = harness.restarted();
    if (await next.giveUp(order)) {
      expect((await next.probe(order)).kind).toBe("unclaimed");
    } else {
      await untilWorking(next, order);
      await waitFor(async () => (await next.read(order, 0, 100)).next === 6, "the agent to have acted once");
      await next.stop(order);
      await untilProbe(next, order, "exited");
    }
  }
});

it("[A1][SEC-5] an agent can read no secret of the server: not in its environment, its parents, its open files", async () => {
  const script = `echo '== env'; env | sort
    echo '== parents'; p=$PPID
    while [ "\${p:-0}" -gt 1 ]; do
      echo "pid $p: $(tr '\\0' ' ' < /proc/$p/cmdline 2>/dev/null)"
      tr '\\0' '\\n' < /proc/$p/environ 2>/dev/null | grep -a -e CANARY -e OWN
      p=$(awk '/^PPid:/{print $2}' /proc/$p/status 2>/dev/null)
    done
    echo '== open files'; ls /proc/self/fd; readlink /proc/$$/fd/* ; echo '== end'; sleep 600`;
  const order = bash(script, { environment: { PROJECT_VARIABLE: "given" }, secrets: ["project-OWN-secret"] });
  const canaries = {
    DATABASE_URL: "postgres://u:CANARY-DB@127.0.0.1/d",
    SESSION_SECRET: "CANARY-SESSION",
    FUTURE_KEY: "CANARY-FUTURE",
    NODE_OPTIONS: "--no-warnings",
  };
  await startServer([order], canaries);
  const output = await waitFor(async () => {
    const text = Buffer.from((await harness.runner.read(order, 0, 100_000)).bytes).toString();
    return text.includes("== end") ? text : null;
  }, "the agent to have looked around");
  expect(output).not.toContain("CANARY");
  expect(output).not.toContain("project-OWN-secret");
  expect(output).not.toContain("NODE_OPTIONS");
  expect(output).toContain("PROJECT_VARIABLE=given");
  expect(output).toContain(`CAMELOT_SESSION=${order.sessionId}`);
  expect(output).not.toContain("server.mjs");
  const openFiles = output.slice(output.indexOf("== open files"), output.indexOf("== end")).split("\n");
  // `ls` itself holds the folder it reads; the agent has its stdin and twice the same pipe.
  expect(openFiles.slice(1, 5)).toEqual(["0", "1", "2", "3"]);
  expect(openFiles[5]).toBe("/dev/null");
  expect(openFiles[6]).toContain(".output.");
  expect(openFiles[7]).toBe(openFiles[6]);
  expect(openFiles.length).toBeLessThanOrEqual(10);
});
