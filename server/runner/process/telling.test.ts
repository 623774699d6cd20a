/** What people say to a running agent, and what it asks, as files in its run folder (R12, R13). */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AttemptRef } from "../../core/words";
import { readToEnd, untilProbe, untilWorking } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { createOrderReader } from "../host/orders";
import { type ProcessHarness, withProcessHarness } from "./process-harness";

let harness: ProcessHarness;
withProcessHarness((fresh) => {
  harness = fresh;
});

const orders = (run: AttemptRef) => join(harness.folderOf(run), "orders");
const namesIn = async (folder: string) => (await readdir(folder)).sort();

/** As if a driver that speaks a protocol had claimed. */
async function speakProtocol(run: AttemptRef): Promise<void> {
  const path = join(harness.folderOf(run), "order.json");
  const isCutDown = (text: string) => !text.includes("command");
  const rest = await waitFor(async () => {
    const text = await readFile(path, "utf8");
    return isCutDown(text) ? text : null;
  }, "the order to be cut down");
  await writeFile(path, JSON.stringify({ ...JSON.parse(rest), driver: "some protocol" }));
}

it("[R12] an agent of the plain driver cannot be told anything, and nothing is left for it", async () => {
  const order = await harness.begin("echo up; sleep 600");
  await untilWorking(harness.runner, order);
  expect(await harness.runner.tell(order, { kind: "message", text: "hello" })).toBe("cannot");
  expect(await harness.runner.tell(order, { kind: "answer", questionId: "q", option: "yes" })).toBe("cannot");
  expect(await namesIn(orders(order))).toEqual([]);
});

it("[R12][R13] messages and answers are files, whole and in order, an answer only once; a host that does not know them goes on", async () => {
  const { runner } = harness;
  const order = await harness.begin("echo up; until [ -e go ]; do sleep 0.05; done; echo over");
  await untilWorking(runner, order);
  await speakProtocol(order);
  expect(await runner.tell(order, { kind: "message", text: "first" })).toBe("told");
  await new Promise((resolve) => setTimeout(resolve, 2));
  expect(await runner.tell(order, { kind: "message", text: "second $(id)\n" })).toBe("told");
  const answers = await Promise.all(
    ["yes", "no"].map((option) => harness.restarted().tell(order, { kind: "answer", questionId: "q1", option })),
  );
  expect(answers.sort()).toEqual(["answered-before", "told"]);
  const names = await namesIn(orders(order));
  expect(names.map((name) => name.split(".")[0])).toEqual(["answer", "message", "message"]);
  const read = async (name = "") => JSON.parse(await readFile(join(orders(order), name), "utf8"));
  expect(await read(names[0])).toMatchObject({ version: 2, kind: "answer", questionId: "q1" });
  expect([await read(names[1]), await read(names[2])]).toMatchObject([
    { version: 2, kind: "message", text: "first" },
    { version: 2, kind: "message", text: "second $(id)\n" },
  ]);
  await writeFile(join(order.cwd, "go"), "");
  expect((await untilProbe(runner, order, "exited")).ending).toMatchObject({ cause: "exited", exitCode: 0 });
  expect((await readToEnd(runner, order)).toString()).toBe("up\nover\n");
  expect(await runner.tell(order, { kind: "message", text: "too late" })).toBe("over");
  await rm(join(order.cwd, "go"));
});

it("[R12][P3] a message that is told again with its key is read once, also when two servers tell it at once", async () => {
  const order = await harness.begin("echo up; sleep 600");
  await untilWorking(harness.runner, order);
  await speakProtocol(order);
  const tell = (text: string, key: string) => harness.restarted().tell(order, { kind: "message", text, key });
  expect(await Promise.all(["one", "one", "one"].map((text) => tell(text, "a")))).toEqual(["told", "told", "told"]);
  expect([await tell("one", "a"), await tell("other", "a"), await tell("one", "b")]).toEqual([
    "told",
    "key-reused",
    "told",
  ]);
  const read = createOrderReader(harness.folderOf(order));
  const message = { kind: "message", text: "one" };
  expect(await read()).toEqual([message, message]);
  expect(await read()).toEqual([]);
});

it("[R12] what an agent asks is seen by whoever looks, also after our restart; what is no question is none", async () => {
  const order = await harness.begin("sleep 600");
  await untilWorking(harness.runner, order);
  const look = async () => {
    const probe = await harness.restarted().probe(order);
    return probe.kind === "present" ? probe.question : probe;
  };
  expect(await look()).toBeNull();
  const path = join(harness.folderOf(order), "question.json");
  const question = { id: "q1", text: "Delete the table?", options: ["yes", "no"], askedAt: 17 };
  await writeFile(path, JSON.stringify({ version: 2, ...question }));
  expect(await look()).toEqual(question);
  for (const torn of ['{"version":2,"id":', JSON.stringify({ version: 99, ...question })]) {
    await writeFile(path, torn);
    expect(await look()).toBeNull();
  }
});

it("[R12] an agent that nobody answered is stopped, and its ending says so to whoever finds it", async () => {
  const order = await harness.begin("sleep 600");
  await untilWorking(harness.runner, order);
  await harness.runner.stop(order, "no-answer");
  const { ending } = await untilProbe(harness.restarted(), order, "exited");
  expect(ending).toMatchObject({ cause: "no-answer", signal: "SIGTERM" });
});
