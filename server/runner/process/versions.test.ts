/** Run folders across releases (R13): hosts of the version before, and orders that a host cannot read. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunOrder } from "../../ports/runner";
import { startOldHost } from "../../testing/old-host";
import { orderFor, readToEnd, untilProbe, untilWorking } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { type ProcessHarness, withProcessHarness } from "./process-harness";
import { spawnHost } from "./spawn-host";

let harness: ProcessHarness;
let hostBundle: string;
withProcessHarness((fresh, bundle) => {
  harness = fresh;
  hostBundle = bundle;
});

const bash = (script: string) => orderFor(harness, { argv: ["bash", "-c", script], stdin: null });

async function startOld(script: string): Promise<RunOrder> {
  const order = bash(script);
  await startOldHost(harness.dataDir, order);
  return order;
}

/** A host of this release with whatever stands in `order.json`. */
async function startWith(text: (order: object) => string): Promise<RunOrder> {
  const order = bash("echo ran");
  const folder = harness.folderOf(order);
  await mkdir(join(folder, "orders"), { recursive: true });
  const whole = { ...order, secrets: ["hunter2-hunter2"], driver: "plain", mark: await harness.markOf(order) };
  await writeFile(join(folder, "order.json"), text(whole));
  await spawnHost(hostBundle, folder);
  return order;
}

it("[R13] a host of the version before is looked at, read, stopped and forgotten like any other", async () => {
  const { runner } = harness;
  const ended = await startOld("echo one; echo two >&2; exit 3");
  expect((await untilProbe(runner, ended, "exited")).ending).toMatchObject({ exitCode: 3, outputBytes: 8 });
  expect((await readToEnd(runner, ended)).toString()).toBe("one\ntwo\n");
  await runner.start(ended);
  expect((await runner.probe(ended)).kind).toBe("exited");

  const working = await startOld("echo up; sleep 600");
  await untilWorking(runner, working);
  expect(await runner.giveUp(working)).toBe(false);
  await runner.stop(working);
  expect((await untilProbe(runner, working, "exited")).ending.cause).toBe("stopped");
  await runner.forget(working);
  expect(await runner.list()).toEqual([{ sessionId: ended.sessionId, attempt: 1 }]);
});

it("[R13] an agent whose host of the version before was killed is found and ended", async () => {
  const { runner } = harness;
  const order = await startOld("sleep 600");
  const agent = await untilWorking(runner, order);
  await harness.killHost(order);
  expect((await untilProbe(runner, order, "orphaned")).pids).toContain(agent);
  await runner.endTree(order);
  expect(await runner.probe(order)).toEqual({ kind: "gone" });
});

it("[R13] an order of the version before is carried out", async () => {
  const order = await startWith((whole) => JSON.stringify({ version: 1, ...whole }));
  expect((await untilProbe(harness.runner, order, "exited")).ending).toMatchObject({ cause: "exited", exitCode: 0 });
});

it("[R13] an order that cannot be read is a plain could-not-start, at once, and does not stay on disk", async () => {
  const orders = [
    [
      (whole: object) => JSON.stringify({ version: 99, ...whole }),
      /different releases \(version 99\).*restart the server\.$/,
    ],
    [
      (whole: object) => JSON.stringify({ version: 2, ...whole, driver: "telepathy" }),
      /different releases: build again/,
    ],
    [() => '{"version":2,"comm', /could not be read from the disk\.$/],
  ] as const;
  for (const [text, sentence] of orders) {
    const order = await startWith(text);
    const { ending } = await untilProbe(harness.runner, order, "exited");
    expect(ending).toMatchObject({ cause: "could-not-start", exitCode: null, outputBytes: 0 });
    expect(ending.message).toMatch(sentence);
    const folder = harness.folderOf(order);
    expect(existsSync(join(folder, "order.json"))).toBe(false);
    expect(await readToEnd(harness.runner, order)).toHaveLength(0);
  }
});

it("[R13] every file a host leaves says its version", async () => {
  const order = await harness.begin("echo done");
  await untilProbe(harness.runner, order, "exited");
  const folder = harness.folderOf(order);
  for (const name of ["order.json", "host.json", "ending.json", "claim/owner.json", "spawned.json"]) {
    const text = await waitFor(() => readFile(join(folder, name), "utf8").catch(() => null), name);
    expect(JSON.parse(text), name).toMatchObject({ version: 2 });
  }
});
