/** The drivers against the real Claude Code, Codex and Gemini CLI, with a model server of ours on 127.0.0.1. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endedWithSession } from "../../core/agent/background";
import { createLineReader } from "../../core/agent/lines";
import { NOTHING_SAID, type Summary, summarize, usageOfSession, verdictOf } from "../../core/agent/summary";
import type { Resume } from "../../core/agent/talking-agents";
import { addToTranscript, EMPTY_TRANSCRIPT } from "../../core/agent/transcript";
import type { RunOrder } from "../../ports/runner";
import { startFakeModel } from "../../testing/fake-model/server.mjs";
import { bundleHost } from "../../testing/host-bundle";
import { commandOf, environmentOf, REAL_AGENTS, type RealAgent } from "../../testing/real-agents";
import { orderFor, readToEnd } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { listProcesses } from "../host/process-table";
import { makeProcessHarness, type ProcessHarness } from "./process-harness";

let host: Awaited<ReturnType<typeof bundleHost>>;
let model: Awaited<ReturnType<typeof startFakeModel>>;
let homes: string;

beforeAll(async () => {
  host = await bundleHost();
  model = await startFakeModel();
  homes = await mkdtemp(join(tmpdir(), "camelot-homes-"));
});
afterAll(async () => {
  await host.remove();
  await model.close();
  await rm(homes, { recursive: true, force: true });
});

describe.each(REAL_AGENTS)("$name", { timeout: 90_000 }, (agent) => {
  let harness: ProcessHarness;
  let cwd: string;
  beforeEach(async () => {
    harness = await makeProcessHarness(host.path);
    cwd = join(harness.dataDir, "worktree");
    await mkdir(cwd);
  });
  afterEach(() => harness.cleanUp());

  const begin = async (
    prompt: string,
    changes: { isAsking?: boolean; longestRunMs?: number; backgroundMs?: number; resume?: Resume } = {},
  ) => {
    const settings = changes.isAsking ? agent.asking : agent.free;
    const environment = await environmentOf(agent, model.url, join(homes, agent.name));
    const order = orderFor(harness, commandOf(agent, settings, prompt, changes.resume ?? null), {
      environment,
      cwd,
      limits: { longestRunMs: 90_000, termGraceMs: 5_000, ...limitsOf(changes) },
    });
    await harness.runner.start(order);
    return order;
  };

  it("[A4] runs a tool that edits a file, and ends with its own result, tokens and conversation", async () => {
    const order = await begin("@@write hello.txt hello there\n@@say All done.");
    const { ending } = await untilOver(harness, order);
    const { summary, usage, text } = await told(harness, agent, order);
    expect([ending.cause, ending.result, ending.exitCode], text).toEqual(["exited", "success", 0]);
    expect(await readFile(join(cwd, "hello.txt"), "utf8")).toBe("hello there\n");
    expect(verdictOf(summary, ending.endedAt)).toEqual({ kind: "success" });
    expect(summary).toMatchObject({ lastAction: "All done.", conversation: expect.any(String) });
    expect(usage).toMatchObject(USAGE_OF_TWO_CALLS[agent.name]);
    await expectNothingLeft(harness, order);
  });

  it("[R12] a question is asked, answered once, and the work goes on", async () => {
    const order = await begin("@@bash touch asked.txt\n@@say Went on.", { isAsking: true });
    const question = await untilAsked(harness, order);
    expect(question.text).toContain("touch asked.txt");
    expect(existsSync(join(cwd, "asked.txt"))).toBe(false);
    const [option = ""] = question.options;
    expect(await harness.runner.tell(order, { kind: "answer", questionId: question.id, option })).toBe("told");
    const { ending } = await untilOver(harness, order);
    const { text } = await told(harness, agent, order);
    expect(ending.result, text).toBe("success");
    expect(existsSync(join(cwd, "asked.txt"))).toBe(true);
    expect(text).toContain(`{"camelot":"answer","id":"${question.id}","option":"${option}"}`);
  });

  it("[A5] a follow-up goes on with the conversation of before, or begins a new one where the agent has lost it", async () => {
    const first = await begin("@@say The word is pelican.");
    await untilOver(harness, first);
    const { summary: before, text } = await told(harness, agent, first);
    expect(before.conversation, text).not.toBeNull();
    const second = await begin("@@say And on.", {
      resume: { conversation: before.conversation ?? "", otherwise: "@@say Begun anew." },
    });
    const { ending } = await untilOver(harness, second);
    const { summary, usage, said, text: secondText } = await told(harness, agent, second);
    expect(ending.result, secondText).toBe("success");
    // Some tell the earlier conversation once more: it stands in its own session's transcript.
    expect(said, secondText).not.toContain("pelican");
    const isResumed = summary.conversation === before.conversation;
    if (agent.resumes) expect(isResumed).toBe(true);
    expect(summary.lastAction).toBe(isResumed ? "And on." : "Begun anew.");
    expect(usage).toMatchObject(USAGE_OF_ONE_CALL[agent.name]);
  });

  it("[R9][R7] a model that never answers: the longest run ends it, and nothing of it is left", async () => {
    const order = await begin("@@hang", { longestRunMs: 6_000 });
    const { ending } = await untilOver(harness, order);
    expect(ending.cause).toBe("timed-out");
    await expectNothingLeft(harness, order);
  });

  it("[R7] stopped in the middle of a text or of a tool, nothing of it is left", async () => {
    for (const prompt of ["@@drip 400 100", `@@bash node -e "setTimeout(()=>{},300000)" # ${Date.now()}\n@@say x`]) {
      const order = await begin(prompt);
      if (prompt.startsWith("@@drip")) await untilSaid(harness, order, "chunk 3");
      else await waitFor(() => isToolRunning(harness, order), `the tool of ${order.sessionId}`);
      await harness.runner.stop(order);
      const { ending } = await untilOver(harness, order);
      expect(ending.cause).toBe("stopped");
      await expectNothingLeft(harness, order);
    }
  });

  it("[R12] what is said to it while it works is taken up in the same session", async () => {
    const order = await begin("@@drip 20 100");
    await untilSaid(harness, order, "chunk 2");
    expect(await harness.runner.tell(order, { kind: "message", text: "@@say Also this." })).toBe("told");
    const { ending } = await untilOver(harness, order);
    const { summary, text } = await told(harness, agent, order);
    expect(ending.result, text).toBe("success");
    expect(summary.lastAction, text).toBe("Also this.");
  });

  if (agent.name === "claude-code")
    it("[A9][A4] a command in the background outlives the turn: the agent goes on once it is over, in the same session", async () => {
      const command = "until [ -e go ]; do sleep 0.1; done; echo tests green > green.txt";
      const order = await begin(inBackground(command, "@@say I go on when they are through."));
      await untilSaid(harness, order, '{"camelot":"waiting","running":["run tests"]}');
      await writeFile(join(cwd, "go"), "");
      const { ending } = await untilOver(harness, order);
      const { summary, usage, text } = await told(harness, agent, order);
      expect([ending.cause, ending.result, ending.exitCode], text).toEqual(["exited", "success", 0]);
      expect(await readFile(join(cwd, "green.txt"), "utf8")).toBe("tests green\n");
      expect(text.match(/"type":"result"/g)).toHaveLength(2);
      expect(usage).toMatchObject({ input: 3720, cachedInput: 900, output: 75, partial: false });
      expect(verdictOf(summary, ending.endedAt)).toEqual({ kind: "success" });
      await expectNothingLeft(harness, order);
    });

  if (agent.name !== "gemini")
    it("[A9] a command in the background that never ends is ended with the session, which says so", async () => {
      const command = `while :; do sleep 1; done # ${Date.now()}`;
      const prompt =
        agent.name === "codex"
          ? `@@tool exec_command ${JSON.stringify({ cmd: command, yield_time_ms: 250 })}\n@@say It runs.`
          : inBackground(command, "@@say It runs.");
      const order = await begin(prompt, { backgroundMs: 2_000 });
      const { ending } = await untilOver(harness, order);
      const { summary, text } = await told(harness, agent, order);
      expect([ending.cause, ending.result], text).toEqual(["exited", "success"]);
      expect(verdictOf(summary, ending.endedAt)).toEqual({ kind: "success" });
      const name = agent.name === "codex" ? command : "run tests";
      expect(endedWithSession(summary.lastAction)).toContain(`ended with the session: ${name}`);
      await expectNothingLeft(harness, order);
    });

  it.each([
    ["@@error 401", "not-logged-in"],
    // Of these Gemini CLI goes on trying for longer than a test may take.
    ...(agent.name === "gemini"
      ? [["@@error 400", "refused"]]
      : [
          ["@@error 429", "usage-limit"],
          ["@@cut", "connection"],
        ]),
  ])("[A8] %s ends without result, and it is known why", async (prompt, error) => {
    const order = await begin(prompt ?? "");
    const { ending } = await untilOver(harness, order);
    const { summary, text } = await told(harness, agent, order);
    expect(ending.result, text).not.toBe("success");
    expect(verdictOf(summary, ending.endedAt), text.slice(-3_000)).toMatchObject({
      kind: "trouble",
      trouble: { error },
    });
  });
});

function limitsOf({ longestRunMs, backgroundMs }: { longestRunMs?: number; backgroundMs?: number }) {
  return { ...(longestRunMs ? { longestRunMs } : {}), ...(backgroundMs ? { backgroundMs } : {}) };
}

function inBackground(command: string, then: string): string {
  const input = { command, description: "run tests", run_in_background: true };
  return `@@tool Bash ${JSON.stringify(input)}\n${then}`;
}

/** 1,200 uncached and 40 written to the cache, 300 from the cache, 25 out per call; Gemini does not tell of its cache or thoughts. */
const USAGE_OF_ONE_CALL = {
  "claude-code": { input: 1240, cachedInput: 300, output: 25, costSource: "reported", partial: false },
  codex: { input: 1240, cachedInput: 300, output: 25, costUsd: null, costSource: "unknown", partial: false },
  gemini: { input: 1540, cachedInput: 0, output: 20, costUsd: null, costSource: "unknown", partial: false },
} as const;
const USAGE_OF_TWO_CALLS = {
  "claude-code": { ...USAGE_OF_ONE_CALL["claude-code"], input: 2480, cachedInput: 600, output: 50 },
  codex: { ...USAGE_OF_ONE_CALL.codex, input: 2480, cachedInput: 600, output: 50 },
  gemini: { ...USAGE_OF_ONE_CALL.gemini, input: 3080, output: 40 },
} as const;

/** They try again and again before they give up. */
async function untilOver(harness: ProcessHarness, order: RunOrder) {
  return waitFor(
    async () => {
      const probe = await harness.runner.probe(order);
      return probe.kind === "exited" ? probe : null;
    },
    `the end of ${order.sessionId}`,
    OVER_WITHIN_MS,
  );
}

const OVER_WITHIN_MS = 60_000;

async function told(harness: ProcessHarness, agent: RealAgent, order: RunOrder) {
  const output = await readToEnd(harness.runner, order);
  const reader = createLineReader(agent.format);
  const events = [...reader.push(output, 0), ...reader.end()];
  const summary = events.reduce<Summary>((sum, { event }) => summarize(sum, event), NOTHING_SAID);
  const said = JSON.stringify(addToTranscript(EMPTY_TRANSCRIPT, events).items);
  return { summary, usage: usageOfSession(summary, 0), said, text: output.toString() };
}

async function untilAsked(harness: ProcessHarness, order: RunOrder) {
  return waitFor(async () => {
    const probe = await harness.runner.probe(order);
    if (probe.kind === "exited") throw new Error(`over without a question: ${JSON.stringify(probe.ending)}`);
    return probe.kind === "present" ? probe.question : null;
  }, `a question of ${order.sessionId}`);
}

async function untilSaid(harness: ProcessHarness, order: RunOrder, words: string): Promise<void> {
  await waitFor(async () => {
    const { bytes } = await harness.runner.read(order, 0, 1_000_000);
    return Buffer.from(bytes).toString().includes(words);
  }, `${order.sessionId} to say ${words}`);
}

async function isToolRunning(harness: ProcessHarness, order: RunOrder): Promise<boolean> {
  const mark = await harness.markOf(order);
  const rows = await listProcesses();
  const commands = await Promise.all(
    rows.filter((row) => row.mark === mark).map((row) => readFile(`/proc/${row.pid}/cmdline`, "utf8").catch(() => "")),
  );
  return commands.some((command) => command.split("\0")[1] === "-e" && command.includes("300000"));
}

async function expectNothingLeft(harness: ProcessHarness, order: RunOrder): Promise<void> {
  const mark = await harness.markOf(order);
  expect((await listProcesses()).filter((row) => row.mark === mark)).toEqual([]);
}
